"""How does a spreadsheet show a number under its cell's number format?"""

import math
import operator
from functools import lru_cache

from services.ingest.core.formats.xlsx.number_codes import DIGIT, GENERAL, LITERAL, TEXT, Section, sections_of
from services.ingest.core.formats.xlsx.number_dates import date_shown
from services.ingest.core.formats.xlsx.number_digits import general, laid_out

_TEST = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}


@lru_cache(maxsize=8192)
def number_shown(value: float, code: str, *, from_1904: bool = False) -> str:
    """The number as the cell shows it, without the blanks at its ends that only align it.

    Source: ECMA-376 part 1, 18.8.30 and 18.8.31. Names of months and days are English whatever the locale.
    """
    if not math.isfinite(value):
        return "#NUM!"
    if code == "General":
        return _signed(value, general(abs(value)))
    sections = sections_of(code)
    section, bare = _section_for(value, sections)
    if section is None:
        return "#" * 8  # what is shown where no section applies
    if section.is_date:
        shown = date_shown(value, section, from_1904=from_1904)
        return (_signed(value, general(abs(value))) if shown is None else shown).strip()
    if not section.has(DIGIT, GENERAL):
        if section.has(TEXT):
            return _signed(value, general(abs(value)))
        words = "".join(token.text for token in section.tokens if token.kind == LITERAL).strip()
        return words if bare or not words else _signed(value, words)
    shown = laid_out(abs(value), section).strip()
    return shown if bare else _signed(value, shown)


def text_shown(text: str, code: str) -> str:
    """A cell's text under its format: within the section with an @, where there is one."""
    sections = sections_of(code)
    section = sections[3] if len(sections) > 3 else sections[-1]
    if not section.has(TEXT):
        return text
    return "".join(
        text if token.kind == TEXT else token.text if token.kind == LITERAL else ""
        for token in section.tokens
    ).strip()


def _signed(value: float, shown: str) -> str:
    return f"-{shown}" if value < 0 else shown


def _section_for(value: float, sections: tuple[Section, ...]) -> tuple[Section | None, bool]:
    """The section for this number, and whether it is shown without its sign."""
    numeric = sections[:3]
    if len(numeric) > 1 and numeric[-1].has(TEXT) and not numeric[-1].has(DIGIT):
        numeric = numeric[:-1]
    if any(section.condition for section in numeric[:2]):
        return _by_condition(value, numeric)
    if value < 0 and len(numeric) > 1:
        return numeric[1], True
    if value == 0 and len(numeric) > 2:
        return numeric[2], True
    return numeric[0], False


def _by_condition(value: float, sections: tuple[Section, ...]) -> tuple[Section | None, bool]:
    for index, section in enumerate(sections):
        condition = section.condition
        if condition is None and index == 0 and len(sections) > 1:
            condition = (">", 0.0)  # a first section without one keeps the positive numbers
        if condition is None and index == 1 and len(sections) > 2:
            condition = ("<", 0.0)
        test = None if condition is None else _TEST.get(condition[0])
        if condition is None or (test is not None and test(value, condition[1])):
            only_negative = condition is not None and condition[0] in ("<", "<=") and condition[1] <= 0
            return section, only_negative
    return None, False
