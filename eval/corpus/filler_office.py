"""What is written about purchases, money, papers and keys in the Board's outlying offices?"""

from eval.corpus.filler_grammar import topic

PROCUREMENT = topic(
    "A purchase; Offers received; Tender opened; Supplier; Contract for works",
    """
    {few} offers came in for the [roof|pump|paint|cable|crane] at {site} and were opened on {date}.
    The lowest, {firm}, asked {money}, and [won|was turned down for lack of papers].
    {person} notes that the estimate of {money} had been [half of that|close to it|made without a visit].
    Delivery was promised for {month} and came [a month late|in {few} parts|to {elsewhere} by mistake].
    {firm} complained [by telephone|in writing], and was told that the file may be read at {site}.
    Points for quality were given by {colleague} and {person}, who differed on the [third|last] offer.
    The order {order} was [signed|split in two|cancelled] before the summer.
    A guarantee of {few} years goes with the [motor|rope|boat], [transport|salt damage] excepted.
    The invoice of {date} showed {few} hours more than the time sheets, and [was sent back|was paid in part].
    [A framework with {firm}|The agreement with {firm}] ran out in {month} and was not renewed.
    {person} stepped aside, as a cousin works for {firm}.
    The competition was called off on {date} because [only one bid|the drawing changed|the money had gone].
    A late offer from {firm} lies unopened in the cabinet at {elsewhere}.
    """,
)

BUDGET = topic(
    "Budget remarks; Accounts of the landing; Overspending; Grants and income; Closing of the books",
    """
    The vote for {site} was {money}, of which {money} was left on {date}.
    [Diesel|Overtime|Snow clearing|Chemicals] took {3..38} % more than planned, by the count of {person}.
    Income from [yachts|water to ships|the scale|rent of the shed] came to {money}.
    {colleague} moved {money} from paint to pumps and told nobody until {month}.
    The state paid a third of the mole at {elsewhere}, and the rest waits for the settlement.
    An amount of {money} stands on the wrong account since {date}.
    The replacement of {pump} was written off over {few} years instead of ten.
    {firm} was paid twice, and the second {money} came back in {month}.
    {person} proposes to sell the [old launch|weighbridge|cottage] at {site}.
    The auditor counted the cash box of {site} at {clock} and found it {1..90} kr over.
    Interest on the small loan of {elsewhere} came to {money} in the half-year.
    No profit was looked for, and there was none, remarks {colleague}.
    """,
)

INSURANCE = topic(
    "Insurance; Claim after damage; The small loan; Lease and rent; An agreement ends",
    """
    The claim of {date} for the boat shed at {site} was [paid less the excess|refused|halved].
    {ship} admits having touched {quay}, but not the {money} that were asked.
    The lease of the [net loft|kiosk|field] at {elsewhere} runs out in {month} and {person} wants it back.
    {firm} insures the crane since {date}, at {money} a year.
    The surveyor of the insurer walked about for {few} hours {weather}.
    A loan of {money} for the pontoon was repaid {few} months early.
    {colleague} holds that wear is no damage, and has said so to {firm} in {month}.
    The bank at {elsewhere} sent a table with {few} dates, one of them a Sunday.
    Photographs of the broken [door|mast|window] were lost with the telephone.
    The tenant at {street} paid his rent in fish for {few} months, which is not to happen again.
    The agreement on ice from {elsewhere} was [renewed by a handshake|not renewed|signed in {month}].
    A covenant was read aloud to the committee of {site} and understood by {few}.
    """,
)

ARCHIVE = topic(
    "Papers and boxes; Archive; Transfer of files; Drawings found; Retention of papers",
    """
    {4..60} boxes from the office at {site} were [listed|fetched|stacked] on {date}.
    Box {box} holds [day books|tide rolls|wage slips|drawings] and [smells of damp|has lost its lid].
    {person} found a drawing of {quay} [behind a cupboard|in the wrong tube|with notes in the margin].
    Section {sec} of the local list was cited, but [nobody at {site} had a copy|an older edition was meant].
    The shelf in the boat shed [sagged|was wet at the back], and {box} went to {elsewhere}.
    {colleague} asks whether the passes of the year before may be [shredded|kept|sent over].
    A reader wanted the [pilot dockets|lock books|analysis sheets] in {box} and was lent a [table|lamp].
    Mould was seen on {few} folders of {box}, which [were bagged|dried on a line for a week].
    The list was typed by {person} and disagrees with the labels in {few} places.
    Retention of {box} was not decided, since [the minutes of {month} were lost|the committee did not meet].
    {few} sacks went to the mill from {elsewhere}, watched by {colleague} to the end.
    Tag {asset} is pencilled on a ledger, and {sec} beside it.
    """,
)

CLIMATE = topic(
    "Damp in the paper room; Humidity readings; Dryers and loggers; Silverfish; Cold storage of papers",
    """
    Humidity in the paper room of {site} was {38..71} % on {date} and {38..71} % a week later.
    A dryer from {firm} drew {2..19} litres in the night, and its bucket ran over.
    The logger by the door had stopped in {month}, as {person} found when reading it.
    {few} silverfish sat in the trap beneath {box}.
    The room was {3..24} degrees at {clock}, with the hatch [open|taped|forgotten].
    {colleague} carried {12..90} reels to {elsewhere} in fish boxes with ice.
    Wet ledgers lay in the freezer of the [cannery|school kitchen] until {date}.
    A pipe over the shelves dripped {weather}, and a tarpaulin from {boat} was hung up.
    Glass plates of {quay} have peeled, {few} of them past mending.
    The window was bricked up by {firm} for {money}.
    Readings were taken by {crew}, who wrote them on the wall.
    Beetles ate the glue of {box}, so it was frozen twice at {elsewhere}.
    """,
)

KEYS = topic(
    "Keys; Locks and keys; A lost key; Key cabinet; Doors and gates",
    """
    The key of the [boat shed|pump house|gauge hut|store] at {site} was missing from {date} to {date}.
    {person} had [taken the key home|lent the key to {firm}|left it in the other jacket] in {month}.
    The cabinet at {site} holds {12..70} keys, of which {few} fit nothing.
    A padlock was cut by {crew} at {clock} so that {pump} could be reached.
    New cylinders from {firm} cost {money} and [turn the wrong way|stick in frost].
    The gate at {quay} was found open [on {few} nights|by the watchman from {elsewhere}].
    {colleague} signed for the spare and [gave it back on {date}|has not given it back].
    The code of the door at {elsewhere} was changed after [the summer help had left|a quarrel].
    A tag reading {asset} hung on the wrong hook, as nobody at {site} knew what it meant.
    Keys were counted on {date}, when the caretaker was back from leave.
    The ring for {sec} is one short, and {person} has written to the locksmith.
    A child rang the alarm in {street} with a found card {few} times.
    """,
)

MEETINGS = topic(
    "Motion and vote; Business of the committee; Adjourned; Election; Matters from last time",
    """
    {person} moved that {quay} be [closed for the winter|let|painted], carried by {3..7} to {few}.
    The minutes of {date} were approved with {few} corrections.
    {colleague} and {person} could not agree about the [bench|flag|speed of {boat}].
    Word had come from {colleague}, who was [ill|at sea|at {elsewhere}].
    A letter from {firm} about the [fence|roof|smell] was read and laid aside.
    The vote was repeated on {day} because {few} had left for the ferry.
    {person} was chosen to speak for {site} at {elsewhere}, against the wish of {colleague}.
    The committee walked to {quay} {weather} and sat down again at {clock}.
    Money for the [jubilee|sextant case|reading room] was put off to {month}.
    A motion by {colleague} to lend {boat} to the scouts was lost by one vote.
    Coffee was paid by {person}, as the vote for it is empty.
    The sitting ended at {clock} with {few} items left over.
    """,
)

COMPUTERS = topic(
    "Computers; Telemetry; The shared folder; Mail and passwords; The telephone",
    """
    The line to {site} was down from {clock} to {clock}, and {pump} ran by its own clock.
    {person} could not log in for {few} days and worked with {colleague}'s name meanwhile.
    A message from a false {firm} asked for {money} and was shown to the police.
    The screen at {quay} shows the wrong year, which {few} calls have not mended.
    The folder of {site} was moved, and {200..900} files lost their dates.
    Copies are made on {day}, the last good one on {date}.
    A new telephone was wired to the old number of {elsewhere}, so {crew} takes orders for fish.
    {gauge} sends its readings by a card that ran out of money in {month}.
    The printer at {site} prints {few} pages of stars before each letter.
    {firm} wants {money} to move the alarms to another box.
    The password stood on a note under {person}'s keyboard and has been eaten by nobody.
    {fault} came by text message at {clock} and again {few} times.
    """,
)

TOPICS = (PROCUREMENT, BUDGET, INSURANCE, ARCHIVE, CLIMATE, KEYS, MEETINGS, COMPUTERS)
