"""Which other papers lie in the Board's cupboards: what kind, about what, of which year, in which format?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eval.corpus import filler_harbour as harbour
from eval.corpus import filler_laboratory as laboratory
from eval.corpus import filler_office as office
from eval.corpus import filler_sea as sea
from eval.corpus import filler_staff as staff
from eval.corpus import filler_water as water
from eval.corpus.filler_foreign import FRENCH, GERMAN, NORWEGIAN, PLAIN
from eval.corpus.filler_genres import (
    INBOX,
    INCIDENT,
    LETTER,
    LOG,
    MEMO,
    MINUTES,
    NEWSLETTER,
    REMARKS,
    ROUND,
    SHIFT,
    Genre,
)
from eval.corpus.filler_grammar import Topic


@dataclass(frozen=True, slots=True)
class Paper:
    """One document to be written."""

    title: str
    format: str
    genre: Genre
    topics: Sequence[Topic]
    section_count: int
    has_tables: bool = True

    @property
    def stem(self) -> str:
        """The title as a file name in ASCII."""
        ascii_title = self.title.lower().translate(_ASCII).replace(",", "")
        return "-".join(ascii_title.split())


_ASCII = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa", "é": "e"}
)
_SECTIONS = 47
_FOREIGN_SECTIONS = 24
_FORMATS = ("md", "txt", "html", "txt", "md", "html", "md", "txt", "html", "md", "txt", "html", "docx")
_SUPPLIED = (
    harbour.FENDERS,
    harbour.CRANES,
    water.PUMPS,
    water.FILTERS,
    laboratory.INSTRUMENTS,
    office.PROCUREMENT,
    office.COMPUTERS,
    staff.VEHICLES,
)
_SERIES: tuple[tuple[str, Genre, Sequence[Topic], tuple[int, ...]], ...] = (
    ("Landing log", LOG, harbour.TOPICS, (2010, 2013, 2016)),
    ("Pilot and tug log", LOG, sea.TOPICS, (2009, 2012, 2015, 2018)),
    ("Network day book", LOG, water.TOPICS, (2011, 2014, 2017)),
    ("Shift reports of the watch room", SHIFT, (*sea.TOPICS, *water.TOPICS), (2010, 2013, 2016)),
    ("Shift reports of the pumping stations", SHIFT, water.TOPICS, (2012, 2015, 2018)),
    ("Round of the landings", ROUND, (*harbour.TOPICS, sea.LIGHTS, sea.TIDES), (2009, 2012, 2015, 2018)),
    ("Round of the tanks and works", ROUND, (*water.TOPICS, staff.SAFETY), (2011, 2014, 2017)),
    ("Laboratory notes from the outer networks", ROUND, laboratory.TOPICS, (2010, 2013, 2016)),
    ("Minutes of the landing committee", MINUTES, (*harbour.TOPICS, *office.TOPICS), (2011, 2014, 2017)),
    ("Minutes of the water committee", MINUTES, (*water.TOPICS, *laboratory.TOPICS), (2010, 2013, 2016)),
    ("Memos of the district office", MEMO, (*office.TOPICS, *staff.TOPICS), (2009, 2012, 2015, 2018)),
    ("Letters from suppliers", LETTER, _SUPPLIED, (2011, 2014, 2017)),
    ("News from the landings", NEWSLETTER, (*staff.TOPICS, *sea.TOPICS), (2010, 2012, 2014, 2016)),
    ("Incident notes", INCIDENT, (*sea.TOPICS, staff.ACCIDENTS, staff.SAFETY), (2013, 2015, 2017)),
    ("Budget remarks", REMARKS, office.TOPICS, (2009, 2014, 2018)),
    ("Letters and calls from customers", INBOX, laboratory.TOPICS, (2012, 2015, 2017)),
)


def papers() -> Iterator[Paper]:
    """The papers, always in the same order; no two have one title."""
    number = 0
    for title, genre, topics, years in _SERIES:
        for year in years:
            yield Paper(f"{title}, {year}", _FORMATS[number % len(_FORMATS)], genre, topics, _SECTIONS)
            number += 1
    yield Paper(
        "Betriebstagebuch der Außenwerke, 2014", "txt", PLAIN, (GERMAN,), _FOREIGN_SECTIONS, has_tables=False
    )
    yield Paper("Dagbok fra utstedene, 2016", "md", PLAIN, (NORWEGIAN,), _FOREIGN_SECTIONS, has_tables=False)
    yield Paper(
        "Cahier des branchements, 2011", "html", PLAIN, (FRENCH,), _FOREIGN_SECTIONS, has_tables=False
    )
