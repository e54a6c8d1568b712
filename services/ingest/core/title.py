"""What is a document called? The first candidate that is a title, else the file's name made readable."""

import re
from collections.abc import Iterable

from services.ingest.core.document import HEADING, Block
from services.ingest.core.text import one_line, visible

MAX_CHARACTERS = 200
_NUMBERED = re.compile(
    r"(?:\d{1,3}(?:\.\d+)+\.?|\d{1,2}[.):]?|[IVXLC]+[.):]|[A-Za-z][.)]|§+\s*\S+)\s+\S"
    r"|(?:chapter|section|part|appendix|annex|article|kapitel|chapitre)\s+(?:\d|[IVXLC]+\b|[A-Z]\b)",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(r"\.(?:docx?|pdf|tex|dvi|html?|txt|md|rtf|odt|indd|qxd|pptx?|xlsx?)$", re.IGNORECASE)
_EMPTY_WORDS = re.compile(
    r"untitled\b.*|document\s*\d*|title|microsoft word\b.*|slide\s*\d*|new page"
    r"|(?:table of )?contents|index|abstract|introduction|foreword|preface|notes?\W*"
    r"|\W*(?:anonymous|unspecified)\W*",
    re.IGNORECASE,
)


def is_title(text: str) -> bool:
    """False for blank or endless text, a numbered section heading, an address, a file name, a placeholder."""
    words = one_line(text)
    if not visible(words) or len(words) > MAX_CHARACTERS or not any(c.isalpha() for c in words):
        return False
    if "://" in words or _NUMBERED.match(words) or _FILE_NAME.search(words) or _EMPTY_WORDS.fullmatch(words):
        return False
    return not _is_code(words)


def title_of(candidates: Iterable[str], name: str) -> str:
    """The first candidate that is a title, on one line, else the readable stem of the file's name."""
    for candidate in candidates:
        if is_title(candidate):
            return one_line(candidate)
    return readable_stem(name)


def first_headings(blocks: Iterable[Block], text: str, *, max_level: int = 1) -> list[str]:
    """The names of the headings of the top levels, in order; a title is looked for among them."""
    return [
        block.section[-1] if block.section else text[block.start : block.end]
        for block in blocks
        if block.kind == HEADING and block.level <= max_level
    ]


def readable_stem(name: str) -> str:
    """`yearly_report-2020.pdf` -> `Yearly report 2020`."""
    base = re.split(r"[/\\]", name)[-1]
    stem = base.rsplit(".", 1)[0] if "." in base.strip(".") else base
    words = one_line(re.sub(r"[_\-+]+", " ", stem)) or one_line(base) or "Document"
    return words[0].upper() + words[1:]


def _is_code(words: str) -> bool:
    """A single word with a digit in it: SEC-014, RFC2119, 47698."""
    return " " not in words and any(character.isdigit() for character in words)
