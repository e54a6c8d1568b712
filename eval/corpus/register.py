"""What does a register of 120 near-identical sections look like, told apart only by their particulars?"""

from collections.abc import Iterator
from dataclasses import dataclass

from eval.corpus.register_topics import TOPICS, Topic

STEM = "security-section-register"
SECTION_COUNT = 120

OWNERS = (
    "the harbour master",
    "the duty engineer",
    "the head of the water laboratory",
    "the quay supervisor",
    "the control room foreman",
    "the stores manager",
    "the pilotage officer",
    "the works chemist",
    "the deputy port captain",
    "the network surveyor",
    "the safety adviser",
    "the treasurer",
    "the lock superintendent",
)
RETENTION_YEARS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 25, 30)
REVIEW_MONTHS = (3, 4, 6, 8, 9, 12, 15, 18, 24, 30, 36)
TAG_PREFIXES = ("KX", "KV", "HX", "HV", "KH")

INTRODUCTION = """\
This register holds one section for each asset on which the Norrholm Port and Water Board keeps security \
records. Assets are named by their tag alone; the list that joins a tag to a place is sealed and lies with \
the Board's solicitor. Sections on one topic share their wording on purpose, so that an inspector can read \
one and check all; what differs is the owner, the period for which the records are kept, the tag and the \
interval of review. Edition 11 was laid before the Board in January and replaces the loose-leaf binder."""


@dataclass(frozen=True, slots=True)
class Section:
    """One section of the register; `refers_to` is the id of another section, or None."""

    number: int
    topic: Topic
    owner: str
    retention_years: int
    review_months: int
    tag: str
    refers_to: str | None

    @property
    def id(self) -> str:
        return section_id(self.number)

    @property
    def particulars(self) -> str:
        """The one sentence that no other section holds."""
        return self.topic.particulars.format(
            owner=self.owner, years=self.retention_years, months=self.review_months, tag=self.tag
        )

    @property
    def body(self) -> str:
        """The section's single paragraph."""
        sentences = [self.topic.before, self.particulars, self.topic.after]
        if self.refers_to is not None:
            sentences.append(f"Read with {self.refers_to}; where the two differ, {self.refers_to} prevails.")
        return " ".join(sentences)


def section_id(number: int) -> str:
    return f"SEC-{number:03d}"


def sections() -> Iterator[Section]:
    """Yields the sections by number. Sections twelve apart share a topic and none of their particulars.

    The strides are coprime to the lengths of the tables that they walk, which is what keeps the owner, the
    retention and the interval different within a topic, and every tag unique.
    """
    for number in range(1, SECTION_COUNT + 1):
        yield Section(
            number=number,
            topic=TOPICS[(number - 1) % len(TOPICS)],
            owner=OWNERS[number * 5 % len(OWNERS)],
            retention_years=RETENTION_YEARS[number * 7 % len(RETENTION_YEARS)],
            review_months=REVIEW_MONTHS[number * 3 % len(REVIEW_MONTHS)],
            tag=f"{TAG_PREFIXES[number % len(TAG_PREFIXES)]}-{1000 + (number * 7919 + 1234) % 9000}",
            refers_to=_reference(number),
        )


def sources() -> dict[str, str]:
    """Returns the register's Markdown source, front matter and all, under its stem; always the same text."""
    front = '+++\nformat = "docx"\ntitle = "Register of security sections"\n+++'
    blocks = [front, "# Register of security sections", "## About this register", INTRODUCTION]
    for section in sections():
        blocks += [f"## {section.id} {section.topic.title}", section.body]
    return {STEM: "\n\n".join(blocks) + "\n"}


def _reference(number: int) -> str | None:
    """Every fifth section names another of its topic: an id then also occurs where it does not answer."""
    return section_id((number + 35) % SECTION_COUNT + 1) if number % 5 == 3 else None
