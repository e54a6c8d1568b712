"""Which twelve topics does the register of near-identical sections rotate through?"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """A title and a paragraph in three parts: only `particulars` differs between sections of a topic.

    `particulars` holds the fields {owner}, {years}, {months} and {tag}.
    """

    title: str
    before: str
    particulars: str
    after: str


TOPICS = (
    Topic(
        "Access control",
        "Doors and gates on this asset open to a named card and never to a shared one. A card that has been "
        "reported lost is blocked within the hour, and the block is written in the day book with the name "
        "of the person who asked for it.",
        "Access lists for {tag} are signed off by {owner}, kept for {years} years and gone through every "
        "{months} months.",
        "Cards of people who have left are punched and returned in a sealed envelope. A door found wedged "
        "open is reported as an event of the second grade, whoever wedged it.",
    ),
    Topic(
        "Backup of control data",
        "Set points, ladder diagrams and trend files are copied at night to a disk that is unplugged by day. "
        "A copy counts only once it has been read back on a machine that did not write it.",
        "For {tag} the copies answer to {owner}, stay on the shelf for {years} years and are put through a "
        "trial restore every {months} months.",
        "A restore that fails is repeated from the copy before it, and both disks are set aside. Nobody "
        "takes a disk home, and no copy travels in the same van as its original.",
    ),
    Topic(
        "Alarm tests",
        "Horns, strobes and the line to the duty telephone are tried together, with the tide bell silenced "
        "so that the two are not mistaken. Neighbours are told two days ahead by a card through the door.",
        "The test sheets of {tag} belong to {owner}, are held for {years} years and have their wording "
        "renewed every {months} months.",
        "A sounder that stays silent is marked with yellow tape until it is mended. Two silent sounders in "
        "one row mean that the building is walked by a watchman each night.",
    ),
    Topic(
        "Key custody",
        "Keys hang in a steel cabinet behind a counter that is staffed day and night. Whoever draws a key "
        "writes the time, the reason and a telephone number, and brings it back before the shift ends.",
        "Custody of the keys to {tag} rests with {owner}, the key books go back {years} years, and the whole "
        "ring is counted every {months} months.",
        "A key not returned by the end of the shift is treated as lost, and the lock is changed at the cost "
        "of the department that drew it. Copies are cut only on a written order.",
    ),
    Topic(
        "Calibration certificates",
        "No reading is used for billing or for a discharge return unless the instrument carried a valid "
        "certificate on the day. Certificates are filed by serial number and not by maker.",
        "Certificates for {tag} are filed by {owner}, remain on file for {years} years and are compared with "
        "the instrument list every {months} months.",
        "An instrument that drifts beyond its tolerance is withdrawn on the spot, and the readings since its "
        "last good check are marked doubtful. The mark is lifted only by a second laboratory.",
    ),
    Topic(
        "Chemical store records",
        "Each delivery is weighed, sniffed for leaks and entered before the lorry leaves the yard. Acids and "
        "hypochlorite never share a bund, and the floor drain between them stays plugged.",
        "The ledger of {tag} is written up by {owner}, lives in the fireproof chest for {years} years and is "
        "reconciled with the stock every {months} months.",
        "A difference of more than one drum is reported the same day. Empty drums are rinsed three times, "
        "pierced and stacked on the seaward side, and the count of them is entered in red.",
    ),
    Topic(
        "Contractor permits",
        "Nobody from outside starts work before the permit is signed at both ends, and a permit covers one "
        "task on one day. Hot work needs a second signature and a watch of an hour afterwards.",
        "Permits issued against {tag} are collected by {owner}, archived for {years} years and sampled for "
        "faults every {months} months.",
        "A permit found open the next morning stops all work by that firm until its foreman has called at "
        "the office. Permits in pencil are void, and so are permits filled in after the event.",
    ),
    Topic(
        "Radio logs",
        "Working channels are recorded without a break, and the operator keeps a paper log beside the "
        "recording for what is said face to face. Times are in local time with the offset written once a "
        "watch.",
        "Recordings made at {tag} are released by {owner} only, are preserved for {years} years and are "
        "listened to for quality every {months} months.",
        "A gap of more than ten minutes is explained on the sheet. Private talk that strays onto a channel "
        "is not copied out, though it is never cut from the recording either.",
    ),
    Topic(
        "Inspection photographs",
        "Photographs are taken from the same painted marks each time, with a staff in the picture for scale. "
        "The first frame of every set shows the date board and the face of the person who holds it.",
        "Pictures of {tag} are approved by {owner}, archived for {years} years and laid beside the earlier "
        "set every {months} months.",
        "A frame that is blurred is kept and marked, so that the numbering has no holes. Pictures in which a "
        "crew member can be recognised are not lent to newspapers.",
    ),
    Topic(
        "Crane and hoist papers",
        "Test loads, rope changes and limit switch trials go on one sheet for each machine, in the order in "
        "which they were done. A sheet that is full is closed with a double line and two initials.",
        "The papers of {tag} are in the charge of {owner}, may be weeded after {years} years and are checked "
        "against the machine plate every {months} months.",
        "A rope with more broken wires than the plate allows is cut into lengths that cannot be used again. "
        "The offcuts are weighed, and the weight is written beside the change.",
    ),
    Topic(
        "Spare parts ledger",
        "Parts that would stop a pump or a gate for longer than a day are held in pairs, greased and "
        "wrapped. Issue is against a job number, and a part that comes back unused returns to the "
        "bottom of the pile.",
        "Stock held for {tag} is answered for by {owner}, its ledger pages are retained for {years} years "
        "and the shelf is counted every {months} months.",
        "Rubber is thrown away on its date whether it was used or not. A part made in our own workshop "
        "carries a drawing number and the initials of the turner.",
    ),
    Topic(
        "Incident reports",
        "Whoever sees it writes it, on the day, in plain words and without naming a culprit. Sketches are "
        "welcome, guesses are marked as guesses, and the weather is noted from the mast and not from memory.",
        "Reports that concern {tag} go to {owner}, are stored for {years} years and are summed up for the "
        "Board every {months} months.",
        "A near miss is written up like an accident. A report is never rewritten; what turns out to be wrong "
        "is put right on a second sheet, which is pinned to the first.",
    ),
)
