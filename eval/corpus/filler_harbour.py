"""What is written about quays, cargo and guests at the Board's outlying landings?"""

from eval.corpus.filler_grammar import topic

FENDERS = topic(
    "Fenders; Fender chains; Rubber and timber at the face; Fender round; Damage to a fender",
    """
    At {site} {few} fenders of {quay} were [found torn|hanging on one chain|short of a shackle] on {date}.
    {crew} [rehung|shortened|replaced] the chain of the [third|fifth|outermost] fender {weather}.
    {ship} had [leaned on|rubbed along|caught her belting in] the fender face for {few} hours.
    The rubber showed [a cut of {10..70} cm|cracks up to {2..9} mm deep|no more than the usual scuffing].
    {person} asks for {6..30} new shackles and {2..9} lengths of chain from the store at {elsewhere}.
    A timber pile behind the fender [sounds hollow|has been eaten by worm|moved {5..40} mm under the hammer].
    The spare unit lies [behind the boat shed|under a tarpaulin|on two sleepers] at {elsewhere} and fits.
    Until it is mended, [ships above {40..90} m|fishing boats|barges] are turned to {quay}.
    [A photograph|A sketch with measures|The diver's slip] is filed with order {order}.
    {firm} [quoted|billed|asked] {money} for the work at {site}, transport by sea not counted.
    Lorry tyres hung up by [the fishermen|{ship}|a former caretaker] were [cut away|left where they are].
    Of {8..26} units on {quay} {person} calls {few} sound, and {colleague} one fewer.
    The cone [had a set of {4..30} mm|came back to its height overnight|was measured with the wrong rod].
    """,
)

QUAYS = topic(
    "Quay wall; Bollards; Paving and apron; Ladders and lifebuoys; Inspection of the landing",
    """
    The wall of {quay} leans {3..39} mm more than in the [spring|autumn], if the prism was read rightly.
    A bollard at {site} [turned in its base|rang hollow|was painted over without a number].
    {person} pulled {few} bollards with a hired jack, and one moved {2..11} mm at {15..48} tonnes.
    Fill has been lost behind the coping over {2..19} m, and [gravel|lean concrete] was put in {weather}.
    The ladder at {quay} [lacks a rung|is bent outward|was sawn off by {firm}].
    Sheet piles measured by {firm} were {5.1..9.8} mm thick at the splash zone.
    {ship} put a load of {8..40} tonnes on the apron before anybody read the sign.
    Two lifebuoys were [gone|without line|faded] and came anew from {elsewhere} on {date}.
    Drain holes were [rodded|found blocked by cement|missed on the round] at {quay}.
    The anode at the corner weighed {9..60} kg, down from {61..95} kg.
    {crew} swept up [broken glass|fish offal|grain] and counted the ladders again.
    A crack beside the rail has been marked with paint at both ends and dated {date} by {colleague}.
    The sign with the load [hangs upside down|names another quay|has been ordered under {order}].
    """,
)

SOUNDINGS = topic(
    "Soundings; Dredging; Depth alongside; Silt at the berth; A ship touched bottom",
    """
    {boat} sounded the berth at {quay}, {site}, and found {2.1..8.9} m at the shoalest spot.
    A backhoe took {400..9800} m³ of [silt|sand|shell] from the basin of {site} before {date}.
    {ship} touched bottom {20..90} m off {quay} at low water and came off by herself.
    The lines were run {3..15} m apart, since the echo sounder [lost the bed|had been lent to {elsewhere}].
    Spoil was [put ashore|dumped in the trench|spread on the beach], against which {person} had written.
    {few} stones of a tonne each were lifted by {firm} from in front of the steps.
    Thruster wash has [dug a hole of {0.4..1.8} m|laid the toe bare] where {ship} turns.
    The chart at {site} is {0.1..0.9} m too [deep|shoal] near the old wreck, says {colleague}.
    Turbidity at the buoy rose while the grab worked and fell again within {few} hours.
    A bar sweep was tried {weather} and given up after [a broken wire|half a line|lunch].
    The bill of {money} was shared with the [fish farm|cannery|gravel pit] at {elsewhere}.
    Permission from the county for dredging at {site} is [asked for|still missing|dated {date}].
    """,
)

FERRY = topic(
    "Ferry landing; Link span; Delays of the ferry; Waiting cars; The small ferry",
    """
    The ferry from {elsewhere} could not land at {site} between {clock} and {clock} on {date}.
    The link span [stuck half way|leaked oil|would not take the pin] {weather}.
    {9..60} cars waited, and {person} sent the first {few} round by the bridge.
    {firm} changed a hydraulic hose of {2..9} m and topped up {10..80} litres.
    A motor cycle fell on the ramp, which {crew} has since [sanded|grooved|fenced].
    The skipper asks that {quay} be kept free of [nets|trailers|pallets] at the evening call.
    The waiting room had [no heat|a broken pane|a guest asleep] on {day}.
    {colleague} counted {40..900} passengers in the week and {few} dogs.
    A new timetable hangs at {site}, but at {elsewhere} still the old one.
    The hinge was greased [twice|as planned|too late], as the squeal could be heard in {street}.
    Ice had split a guide pile, and a strap of steel holds it for now.
    Talks with the ferry company about the night berth at {site} go on in {month}.
    """,
)

CRANES = topic(
    "Crane; Lifting gear; Forklift and hoist; Crane rail; Slings and hooks",
    """
    The crane at {site} stood from {date} to {date} for want of a [limit switch|brake disc|slip ring].
    {person} read {1000..9900} hours on the counter and {2..40} starts on the day.
    A sling marked {1..5} tonnes was cut up because [a strand had gone|its tag was missing].
    {ship} was unloaded with her own gear, as the grab [dropped scrap|would not close|was at {elsewhere}].
    {firm} tested the hoist with {2..24} tonnes of water bags {weather}.
    The rail is {2..14} mm low at the third joint, and shims have been put under.
    A gust swung the jib, and {crew} lashed it to the mooring ring.
    The forklift ran out of gas in the [shed|fish hall|rain] with {ship} half empty.
    Wire for the crane came on a drum of {90..300} m from {elsewhere}, order {order}.
    {colleague} asks who took the [hook block|spreader|chain hoist] from the store in {month}.
    The cabin got a [heater|wiper|new seat], for which the driver had asked {few} times.
    The load chart on the door has been [bleached|stolen|copied by hand].
    """,
)

CARGO = topic(
    "Cargo; The shed; Berth dues; Goods on the quay; A ship's call",
    """
    {ship} discharged {90..980} tonnes of [salt|feed|gravel|cement] at {quay}, {site}, in {few} days.
    The shed at {site} holds {40..700} pallets, {few} of them [unclaimed|wet|without a label].
    Dues for the call came to {money} and were [disputed by the agent|paid in cash|charged to the wrong ship].
    The tonnage on the form was {10..90} less than in the register, which {person} has asked the agent about.
    Timber lay {few} weeks beyond the free time, and item {item} was put on the bill.
    {crew} covered the bags {weather}, but {5..60} had burst.
    The scale at the gate showed {20..180} kg too [much|little] and was reset by {firm}.
    Rats were seen in the grain by {colleague}; {ship} had brought none, says her mate.
    A container stood on the wrong side of the yellow line from {date} on.
    The agent at {elsewhere} wants shore power, which {quay} does not have.
    The sweep of {quay} took {few} men until {clock}.
    Fish boxes from {elsewhere} were stacked in front of the hydrant and moved on {day}.
    Calls at {site} numbered {12..160} in the year, {few} fewer than the [cannery|agent] had hoped.
    """,
)

GUESTS = topic(
    "Guest boats; Cruise call; Yachts and showers; The summer at the landing; Visitors on the quay",
    """
    {20..240} yachts lay at {site} in {month}, most of them from across the fjord.
    {ship} landed {90..450} passengers by tender {weather}.
    The shower took coins of the old kind until {date}, so nobody washed.
    {person} collected the fee on a bicycle and missed {few} boats.
    A German sailor left a note of thanks and [a torn ensign|an unpaid night] at {quay}.
    The pontoon was [taken in for the winter|lengthened by {6..24} m|moved to {elsewhere}].
    A school class watched the unloading behind a rope held by {crew}.
    Power posts {few} and up were dead, because [a fuse was wet|somebody had plugged in a heater].
    Passes were written by hand when the printer at {site} failed, {30..95} of them.
    The bus for the guests went to {elsewhere}, where nobody waited.
    Rubbish came to {1..9} tonnes in the season, and {firm} emptied the skip on {day}.
    {colleague} proposes [a second tap|more lamps|a board with the weather] for next summer.
    """,
)

TOPICS = (FENDERS, QUAYS, SOUNDINGS, FERRY, CRANES, CARGO, GUESTS)
