"""What is written about purchases, papers, keys and people in the Board's outlying offices?"""

from eval.corpus.filler_grammar import topic

PROCUREMENT = topic(
    "A purchase; Offers received; Tender opened; Supplier; Contract for works",
    """
    {few} offers came in for the [roof|pump|paint|cable|crane] at {site} and were opened on {date}.
    The lowest, {firm}, asked {money}, and [won|was turned down for lack of papers].
    {person} notes that the estimate had been [half of that|close to it|made without a visit].
    Delivery was promised for {month} and came [a month late|in {few} parts|to {elsewhere} by mistake].
    One bidder complained [by telephone|in writing], and was told that the file may be read at the office.
    Points for quality were given by {colleague} and {person}, who differed on the [third|last] offer.
    The order {order} was [signed|split in two|cancelled] before the summer.
    A guarantee of {few} years goes with the goods, [transport excepted|salt damage excepted].
    The invoice showed {few} hours more than the time sheets, and [was sent back|was paid in part].
    [A framework with {firm}|The agreement with {firm}] ran out in {month} and was not renewed.
    """,
)

ARCHIVE = topic(
    "Papers and boxes; Archive; Transfer of files; Drawings found; Retention of papers",
    """
    {4..60} boxes from the office at {site} were [listed|fetched|stacked] on {date}.
    Box {box} holds [day books|tide rolls|wage slips|drawings] and [smells of damp|has lost its lid].
    {person} found a drawing of {quay} [behind a cupboard|in the wrong tube|with notes in the margin].
    Section {sec} of the local list was cited, but [nobody at {site} had a copy|an older edition was meant].
    The shelf in the boat shed [sagged|was wet at the back], and the ledgers went to {elsewhere}.
    {colleague} asks whether the passes of the year before may be [shredded|kept|sent over].
    A reader wanted the [pilot dockets|lock books|analysis sheets] and was lent a [table|lamp] in the canteen.
    Mould was seen on {few} folders, which [were bagged|dried on a line for a week].
    The list was typed by {person} and disagrees with the labels in {few} places.
    Retention was not decided, since [the minutes of {month} could not be found|the committee did not meet].
    """,
)

KEYS = topic(
    "Keys; Locks and keys; A lost key; Key cabinet; Doors and gates",
    """
    The key of the [boat shed|pump house|gauge hut|store] at {site} was missing from {date} to {date}.
    {person} had [taken it home|lent it to {firm}|left it in the other jacket].
    The cabinet holds {12..70} keys, of which {few} fit nothing.
    A padlock was cut by {crew} at {clock} so that the pump could be reached.
    New cylinders from {firm} cost {money} and [turn the wrong way|stick in frost].
    The gate at {quay} was found open [on {few} nights|by the watchman from {elsewhere}].
    {colleague} signed for the spare and [gave it back on {date}|has not given it back].
    The code of the door was changed after [the summer help had left|a quarrel].
    A tag reading {sec} hung on the wrong hook, as nobody at {site} knew what it meant.
    Keys are counted there when [somebody remembers|the caretaker is back from leave].
    """,
)

TRAINING = topic(
    "Course; Training day; Drill; Certificates; First weeks of a new employee",
    """
    Course {course} was held at {site} on {date} with {5..22} people from {few} crews.
    {person} taught the [first aid|rope work|gas mask|fire watch|forklift] part and ran over by an hour.
    {few} failed the written paper and [sat it again in {month}|were let off].
    The drill on {quay} began at {clock} {weather}.
    A dummy was [lifted from the water in {3..14} minutes|dropped on the steps].
    Two from {elsewhere} did not come, because [the ferry was cancelled|their shift had been moved].
    Certificates were sent [to the wrong site|by {firm}|with a spelling mistake] on {date}.
    {colleague} would rather have [fewer slides|more time in the boat|a course in the dark half of the year].
    Lunch came from the school kitchen and cost {money} in all.
    The next run of {course} is [not fixed|put off until the crane is back|to be held at {elsewhere}].
    """,
)

LEAVE = topic(
    "Leave and shifts; Rota; Sick leave; Summer cover; Pay and hours",
    """
    {person} had leave from {date} to {date}, and {colleague} stood in at {site}.
    The rota of {site} lacked a name for {few} nights in {month}.
    {few} of the crew were [down with a cold|at a funeral|on a course] on the same day.
    Overtime came to {12..190} hours in the quarter, most of it [after the burst main|for the ice].
    A swap of shifts was [agreed by telephone|refused by the foreman] on {date}.
    The pay slip of {month} lacked the [Sunday hours|boat days|call-outs], so {person} wrote to the office.
    Summer help was found in {elsewhere}: {few} pupils, one with a boatmaster's paper.
    The union's man at {site} asked for [dry gloves|a second heater|a longer table], and got it.
    Nobody has applied for the post at {site}, which is [advertised again|filled by the day].
    {colleague} goes on pension in {month} after {18..41} years.
    """,
)

TOPICS = (PROCUREMENT, ARCHIVE, KEYS, TRAINING, LEAVE)
