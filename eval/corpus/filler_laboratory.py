"""What is written about samples, meters, bills and customers in the Board's outlying networks?"""

from eval.corpus.filler_grammar import topic

SAMPLES = topic(
    "Samples; Sampling round; A repeat sample; Results from the tap; Bottles and cool boxes",
    """
    {few} samples were taken at {site} on {date} between {clock} and {clock}.
    In {sample} colour was {4..40}, turbidity {0.10..1.90} NTU and pH {6.5..8.4}.
    The cool box [came by the mail boat|stood on the quay for an hour|arrived warm] from {elsewhere}.
    The bottle of {sample} was [broken|without a label|filled to the brim], and {person} drove out again.
    Coliform bacteria were [not found|found once and not again] in the water from {street}, {site}.
    The count at 22 degrees was {1..80} per ml in {sample}, which [is usual for {month}|surprised nobody].
    {colleague} used the wrong lid for metals and [wrote so on the sheet|began the round anew] on {date}.
    Iron was {20..260} µg/l after the work in {street} and half of it a week later.
    The result of {sample} went to [the customer by letter|the works by telephone|the file] on {date}.
    Method {method} was followed, but the field blank [was forgotten|was opened at {elsewhere}].
    The tap at the [school|ice works|slip] ran {3..15} minutes before {person} filled the first bottle.
    Manganese of {2..49} µg/l in {sample} was [written to the crew|thought to come from the tank].
    """,
)

INSTRUMENTS = topic(
    "Instruments; Calibration; Reagents and standards; A failed check; Balance and incubator",
    """
    The [photometer|nephelometer|pH meter|balance] was out of its limits on {date} and was set aside.
    Method {method} gave {0.20..9.80} on the check, and {person} stopped the run at {clock}.
    {firm} came to {site} for the yearly service and left a bill of {money}.
    The incubator stood at {30..39} degrees for {few} hours because [a fuse blew|the door was ajar].
    A reagent of {month} was used after its date, as {colleague} noted beside {sample}.
    Formazin was made fresh and [agreed|did not agree] with the bottle from {elsewhere}.
    The electrode had dried out; after a night in chloride its slope was {88..99} %.
    A control chart of {method} has {few} points on the same side, without a reason found.
    The lamp has burned {1000..4900} hours, and a new one was asked for under {order}.
    Distilled water from the still at {site} had {2..30} µS/cm.
    The balance was moved away from the [window|pump|stove] and levelled by {person}.
    Cuvettes are scratched; {6..24} were thrown out {weather}, when there was time for it.
    """,
)

BACTERIA = topic(
    "Bacteria; Plates and colonies; A coliform finding; Water boiled; Enterococci and counts",
    """
    {1..40} colonies grew on the plate of {sample}, {few} of them [pink|yellow|doubtful].
    The village of {site} boiled its water from {date} to {date}, after a gull fell into the tank.
    The repeat at {street} was clean, and so were {few} taps around it.
    {person} filtered {few} bottles at {clock}, the oldest {5..17} hours after sampling.
    The blank had a colony, so the batch of {date} was thrown away.
    Enterococci in the well at {elsewhere} point to [sheep|a cowshed|a cracked pipe], thinks {colleague}.
    The doctor at {site} was told by telephone and reported {few} children with sore stomachs.
    A film on the wall of the tank was scraped off and held {1.1..9.6} million cells per cm².
    Method {method} was done twice by two people, with {3..30} and {3..30} colonies.
    The agar from {firm} came frozen and was [sent back|used for practice].
    The tap was burned off with a lamp {weather} before the second bottle.
    Letters to {20..300} households lifted the notice, {few} of them in Polish.
    """,
)

AUDIT = topic(
    "Audit; Findings; Follow-up of a deviation; Comparison between laboratories; Quality notes",
    """
    The auditor spent {few} hours at {site} and wrote down {few} findings, none of them grave.
    A finding about [training papers|lamp hours|labels] from {date} is still open with {person}.
    In the comparison of {month} the z score for [iron|colour|nitrate] was {0.1..2.6}.
    {colleague} could not find the note of a call from {street}, and said so.
    The deviation was closed on {date} with [a new sheet|a talk at coffee|a lock on the drawer].
    Method {method} was watched from bottle to report, and the timer was [praised|missed].
    {few} reports were followed back to raw data; one figure had changed places.
    Evidence was sent to {elsewhere} {few} days late.
    The list of signatures lacks the summer help at {site}.
    {person} asks that findings be numbered, as there are two called the {nth}.
    An internal round in {month} looked at {few} cupboards and found sweets.
    The file of {sample} was complete but for the chart.
    """,
)

METERS = topic(
    "Meters; Meter reading; A stopped meter; Meter change; Estimated readings",
    """
    In {street} at {site} {4..60} meters were [read|changed|looked at] between {date} and {date}.
    A meter in {street} had [stopped at {100..900} m³|run backwards|frozen in its pit] since {month}.
    {person} could not get in at {few} houses of {street} and left a card.
    The owner says that [nobody has lived there since {month}|the dial was read upside down].
    An estimate of {20..90} m³ was sent instead and [was disputed|was paid without a word].
    On the bench the old meter showed {1..9} % too [much|little] at {15..90} litres an hour.
    The pit was full of [sand|leaves|water], and its lid is to be changed by {firm} in {month}.
    Seals {20..98}{10..98} and following were used; the old ones are in a bag at {elsewhere}.
    The reading list of {site} had {few} numbers [twice|in the wrong order], now put right by {colleague}.
    Consumption on the round was {2..40} % [above|below] that of the year before.
    A smart meter sent {few} alarms in one night, and a cistern was found running.
    {crew} carried {9..30} meters up {street} {weather}.
    """,
)

BILLS = topic(
    "Water bills; A wrong bill; Reminders; Prices in the old list; Questions at the counter",
    """
    A bill of {money} for a cabin at {site} was [cancelled|halved|sent {few} times].
    Price {price} was used instead of {price} for {few} customers in {street}.
    {person} answered {20..190} calls on {day}, most of them about [reminders|the new form|the flat rate].
    The reminder crossed with the payment of {date}, and its fee was struck off.
    A tenant had paid the owner, who had not paid the Board, {money} in all.
    The standing charge was counted {few} times for a house with one meter in {street}.
    The counter at {site} took {money} in cash in {month} and closed its drawer {few} kr short.
    An instalment agreed with {colleague} was broken in {month} and agreed anew.
    The printer ran out of [yellow|long] paper, so {200..900} bills went out a week late.
    The baker of {site} claims a leak, and the plumber's slip is dated {date}.
    Nothing was shut off at {elsewhere}, where a child had been born that week.
    A pensioner in {street} brought bills back to 19{62..89} in a shoe box.
    """,
)

COMPLAINTS = topic(
    "Complaint; A letter to the Board; Smell and taste; Noise from the works; Answer to a customer",
    """
    A household in {street}, {site}, writes that the water [tastes of metal|smells of earth|is like tea].
    {person} called on {date} and [drank a glass|found an old filter under the sink|met nobody].
    The noise of {pump} keeps a family awake, {38..61} dB at the fence by night.
    The answer went out after {few} weeks, with [the analysis|an apology|a map] enclosed.
    White shirts turned [yellow|grey] in the wash, and {money} was asked for them.
    {ship} tested her horn at {clock}, which {few} people of {site} found uncalled for.
    The case was opened again since [the note was lost|the smell came back in {month}].
    Sample {sample} from the kitchen tap differed from the street in nothing.
    A trench in {street} had stood open for {few} weeks when {colleague} came.
    The writer thanks {crew} all the same for [clearing the snow|kind words|the bottles].
    The lamp at {quay} shines into a bedroom and got a shade from {firm}.
    {colleague} took the call at {clock} and wrote it on the back of form {form}.
    """,
)

TOPICS = (SAMPLES, INSTRUMENTS, BACTERIA, AUDIT, METERS, BILLS, COMPLAINTS)
