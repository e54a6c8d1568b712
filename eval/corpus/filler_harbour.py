"""What is written about quays, ships and the sea at the Board's outlying landings?"""

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
    """,
)

TUGS = topic(
    "Tug work; Towage; A tug's log; Assisting a ship; Tug engines",
    """
    {tug} [made fast|took the stern line|pushed on the quarter] when {ship} left {site} at {clock}.
    The tow from {elsewhere} to {site} took {few} hours {weather}.
    Her [port|starboard] engine ran {10..40} degrees hotter than the other, and {person} slowed her down.
    A towline of {40..64} mm [parted near the eye|chafed in the fairlead|was condemned] on {date}.
    {tug} was at {site} for {few} days while {tug} lay on the slip.
    The bollard pull was not measured this time; the gauge [was ashore|stood at {elsewhere}|had no battery].
    Fuel taken on board was {2..19},{100..900} litres, and the filters were changed under way.
    {colleague} relieved {person} as mate in the [first|second|last] week of {month}.
    The winch brake [slipped|squealed|held] under load, and {firm} has been asked to look at its lining.
    No charge was made, since {ship} had [ordered the tug for the day before|waited {few} hours for the tide].
    """,
)

PILOTS = topic(
    "Pilot service; Boarding ground; Pilot boat; Waiting for a pilot; A ship taken in by pilot",
    """
    The pilot boarded {ship} {2..9} cables off {site} at {clock} {weather}.
    {boat} lay at {site} with [a fouled propeller|a cracked windscreen|her crew at a course] until {date}.
    [The ladder was rigged on the wrong side|The ladder lacked a step|The lee was good].
    {ship} had to wait {few} hours because [no pilot was free|the pilot had been sent to {elsewhere}].
    {person} writes that the marks at {site} are [hard to see against the houses|good by day only].
    The under-keel clearance was [thought ample|less than the master liked] on the ebb.
    {colleague} sailed along as a pupil and [steered in the straight reach|kept the log].
    Visibility fell to {2..9} cables, and the ship [turned back|anchored in the bay|went on at slow speed].
    The docket was handed in at {elsewhere} [with the wrong draught|a day late|without a signature].
    From {site} the pilot [went home by bus|was fetched by {boat}|stayed on board to the next port].
    """,
)

LIGHTS = topic(
    "Lights and marks; A light out; Lamp changes; Beacon round; Buoys",
    """
    The light {light} at {site} was [reported out|seen flickering|shown a fixed white] by {ship} on {date}.
    {crew} changed the [lamp|battery|photocell|sun panel] and cleaned the lens {weather}.
    The [green|red|yellow] buoy off {site} had [dragged {20..190} m|lost its topmark|filled with water].
    A notice was sent [the same evening|two days later|by radio only] and withdrawn on {date}.
    Birds had [nested behind the lantern|fouled the panel], and spikes were put up along the rail.
    {person} rowed out from {elsewhere}, since {boat} was away.
    The tower wants [two coats of paint|a new ladder|a handrail]; {firm} has given a price of {money}.
    Range was checked from {quay} and [found as listed|a mile short of the list].
    Spare lamps are down to {few}; {9..40} are on order under {order}.
    The character was [one second slow|right to the tenth of a second] when timed by {colleague}.
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
    """,
)

TOPICS = (FENDERS, TUGS, PILOTS, LIGHTS, STORM)
