"""What is written about mains, pumps, samples and meters in the Board's outlying networks?"""

from eval.corpus.filler_grammar import topic

MAINS = topic(
    "Burst main; Leak repair; Pipe work; Mains and valves; Digging in the street",
    """
    A main of {80..250} mm burst in {street} at {site} on {date} at {clock}.
    {crew} found the leak [with the listening rod|by the wet snow|after shutting {few} valves].
    [A clamp|A new joint|A sleeve of {2..6} m] was fitted, and water was back by {clock}.
    {8..90} houses had no water, and a tank stood [at the school|by the shop] until evening.
    The pipe had [rusted from outside|lain on a stone|cracked along its length], says {person}.
    Loss through the break is guessed at {20..400} cubic metres, which {person} thinks [low|fair|too high].
    A valve in {street} [would not close|turned the wrong way|was buried under new tar].
    {firm} lent a digger from {elsewhere}; the hours are on order {order}.
    Afterwards the line was [flushed for {20..90} minutes|chlorinated and sampled|watched overnight].
    The [plan|valve card] shows the main on the wrong side of the street and was corrected by {colleague}.
    """,
)

PUMPS = topic(
    "Pumping station; Pump repair; Round of the pumps; Motor and seal; Station log",
    """
    {pump} at {site} [tripped on overload|lost its prime|ran dry] on {date} at {clock}.
    The [seal|bearing|impeller|coupling] was changed after {2..19},{100..900} hours of running.
    {person} heard [a knocking|a whine|a hiss] and stopped it by hand.
    The panel showed {fault}, which [went away on reset|came back within the hour].
    {firm} took the motor to {elsewhere} and [rewound it|found the winding damp|sent it back untouched].
    Pressure in the network of {site} fell to {1.2..3.9} bar for {few} hours.
    The float switch had [stuck in grease|been tied up with string|lost its weight].
    Current was {8..60} ampere against {8..60} ampere in {month}, and the [strainer|check valve] was cleaned.
    {crew} [swept the floor|painted the hatch|emptied the sump] while waiting.
    [No spare is left|One spare is left|The spare went to {elsewhere}], so order {order} was written.
    """,
)

CHLORINE = topic(
    "Chlorine; Dosing; Residuals in the network; Disinfection; Dosing pump",
    """
    Free chlorine at the [school|last hydrant|harbour tap] of {site} was {0.02..0.60} mg/l on {date}.
    The dosing pump at {site} [lost its stroke|drew air|dripped at the valve] {weather}.
    {person} raised the dose by [a tenth|a fifth|a hair] and wrote it on the door.
    A drum of {25..60} litres was [changed|found half empty|returned to {firm}].
    Two customers in {street} [smelt the chlorine|complained of the taste], and one at {elsewhere} did not.
    The residual fell by half between the works and {street}, as it does every {month}.
    The sensor [needed a new membrane|had drifted by {0.02..0.15} mg/l|was cleaned with weak acid].
    {crew} took readings at {few} taps with method {method} and [all agreed|one was odd].
    The store smelt, so the fan was run for {10..50} minutes before {colleague} went in.
    The stroke counter was noted as {1000..9900} on {date}.
    """,
)

SAMPLES = topic(
    "Samples; Sampling round; A repeat sample; Results from the tap; Bottles and cool boxes",
    """
    {few} samples were taken at {site} on {date} between {clock} and {clock}.
    Colour was {4..40}, turbidity {0.10..1.90} NTU and pH {6.5..8.4} at the tap of the [school|shop|cannery].
    The cool box [came by the mail boat|stood on the quay for an hour|arrived warm] from {elsewhere}.
    One bottle was [broken|without a label|filled to the brim], and {person} drove out again.
    Coliform bacteria were [not found|found once and not again] in the water from {street}.
    The count at 22 degrees was {1..80} per ml, which [is usual for {month}|surprised nobody].
    {colleague} used the wrong lid for metals and [wrote so on the sheet|began the round anew].
    Iron was {20..260} µg/l after the work in {street} and half of it a week later.
    The result went to [the customer by letter|the works by telephone|the file] on {date}.
    Method {method} was followed, but the field blank [was forgotten|was opened at the wrong site].
    """,
)

METERS = topic(
    "Meters; Meter reading; A stopped meter; Meter change; Estimated readings",
    """
    In {street} at {site} {4..60} meters were [read|changed|looked at] between {date} and {date}.
    A meter had [stopped at {100..900} m³|run backwards|frozen in its pit], and {crew} put in a loan meter.
    {person} could not get in at {few} houses and left a card.
    The owner says that [nobody has lived there since {month}|the dial was read upside down].
    An estimate was sent instead, taken from the quarter before, and [was disputed|was paid without a word].
    On the bench the old meter showed {1..9} % too [much|little] at low flow.
    The pit was full of [sand|leaves|water], and its lid is to be changed by {firm}.
    Seals {1000..9900} and following were used; the old ones are in a bag at {elsewhere}.
    The reading list of {site} had {few} numbers [twice|in the wrong order], now put right by {colleague}.
    Consumption on the round was {2..40} % [above|below] that of the year before.
    """,
)

TOPICS = (MAINS, PUMPS, CHLORINE, SAMPLES, METERS)
