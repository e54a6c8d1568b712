"""By what does a line say that a record begins? A date, or a number or code with the words before it."""

import re
from dataclasses import dataclass
from itertools import chain

_MONTHS = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "januari februari mars april maj juni juli augusti september oktober november desember",
)
MONTHS = {name: number for names in _MONTHS for number, name in enumerate(names.split(), start=1)}
_MONTH = "(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_DATES = (
    r"(?P<iso>\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2})?)?",
    r"(?P<dotted>\d{1,2}\.\d{1,2}\.\d{2,4})",
    r"(?P<slashed>\d{1,4}/\d{1,2}/\d{1,4})",
    rf"(?P<day_first>\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?{_MONTH}(?:,?\s+\d{{4}})?)",
    rf"(?P<month_first>{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}})?)",
    rf"(?P<month_only>{_MONTH}\s+\d{{4}})",
)
_NUMBERED = (
    r"(?P<code>[^\W\d_]{1,10}[-_/]?(?:\d{2,4}[-/])?\d{1,6})(?![\w.,]*\d)",  # SEC-014, INC-2024-17, LM3
    r"(?P<number>(?:[#№]\s?|no\.?\s|nr\.?\s)?\d{1,7})(?![\w]|[.,]\d)",
)
_MARK = re.compile(rf"(?:\b|(?<=\s)|^)(?:{'|'.join((*_DATES, *_NUMBERED))})", re.IGNORECASE)
_OPENING = re.compile(r"^[\s#*_>\[(|=~`–—-]+")
_MAX_WORDS = 4
_MAX_CHARACTERS = 200  # of the words before a mark and the mark
_LONG_NUMBER = 4
# What numbers the parts of one text, rather than things of a kind.
_PARTS_OF_TEXT = (
    "chapter section part appendix annex figure fig table equation page volume step",
    "kapitel abschnitt teil anhang abbildung tabelle seite",
    "chapitre partie annexe tableau",
)
_STRUCTURAL = frozenset(chain.from_iterable(names.split() for names in _PARTS_OF_TEXT))

_DAYS = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun",
    "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
)
_WEEKDAYS = frozenset(chain.from_iterable(names.split() for names in _DAYS))


@dataclass(frozen=True, slots=True)
class Mark:
    """What opens a record: the pattern that others share, which one it is, where in the line it ends.

    `value` orders it among them; None where that cannot be told.
    """

    pattern: str
    value: tuple[int, ...] | None
    key: str
    end: int


def mark_of(line: str) -> Mark | None:
    """The mark that a line begins with, after at most four words ("Meeting of 3 May"); None without one."""
    opening = _OPENING.match(line)
    start = opening.end() if opening else 0
    found = _MARK.search(line, start, start + _MAX_CHARACTERS)
    if found is None:
        return None
    before = line[start : found.start()].split()
    if len(before) > _MAX_WORDS or any(not _plain(word) for word in before):
        return None
    words = [word.casefold().strip(".,") for word in before]
    kind = found.lastgroup or ""
    marked = found.group(kind)
    if kind == "code":
        letters = marked[: re.search(r"[-_/\d]", marked).start()]  # type: ignore[union-attr]
        words.append(letters.casefold() + "-#")
        if not any(character in "-_/" for character in marked) and not letters.isupper():
            return None  # a word with digits behind it is a name, as in "python3"
    elif kind == "number":
        bare = marked.isdigit()
        if bare and not words and len(marked) < _LONG_NUMBER:
            return None  # "3 Results" numbers a section
        if words and words[-1] in _STRUCTURAL:
            return None
        words.append("#")
    else:
        words = [word for word in words if word not in _WEEKDAYS]
        words.append("date")
    return Mark(" ".join(words), _value(kind, marked), marked.casefold(), found.end())


def _plain(word: str) -> bool:
    return word.strip(".,:()").replace("-", "").isalpha()


def _value(kind: str, marked: str) -> tuple[int, ...] | None:
    numbers = [int(digits) for digits in re.findall(r"\d+", marked)]
    if kind in ("iso", "code", "number"):
        return tuple(numbers)
    if kind == "dotted":
        return tuple(reversed(numbers))
    if kind == "slashed":
        return None  # day or month first: who knows
    month = next(MONTHS[word] for word in re.findall(r"[^\W\d_]+", marked.casefold()) if word in MONTHS)
    if kind == "month_only":
        return (numbers[0], month)
    return (numbers[1] if len(numbers) > 1 else 0, month, numbers[0])
