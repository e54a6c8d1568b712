"""How does each kind of paper begin, end and head its sections?"""

from dataclasses import dataclass

from eval.corpus.filler_names import parts


@dataclass(frozen=True, slots=True)
class Genre:
    """Patterns of a kind of paper. `monthly` papers put their sections under the months of the year."""

    headings: tuple[str, ...]
    openings: tuple[str, ...]
    closings: tuple[str, ...]
    monthly: bool = False


def _genre(headings: str, openings: str, closings: str, *, monthly: bool = False) -> Genre:
    return Genre(parts(headings), parts(openings), parts(closings), monthly)


LOG = _genre(
    "{heading}, {site}; {site}: {subject}; {clock}, {subject} at {site}; {heading} ({site}, {date})",
    "Written up at {clock} {weather}.; Log kept by {person} at {site}.; {day}, {clock}, {site}, {weather}.",
    "Signed {colleague}, {clock}.; Nothing more until {clock}.; To be looked at again on {date}.",
    monthly=True,
)
ROUND = _genre(
    "Stop {1..40}: {subject}, {site}; {heading} on the round at {site}; {site}, {subject}",
    """Arrived at {site} at {clock} {weather}.; Seen together with {colleague} on {date}.;
    The round reached {site} after {clock}.""",
    "Grade given: {few} of ten.; Photographs {10..900} and {10..900}.; Next look in {month} by {colleague}.",
)
MINUTES = _genre(
    "Item {1..40}: {subject} at {site}; Item {1..40}. {heading}; {heading}: {site} ({date})",
    """{colleague} reported from {site}.; The matter had been put off on {date}.;
    Before the committee lay a note by {person} of {date}.""",
    """The committee took note, and {person} is to report in {month}.; Carried, {3..7} for and one against.;
    Put off until {month}, on the wish of {colleague}.; No vote was taken at {clock}.""",
)
MEMO = _genre(
    "To {reader}: {subject} at {site}; {heading}, memo of {date}; {heading} at {site}",
    """I write because {reader} asked me on {date}.; Short note from {site}, {date}.;
    As agreed on the telephone at {clock}, here is what I know.""",
    """Please answer before {date}.; A copy goes to {reader}.; I leave it to you and {colleague}.;
    Call me at {site} after {clock}.""",
)
SHIFT = _genre(
    "{day} {date}, {site}: {subject}; {heading} on the {clock} shift, {site}; Handover at {site}: {subject}",
    "Took over from {colleague} at {clock}.; Quiet until {clock}.; Manned by {person} and {colleague}.",
    "Handed over to {colleague} at {clock}.; Left for the next shift at {site}.; Off duty {clock}.",
    monthly=True,
)
LETTER = _genre(
    "Your order {order}: {subject}; {heading}, letter of {date}; {firm} on {subject} at {site}",
    """Thank you for your letter of {date} about {site}.; We refer to order {order} and to {person}'s call.;
    Our man has been to {site} and reports as follows.""",
    """With kind regards, {colleague}, {firm}.; We look forward to your answer before {date}.;
    Our offer stands until {date}.""",
)
NEWSLETTER = _genre(
    "{heading}: news from {site}; Heard at {site}: {subject}; {site} in {month}: {subject}",
    "Our man at {site} tells us this.; News reached us from {site} on {date}.; Who was at {site} on {date}?",
    "Photograph: {colleague}.; More in the {month} number.; Write to {colleague} if you know better.",
)
INCIDENT = _genre(
    "Incident of {date}: {subject}; Note {100..990}, {subject} at {site}; {heading}, {site}, {clock}",
    "Reported by {colleague} at {clock}.; Happened at {site} {weather}.; First told on {date} at {clock}.",
    "Closed on {date}.; Measure: talk with {crew} in {month}.; Follow-up by {colleague} before {date}.",
)
REMARKS = _genre(
    "{site}: remarks on {subject}; {heading}, line {10..990}; {heading} at {site}, {month}",
    "Remark by {person} of {date}.; Line {100..990} of the plan.; Asked by the auditor on {date}.",
    "Answered by {colleague} on {date}.; Left over to the next year.; Amount agreed: {money}.",
)
INBOX = _genre(
    "{heading}: a letter from {street}, {site}; From the counter at {site}: {subject}; {heading}, {date}",
    "Received at {site} on {date}.; Telephone call at {clock}, taken by {colleague}.; By mail from {street}.",
    "Answered {date}.; Passed on to {colleague}.; Filed under {form}, {date}.",
)
