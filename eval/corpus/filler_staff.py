"""What is written about work, pay, safety and people at the Board's outlying landings?"""

from eval.corpus.filler_grammar import topic

TRAINING = topic(
    "Course; Training day; Drill; Certificates; First weeks of a new employee",
    """
    Course {course} was held at {site} on {date} with {5..22} people from {few} crews.
    {person} taught the [first aid|rope work|gas mask|fire watch|forklift] part and ran over by an hour.
    {few} failed the written paper of {course} and [sat it again in {month}|were let off].
    The drill on {quay} began at {clock} {weather}.
    A dummy was [lifted from the water in {3..14} minutes|dropped on the steps] at {site}.
    {few} from {elsewhere} did not come, because [the ferry was cancelled|their shift had been moved].
    Certificates for {course} were sent [to the wrong site|by {firm}|with a spelling mistake] on {date}.
    {colleague} would rather have [fewer slides|more time in the boat|a course in the dark] next time.
    Lunch came from the school kitchen and cost {money} in all.
    The next run of {course} is [not fixed|put off until the crane is back|to be held at {elsewhere}].
    Marks ran from {31..55} to {81..99}, and {person} had the second best.
    The smoke of the drill drifted into {street}, where {few} people rang the brigade.
    """,
)

LEAVE = topic(
    "Leave and shifts; Rota; Sick leave; Summer cover; Hours and swaps",
    """
    {person} had leave from {date} to {date}, and {colleague} stood in at {site}.
    The rota of {site} lacked a name for {few} nights in {month}.
    {few} of the crew at {elsewhere} were [down with a cold|at a funeral|on a course] on the same day.
    Overtime at {site} came to {12..190} hours, most of it [after the burst main|for the ice].
    A swap of shifts between {person} and {colleague} was [agreed by telephone|refused] on {date}.
    Summer help was found in {elsewhere}: {few} pupils, one with a boatmaster's paper.
    {colleague} is home with a sick child and reads the meters by telephone.
    {few} days left over from the year before were asked for by {person} and [granted|denied] in {month}.
    The night before {date} nobody came, as both lists were valid.
    A doctor's note from {elsewhere} arrived after {person} was well again.
    The army takes {colleague} away from {site} until {month}.
    Rest between two shifts was {few} hours after the storm, which the union has written about.
    """,
)

PAY = topic(
    "Pay and hours; Pay slip; Allowances asked for; Union matters; Travel claims",
    """
    The pay slip of {month} lacked the [Sunday hours|boat days|call-outs], so {person} wrote from {site}.
    {colleague} was paid {money} too much and gives it back in {few} parts.
    The union at {site} asked for [dry gloves|a second heater|a longer table], and got it on {date}.
    {person} claims {40..390} kilometres by own car from {site} to {elsewhere}, {few} of them doubtful.
    Work in the sewer at {site} was written as height, and {few} hours were moved.
    The talks at {elsewhere} broke up at {clock} without a word about {month}.
    A call-out on {date} lasted {few} hours and was entered by {colleague} as one.
    {person} would be put a grade up, if the letter from {month} can be found.
    Divers' helpers at {site} got {money} for {few} dives in frost.
    A hotel in {elsewhere} sent its bill to {firm}, who paid it.
    Time sheets from {site} came {few} days late, signed by nobody.
    The watch for long service went to {person}, engraved with the wrong initials.
    """,
)

SAFETY = topic(
    "Permits and hot work; Safety round; Helmets and vests; Confined space; Contractors on site",
    """
    Permit {permit} for welding at {quay} was [left open overnight|signed by {person}|found in a puddle].
    {firm} worked at {site} with {few} men, one of them without a helmet.
    The tank at {elsewhere} was aired for {20..90} minutes, and the meter read {19.1..20.9} % oxygen.
    {colleague} kept the fire watch until {clock} {weather}.
    The scaffold in {street} leaned {4..30} cm and was taken down by {crew}.
    Speed on {quay} was measured by {person}: {18..46} km/h for the bread van.
    A gas bottle stood unchained in the shed at {site} beside {few} empty ones.
    {few} vests were handed out on {date}, and one has come back.
    The digger of {firm} touched a cable {30..80} cm under {street}.
    {permit} was stretched by a day, with both signatures.
    The eye wash at {site} ran brown, then clear after {2..9} minutes.
    The safety round of {month} noted {few} loose gratings and a blocked door.
    """,
)

ACCIDENTS = topic(
    "Accident; Near miss; A fall; First aid; Man overboard",
    """
    {person} slipped on the steps of {quay} at {clock} and hurt a [knee|wrist|shoulder].
    A shackle fell {3..14} m and missed {colleague} by an arm's length.
    {crew} stopped the bleeding, and the ambulance came after {12..55} minutes.
    The man overboard at {site} was in the water for {2..11} minutes {weather}.
    A line from {ship} snapped back and broke the window of the crane.
    {colleague} breathed chlorine in the store at {elsewhere} and was kept in hospital overnight.
    A burn from the steam lance was cooled under tap {few} and needed nothing more.
    The report of {date} lacks the [time|light|name of the witness].
    {person} was back at work after {few} days, on light duty at {site}.
    The first aid box was short of {few} bandages, and plaster was bought in {street}.
    The near miss with the forklift on {day} was told at coffee and written down by {colleague}.
    The inspector came to {site} on {date} and left without a remark.
    """,
)

CANTEEN = topic(
    "Canteen; Working clothes; Cleaning; The office building; Heating and furniture",
    """
    The canteen at {site} served {20..140} meals a day in {month}, fish on most of them.
    {person} wants boots in size {36..48}, which {firm} has not had since {date}.
    The boiler at {site} burned {90..900} litres and went out {few} times.
    {colleague} found {few} mugs from {elsewhere} and has sent them home.
    Rain came through above the desk of {person} {weather}.
    The fridge was emptied on {day}, against the wish of {crew}.
    Jackets for {site} came with another Board's name on the back.
    The floor was waxed by {firm}, and {few} people fell.
    A sofa for the watch room came to {money} and does not fit the stairs.
    The coffee fund of {site} is {20..390} kr in debt to {colleague}.
    Window cleaning at {elsewhere} is put off until the gulls have moved.
    The clock in the hall has been {2..20} minutes slow since {month}.
    """,
)

STAFF = topic(
    "New on the crew; Farewell; A post advertised; People and news; Portrait",
    """
    {person} came to {site} in {month} from a shipyard in {elsewhere} and knows diesel.
    {colleague} goes on pension after {18..41} years, {few} of them on {boat}.
    {few} people applied for the post at {site}, and {person} was heard twice.
    The post of fitter at {elsewhere} was advertised again on {date} with one word changed.
    {person} plays the tuba and sells {few} kinds of honey at the landing.
    The new foreman of {site} is {colleague}, who led the flushing gang before.
    A cake for {person} was eaten by {crew} before the speech.
    {colleague} married in {month} and is now harder to find in the list.
    {person} got the county's diploma for pulling a child from the basin at {quay}.
    Probation of {colleague} ended on {date} with a handshake.
    The choir of {site} sings on {day} at {clock}, pilots welcome.
    {person} studied in {elsewhere} and wrote about [tides|rust|cod].
    """,
)

VEHICLES = topic(
    "Vehicles; The van; Workboat repair; Fuel and mileage; Winter tyres and trailers",
    """
    The van of {site} has run {41..298},{100..990} km and needs a [clutch|door|battery].
    {person} backed into a post on {quay} at {clock}, with {few} witnesses.
    {boat} was on the slip at {elsewhere} from {date} for [zinc|paint|a new shaft].
    Fuel was written down in {month} as {90..890} litres, the mileage not at all.
    The trailer lost a wheel on the road to {elsewhere} {weather}.
    {firm} lends a car until {date}, an electric one, which {crew} enjoys.
    Tyres with studs were put on in {month}, {few} weeks too early.
    A parking fine from {street} lies on {colleague}'s desk.
    {boat} burned {30..140} litres an hour against the wind, {person} reckons.
    The lorry is sold for {money}, with the crane and without papers.
    The battery of the launch was flat {few} times, and a charger was bought.
    {colleague} washed the bus after the school trip to {site}.
    """,
)

TOPICS = (TRAINING, LEAVE, PAY, SAFETY, ACCIDENTS, CANTEEN, STAFF, VEHICLES)
