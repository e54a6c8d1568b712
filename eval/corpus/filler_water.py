"""What is written about works, mains and pumps in the Board's outlying networks?"""

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
    Night flow fell from {3.1..9.8} to {0.6..2.9} litres a second after the repair in {street}.
    The trench was {1.1..2.6} m deep and stood full of water {weather}.
    An electric cable nobody knew of lay across the pipe, {20..70} cm down.
    """,
)

PUMPS = topic(
    "Pumping station; Pump repair; Round of the pumps; Motor and seal; Station log",
    """
    {pump} at {site} [tripped on overload|lost its prime|ran dry] on {date} at {clock}.
    The [seal|bearing|impeller|coupling] of {pump} was changed after {2..19},{100..900} hours of running.
    {person} heard [a knocking|a whine|a hiss] in {pump} and stopped it by hand.
    The panel showed {fault}, which [went away on reset|came back within the hour].
    {firm} took the motor to {elsewhere} and [rewound it|found the winding damp|sent it back untouched].
    Pressure in the network of {site} fell to {1.2..3.9} bar for {few} hours.
    The float switch at {site} had [stuck in grease|been tied up with string|lost its weight].
    Current was {8..60} ampere against {8..60} ampere in {month}, and the [strainer|check valve] was cleaned.
    {crew} [swept the floor|painted the hatch|emptied the sump] while {pump} ran up.
    [No spare is left|One spare is left|The spare went to {elsewhere}], so order {order} was written.
    The diesel set started on the {nth} try, so the batteries go on the list.
    Vibration was {1.1..7.9} mm/s at the drive end and less at the other.
    A mouse had shorted the terminals of {pump}, as {colleague} could show.
    """,
)

CHLORINE = topic(
    "Chlorine; Dosing; Residuals in the network; Disinfection; Dosing pump",
    """
    Free chlorine at the [school|last hydrant|cannery tap] of {site} was {0.02..0.60} mg/l on {date}.
    The dosing pump at {site} [lost its stroke|drew air|dripped at the valve] {weather}.
    {person} raised the dose by [a tenth|a fifth|a hair] on {date} and wrote it on the door.
    A drum of {25..60} litres was [changed|found half empty|returned to {firm}] on {day}.
    Two customers in {street} [smelt the chlorine|complained of the taste], and one at {elsewhere} did not.
    The residual fell by half between the works and {street}, as it does every {month}.
    The sensor at {site} [needed a new membrane|had drifted by {0.02..0.15} mg/l|was cleaned with weak acid].
    {crew} took readings at {few} taps with method {method} and [all agreed|one was odd].
    The store smelt, so the fan was run for {10..50} minutes before {colleague} went in.
    The stroke counter was noted as {10..98}{10..98} on {date}.
    Water of {2..16} degrees used up the chlorine in {6..70} hours, by a bottle test of {colleague}.
    The boosting point at {elsewhere} was [off all {month}|on for {few} nights].
    The leak alarm sounded at {clock}, but the paper strip stayed white.
    """,
)

FILTERS = topic(
    "Filters; Backwash; Sand and anthracite; The filter hall; Coagulant and sludge",
    """
    Filter {few} at {site} was washed on {date} after {18..95} hours of running.
    The wash took {9..29} minutes, the first {2..6} of them with air, and {person} saw sand in the trough.
    Head loss stood at {0.6..2.4} m before and {0.2..0.5} m after the wash at {site}.
    Turbidity after the filter was {0.04..0.90} NTU when {crew} left at {clock}.
    {firm} brought {2..19} tonnes of sand in bags, {few} of which had split.
    A nozzle came up through the bed, so the filter was [emptied|taken out until {month}|left alone].
    The coagulant pump gave {4..30} % less than on the label, by the measuring glass of {colleague}.
    Raw water from the lake was {6..55} mg/l in colour {weather}.
    The blower at {site} [ran backwards|blew its gasket|was hotter than the hand could bear].
    Sludge was drawn off {few} times and [went to the field|was refused at {elsewhere}].
    The flap of filter {few} closes only with a bar, for which order {order} was written.
    The turbidity meter was wiped by {crew} and then read {0.02..0.30} NTU lower.
    """,
)

RESERVOIRS = topic(
    "Reservoir; Tank cleaning; The lake and the intake; Overflow; Hatches and vents",
    """
    The reservoir above {site} was emptied on {date} and [brushed|hosed|inspected with a lamp].
    {2..9} cm of silt lay on the floor, in which {person} found [a spoon|feathers|nothing living].
    The level fell to {1.1..3.9} m during the [fire|regatta|dry spell] and rose again by {clock}.
    A hatch was [unlocked|frozen shut|without its gasket] when {crew} came {weather}.
    The vent net had a hole, and {colleague} sewed it with wire.
    The intake screen at {elsewhere} was blocked by [leaves|slush|a dead pike].
    Joints weep at {few} places along the north wall, which {firm} has marked in chalk.
    Overflow ran for {few} hours, {30..400} cubic metres by the weir.
    The lake stood {10..160} cm below the sill in {month}.
    Sheep had got inside the fence at {site} and were driven out by {colleague}.
    Refilling took until {clock}, and a sample {sample} was clear.
    The dam watch walked the crest and saw [no seepage|a wet spot of one square metre].
    """,
)

FLUSHING = topic(
    "Flushing; Hydrants; Brown water; Fire drill at the hydrant; Dead ends",
    """
    Hydrant {few} in {street}, {site}, ran brown for {10..70} minutes on {date}.
    {crew} flushed {2..12} km of main in one direction, from the tank to {quay}.
    The flow was {8..40} litres a second, and turbidity fell from {3.1..19.5} to {0.3..1.9} NTU.
    The fire brigade opened a hydrant [too fast|without a call|{weather}], and the telephone rang all evening.
    A cap was missing at the hydrant by the [school|slip|chapel] and came from {elsewhere}.
    {person} hung yellow cards on {20..190} doors the day before.
    An ice pig was tried at {site}; {firm} brought it in a milk tanker.
    The spindle of a hydrant in {street} [broke off|is bent|leaks at the gland].
    Slime came off the plastic main in strips, which {colleague} kept in a jar.
    A dead end behind {street} has been [joined up|flushed each {month}|forgotten on the plan].
    Frost had lifted a hydrant {3..20} cm, and steam was used on it.
    Two bathtubs of water were taken off the bill of the baker in {street}.
    """,
)

SERVICE_PIPES = topic(
    "Service pipes; Lead in old houses; A new connection; Stopcocks; House call",
    """
    A service pipe of [lead|galvanised iron|copper] was dug up in {street}, {site}, by {firm}.
    The first litre drawn by {person} held {2..19} µg/l of lead and the {nth} {0.3..1.9} µg/l.
    {few} houses in {street} were visited, and the pipe in the cellar was [scratched|painted over].
    The owner would rather wait until [the road is dug|his son is home|{month}].
    A stopcock in the pavement [was stuck|sat under a flower tub|served two houses].
    The new connection of the [kindergarten|boat builder|chapel] at {site} is {25..63} mm and {9..80} m long.
    {colleague} thawed a pipe with a welding set {weather}.
    A grant was asked for by {few} owners and [given to one|turned down, as the work was done].
    Pressure at the kitchen tap in {street} was {1.0..3.9} bar at {clock}.
    A backflow valve at the farm by {elsewhere} had been put in the wrong way round.
    {crew} left a card reading {form} in the letter box.
    A tenant of {street} asked whether the water is fit for [the baby|fish|beer], and was sent the analysis.
    """,
)

TOPICS = (MAINS, PUMPS, CHLORINE, FILTERS, RESERVOIRS, FLUSHING, SERVICE_PIPES)
