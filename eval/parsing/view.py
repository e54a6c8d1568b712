"""What does a parser say of a file, whichever parser it is: one text, typed spans of it, pages?"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

FURNITURE = "furniture"
HEADING = "heading"
LIST_ITEM = "list_item"
TABLE = "table"


class Refused(Exception):
    """A file that the parser under test would not read; the message is the reason that it gave."""


@dataclass(frozen=True, slots=True)
class ParsedBlock:
    """A typed stretch of the text, half-open, in code points; pages count from 1."""

    kind: str
    start: int
    end: int
    level: int = 0
    page_number: int | None = None


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A page with its label, and what is printed on it; empty where the parser tells neither."""

    number: int
    label: str
    scanned: bool = False
    printed_label: str = ""


@dataclass(frozen=True, slots=True)
class ParsedView:
    """A parsed file. Without blocks the whole text counts as one paragraph.

    `attachments` names the files in it that became documents of their own.
    """

    text: str
    blocks: tuple[ParsedBlock, ...] = ()
    pages: tuple[ParsedPage, ...] = ()
    title: str = ""
    warnings: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()

    def parts(self) -> tuple[ParsedBlock, ...]:
        """The blocks that are text of the document rather than furniture of its pages."""
        blocks = self.blocks or (ParsedBlock("paragraph", 0, len(self.text)),)
        return tuple(block for block in blocks if block.kind != FURNITURE)

    def text_of(self, block: ParsedBlock) -> str:
        """What a block says."""
        return self.text[block.start : block.end]

    def page_text(self, number: int) -> str:
        """Everything on a page, furniture included, a block a line."""
        return "\n".join(self.text_of(block) for block in self.blocks if block.page_number == number)


def view_from_json(document: Mapping[str, Any], text: str, blocks: Iterable[Mapping[str, Any]]) -> ParsedView:
    """The view of a document object of the gateway, its canonical text and its blocks."""
    return ParsedView(
        text,
        tuple(
            ParsedBlock(block["kind"], block["start"], block["end"], block["level"], block["page_number"])
            for block in blocks
        ),
        tuple(
            ParsedPage(page["number"], page["label"], page["scanned"], page.get("printed_label", ""))
            for page in document["pages"]
        ),
        document.get("title") or "",
        tuple(document["warnings"]),
    )
