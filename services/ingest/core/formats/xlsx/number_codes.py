"""What does a number format code say? Its sections, each a row of tokens (ECMA-376 part 1, 18.8.31)."""

import re
from dataclasses import dataclass
from functools import lru_cache

LITERAL = "literal"
DIGIT = "digit"  # one of 0 # ?
POINT = "point"
COMMA = "comma"
PERCENT = "percent"
EXPONENT = "exponent"  # E+ or E-
SLASH = "slash"
DATE = "date"  # a run of y, m, d, h, s or e
ELAPSED = "elapsed"  # a run of h, m or s in brackets
HALF_DAY = "half day"  # AM/PM or A/P
TEXT = "text"
GENERAL = "general"
_MAX_CODE_CHARACTERS = 500  # Excel itself stores no more than 255

_TOKEN = re.compile(
    r"""(?P<quoted>"[^"]*"?)|(?P<escaped>\\.)|(?P<space>_.)|(?P<fill>\*.)
    |\[(?P<elapsed>h+|m+|s+)\]|\[(?P<condition>[<>=]{1,2})(?P<limit>-?[\d.]+(?:E[-+]?\d+)?)\]
    |\[\$(?P<currency>[^\]-]*)(?:-[^\]]*)?\]|(?P<bracket>\[[^\]]*\])
    |(?P<general>general)|(?P<half>am/pm|a/p)|(?P<exponent>e[-+])|(?P<date>y+|m+|d+|h+|s+|e+)
    |(?P<digit>[0#?])|(?P<point>\.)|(?P<comma>,)|(?P<percent>%)|(?P<slash>/)|(?P<text>@)|(?P<end>;)
    |(?P<other>.)""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_PLAIN = {
    "digit": DIGIT, "point": POINT, "comma": COMMA, "percent": PERCENT, "slash": SLASH, "text": TEXT,
    "exponent": EXPONENT, "date": DATE, "elapsed": ELAPSED, "half": HALF_DAY, "general": GENERAL,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """One sign of a format code; `text` is what it shows, or the run of letters that it is."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Plain:
    """A section that is one run of digits between literals, as nearly all are."""

    before: str
    after: str
    least_digits: int  # before the point, filled up with zeros
    decimals: int
    grouped: bool
    power: int  # of ten, to multiply by


@dataclass(frozen=True, slots=True)
class Section:
    """One of the up to four parts of a code; the condition, as (operator, limit), where one is written."""

    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None
    kinds: frozenset[str]
    plain: Plain | None

    def has(self, *kinds: str) -> bool:
        return not self.kinds.isdisjoint(kinds)

    @property
    def is_date(self) -> bool:
        return self.has(DATE, ELAPSED, HALF_DAY)


@lru_cache(maxsize=4096)
def sections_of(code: str) -> tuple[Section, ...]:
    """The sections of a code, at least one; never fails, as any other character shows itself."""
    sections: list[Section] = []
    tokens: list[Token] = []
    condition: tuple[str, float] | None = None
    for found in _TOKEN.finditer(code[:_MAX_CODE_CHARACTERS]):
        which = found.lastgroup or ""
        if which == "end":
            sections.append(_section(tokens, condition))
            tokens, condition = [], None
        elif which == "limit":
            condition = _condition(found["condition"], found["limit"])
        else:
            token = _token(which, found)
            if token is not None:
                tokens.append(token)
    return (*sections, _section(tokens, condition))


def is_date_code(code: str) -> bool:
    """Whether numbers under this code are shown as dates or times."""
    return sections_of(code)[0].is_date


def _token(which: str, found: re.Match[str]) -> Token | None:
    if which in _PLAIN:
        return Token(_PLAIN[which], found[which])
    if which == "quoted":
        return Token(LITERAL, found["quoted"].strip('"'))
    if which == "escaped":
        return Token(LITERAL, found["escaped"][1])
    if which == "space":  # as wide as the character that follows: a blank
        return Token(LITERAL, " ")
    if which in ("currency", "other"):
        return Token(LITERAL, found[which])
    return None  # colours, calendars and padding


def _condition(operator: str, limit: str) -> tuple[str, float] | None:
    try:
        return operator, float(limit)
    except ValueError:
        return None


_PLAIN_SHAPE = re.compile(r"l*(?P<whole>#*(?:#,##)?#*0*)(?P<tail>,*)(?P<point>\.0+)?[l%]*")
_GROUPED_SHAPE = re.compile(r"#,##[0#]")
_SIGNS = {LITERAL: "l", POINT: ".", COMMA: ",", PERCENT: "%"}


def _section(tokens: list[Token], condition: tuple[str, float] | None) -> Section:
    kinds = frozenset(token.kind for token in tokens)
    return Section(tuple(tokens), condition, kinds, _plain(tokens))


def _plain(tokens: list[Token]) -> Plain | None:
    shape = "".join(token.text if token.kind == DIGIT else _SIGNS.get(token.kind, "x") for token in tokens)
    found = _PLAIN_SHAPE.fullmatch(shape)
    if found is None or (found["tail"] and found["point"]) or not found["whole"]:
        return None
    grouped = "," in found["whole"]
    if grouped and not _GROUPED_SHAPE.fullmatch(found["whole"]):
        return None
    return Plain(
        "".join(token.text for token in tokens[: found.start("whole")]),
        "".join(
            token.text for token in tokens[found.end("point") if found["point"] else found.end("tail") :]
        ),
        found["whole"].count("0"),
        len(found["point"] or ".") - 1,
        grouped,
        2 * shape.count("%") - 3 * len(found["tail"]),
    )
