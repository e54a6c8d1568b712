"""What is written about ships, marks, tides and weather around the Board's outlying landings?"""

from eval.corpus.filler_grammar import topic

TUGS = topic(
    "Tug work; Towage; A tug's log; Assisting a ship; Tug engines",
    """
    {tug} [made fast|took the stern line|pushed on the quarter] when {ship} left {site} at {clock}.
    The tow from {elsewhere} to {site} took {few} hours {weather}.
    Her [port|starboard] engine ran {10..40} degrees hotter than the other, and {person} slowed her down.
    A towline of {40..64} mm [parted near the eye|chafed in the fairlead|was condemned] on {date}.
    {tug} was at {site} for {few} days while another tug lay on the slip.
    The bollard pull was not measured; the gauge [was ashore|stood at {elsewhere}|had no battery].
    She took {2..19},{100..900} litres of oil on board, and the filters were changed under way.
    {colleague} relieved {person} as mate in the [first|second|last] week of {month}.
    The winch brake [slipped|squealed|held] under load, and {firm} has been asked to look at its lining.
    No charge was made, since {ship} had [ordered the tug a day early|waited {few} hours for the tide].
    The fire pump was run for {5..25} minutes and threw water over the [mole|net shed|master's car].
    {tug} used {90..310} litres an hour on the way to {elsewhere}, by the dip stick.
    The crew slept {few} hours in {quay}'s lee before the next order.
    """,
)

PILOTS = topic(
    "Pilot service; Boarding ground; Pilot boat; Waiting for a pilot; A ship taken in by pilot",
    """
    The pilot boarded {ship} {2..9} cables off {site} at {clock} {weather}.
    {boat} lay at {site} with [a fouled propeller|a cracked windscreen|her crew at a course] until {date}.
    [The ladder was rigged on the wrong side|The ladder lacked a step|The lee was good], writes {colleague}.
    {ship} had to wait {few} hours because [no pilot was free|the pilot had been sent to {elsewhere}].
    {person} writes that the marks at {site} are [hard to see against the houses|good by day only].
    The clearance under the keel of {ship} was [thought ample|less than the master liked] on the ebb.
    {colleague} sailed along as a pupil and [steered in the straight reach|kept the log] past {elsewhere}.
    Visibility fell to {2..9} cables, and the ship [turned back|anchored in the bay|went on at slow speed].
    The docket of {date} was handed in [with the wrong draught|a day late|without a signature].
    From {site} the pilot [went home by bus|was fetched by {boat}|stayed on board to the next port].
    A draught of {3.1..7.9} m was given by radio and {3.1..7.9} m read at the stem.
    The master of {ship} spoke [no English|with a toothache|little], so hands were used.
    Current at the turn was guessed at {2..4} knots by {person}.
    """,
)

LIGHTS = topic(
    "Lights and marks; A light out; Lamp changes; Beacon round; Buoys",
    """
    The light {light} at {site} was [reported out|seen flickering|shown a fixed white] by {ship} on {date}.
    {crew} changed the [lamp|battery|photocell|sun panel] of {light} and cleaned the lens {weather}.
    The [green|red|yellow] buoy off {site} had [dragged {20..190} m|lost its topmark|filled with water].
    A notice about {light} was sent [the same evening|two days later|by radio only] and withdrawn on {date}.
    Birds had [nested behind the lantern|fouled the panel], and spikes were put up along the rail at {site}.
    {person} rowed out from {elsewhere}, since {boat} was away.
    The tower wants [two coats of paint|a new ladder|a handrail]; {firm} has given a price of {money}.
    Range of {light} was checked from {quay} and found [as listed|a mile short of the list].
    Spare lamps are down to {few}; {9..40} are on order under {order}.
    The character of {light} was [one second slow|right to the tenth of a second] when timed by {colleague}.
    The leading marks at {site} [stand in line again|are hidden by a new house|were painted white].
    A battery of {12..90} ampere hours was carried up {40..170} steps by {crew}.
    {light} burned by day for {few} days because the photocell was [painted over|full of salt].
    """,
)

STORM = topic(
    "After the storm; Gale; High water; Storm watch; Damage by wind and sea",
    """
    Gusts of {23..41} m/s were measured at {site} in the night to {date}.
    {ship} [doubled her lines|was sent to anchor|parted {few} lines] before midnight.
    The sea stood {10..95} cm over {quay} and [floated the fish boxes|wet the floor of the shed].
    {crew} kept watch from {clock} and [read the gauge every half hour|walked the mole on a rope].
    Loose [planks|containers|nets] had been lashed the day before on {person}'s word.
    The power was gone for {few} hours, and the [emergency set|hand pump|spare battery] did its duty.
    [Stones the size of a chair|Weed and sand|Half a jetty] lay on the road to {elsewhere} in the morning.
    The damage is put at {money} and has been [reported to the insurer|photographed|entered in the book].
    Nobody was hurt, though {colleague} [was knocked down by a door|lost the lamp overboard].
    Of the sandbags, {20..90} were used at {site}; the rest stay [stacked in the boat shed|on the lorry].
    The forecast had spoken of {17..29} m/s, and {person} had kept the boards in the store.
    The barometer fell {8..30} hPa in {few} hours at {elsewhere}.
    {tug} lay with steam up, as {colleague} still calls it, until {clock}.
    Radio was lost at {clock}, so a boy ran with slips between {quay} and the office.
    """,
)

TIDES = topic(
    "Tide gauge; Sea level; Gauge hut; Readings and gaps; The float and the staff",
    """
    The gauge {gauge} at {site} [stuck at {0.40..1.90} m|lost its clock|sent zeros] from {date} to {date}.
    Staff and float differed by {1..12} cm when {person} read both {weather}.
    {firm} replaced the [float wire|modem|pressure cell] and set the zero anew against the brass bolt.
    A gap of {few} hours in the series has been [left open|filled by hand|filled from {elsewhere}].
    High water came {5..50} minutes later than the table says, which {colleague} puts down to the wind.
    The well of the gauge had silted up, and {crew} [flushed it with a hose|sent a boy down].
    A program at the university asked for the readings {20..95} times in one minute and was shut out.
    The paper roll ran out on {day}, so the pen wrote on the drum.
    {gauge} reports in feet since the change, as nobody set the unit.
    The battery in the hut at {site} fell to {9.8..12.4} volts in the frost.
    The key to the readings was mailed to the wrong address and withdrawn by {person}.
    A surge of {0.15..0.75} m was seen at {site} and {few} cm less at {elsewhere}.
    """,
)

DIVERS = topic(
    "Divers; Under water; Dive log; Work below the quay; Hull and propeller",
    """
    {few} dives were made at {quay}, {site}, the longest of {20..75} minutes.
    Visibility under water was {1..6} m, and the diver [felt his way|took photographs|saw nothing].
    A rope {3..15} m long was cut from the propeller of {boat}.
    {firm} sent {few} men and a van {weather}.
    The diver found [a bicycle|an anchor of {90..800} kg|a car door|old shot] beside the wall.
    {person} held the line, and {colleague} kept the times.
    Mussels on the intake of {site} were scraped off, {10..90} kg by the scale.
    Work stopped when {ship} started her thruster without a word to anybody.
    The hole in the wall is {10..60} cm wide and [goes in an arm's length|ends at clay].
    Suits were rinsed at {elsewhere}, where the water is warm.
    The dive planned for {date} fell out because of [current|a cold|a missing flag].
    The camera was flooded at {4..17} m, and {money} has been asked of the insurer.
    """,
)

OIL = topic(
    "Oil on the water; Bunkering; Hoses; The tank at the landing; Booms and absorbents",
    """
    A film of oil {20..300} m long was seen off {site} at {clock} on {date}.
    {ship} had spilled some {5..180} litres while [bunkering|pumping her bilge|changing a filter].
    {crew} laid out {30..150} m of boom {weather} and took it in next day.
    The hose at {quay} was tested to {6..15} bar by {firm} and [held|wept at the flange].
    {person} used {few} bags of bark and {10..60} absorbent mats.
    The tank at {site} holds {4..30} m³ and was dipped by {colleague} in {month}.
    The drip tray was full of rain, which went over {few} times before.
    A sample of the oil went to {elsewhere}, where nobody could say whose it was.
    The master of {ship} denied it and signed all the same.
    The coast guard was told by telephone and asked for form {form}.
    Gloves and mats filled {few} barrels, fetched by {firm} for {money}.
    Ducks were washed at the school in {street} with the children's soap.
    """,
)

TOPICS = (TUGS, PILOTS, LIGHTS, STORM, TIDES, DIVERS, OIL)
