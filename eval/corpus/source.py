"""How is a document's source read: TOML front matter, then a Markdown subset, every slip named by line?"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from eval.corpus.blocks import (
    Block,
    Code,
    Heading,
    Layout,
    ListItems,
    PageBreak,
    Paragraph,
    Row,
    Source,
    Table,
)

_FENCE = "+++"
_PAGE_BREAK = re.compile(r"<!--\s*page\s*-->")
_DEEPEST_HEADING = 4
_NEEDED = ("format", "title")
_LAYOUT = {  # what each key of the layout means something for
    "columns": ("pdf",),
    "page_labels": ("pdf",),
    "header": ("pdf", "docx", "html"),
    "footer": ("pdf", "docx", "html"),
}
FORMATS = ("pdf", "docx", "html", "md", "txt")
_MAX_COLUMNS = 2


def parse_source(stem: str, text: str) -> Source:
    """The document that a Markdown source describes.

    Raises ValueError, naming the document and the line, for front matter or Markdown outside the subset:
    headings of levels 1 to 4, paragraphs, flat lists, tables with a header row, fenced code and
    `<!-- page -->`; no inline markup of any kind.
    """
    lines = text.split("\n")
    if lines[0].rstrip() != _FENCE:
        raise ValueError(f"{stem}, line 1: no front matter between {_FENCE} lines")
    closing = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), None)
    if closing is None:
        raise ValueError(f"{stem}, line 1: the front matter is not closed by {_FENCE}")
    front = _front_matter(stem, "\n".join(lines[1:closing]))
    reader = _BodyReader(stem, first_line=closing + 2, format=front["format"])
    blocks = tuple(reader.blocks("\n".join(lines[closing + 1 :])))
    if not any(isinstance(block, Heading) for block in blocks):
        raise ValueError(f"{stem}, line {closing + 2}: the document has no heading")
    layout = Layout(**{key: value for key, value in front.items() if key in _LAYOUT})
    return Source(stem, front["format"], front["title"], layout, blocks)


def _front_matter(stem: str, text: str) -> Mapping[str, Any]:
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{stem}, front matter: {error} (counted from the line after {_FENCE})") from error
    for key in _NEEDED:
        if not values.get(key):
            raise ValueError(f"{stem}, front matter: no {key}")
    if values["format"] not in FORMATS:
        raise ValueError(f"{stem}, front matter: format {values['format']!r} is none of {', '.join(FORMATS)}")
    for key, value in values.items():
        if key not in _NEEDED and values["format"] not in _LAYOUT.get(key, ()):
            raise ValueError(f"{stem}, front matter: {key!r} means nothing for format {values['format']!r}")
        if key != "columns" and not isinstance(value, str):
            raise ValueError(f"{stem}, front matter: {key} is no string")
    columns = values.get("columns", 1)
    if type(columns) is not int or not 1 <= columns <= _MAX_COLUMNS:
        raise ValueError(f"{stem}, front matter: columns is {columns!r}, not 1 or {_MAX_COLUMNS}")
    return values


class _BodyReader:
    """Reads one body; knows which document and line to name when it must refuse."""

    def __init__(self, stem: str, *, first_line: int, format: str) -> None:
        self._stem = stem
        self._first_line = first_line
        self._is_pdf = format == "pdf"
        self._lines: list[str] = []
        self._parser = MarkdownIt("commonmark").enable("table")

    def blocks(self, body: str) -> Iterator[Block]:
        self._lines = body.split("\n")
        environment: dict[str, Any] = {}
        tokens = self._parser.parse(body, environment)
        for definition in environment.get("references", {}).values():
            place = Token("definition", "", 0, map=definition["map"])
            raise self._refusal(place, "a link definition ([x]: address) is outside the subset")
        position = 0
        while position < len(tokens):
            opening = tokens[position]
            end = _closing(tokens, position)
            yield self._block(opening, tokens[position + 1 : end])
            position = end + 1

    def _block(self, opening: Token, inner: list[Token]) -> Block:
        match opening.type:
            case "heading_open":
                return self._heading(opening, inner)
            case "paragraph_open":
                return Paragraph(self._plain(inner[0], opening))
            case "bullet_list_open" | "ordered_list_open":
                return self._list(opening, inner)
            case "table_open":
                return self._table(opening, inner)
            case "fence":
                return Code(self._printable(opening.content.rstrip("\n"), opening))
            case "html_block" if _PAGE_BREAK.fullmatch(opening.content.strip()):
                return PageBreak()
        raise self._refusal(opening, f"{opening.type.removesuffix('_open')} is outside the subset")

    def _heading(self, opening: Token, inner: list[Token]) -> Heading:
        level = int(opening.tag[1:])
        if not opening.markup.startswith("#") or level > _DEEPEST_HEADING:
            raise self._refusal(opening, f"a heading is written with # to {'#' * _DEEPEST_HEADING}")
        return Heading(level, self._plain(inner[0], opening))

    def _list(self, opening: Token, inner: list[Token]) -> ListItems:
        items: list[str] = []
        for token in inner:
            if token.type == "inline":
                items.append(self._plain(token, token))
            elif token.type not in ("list_item_open", "list_item_close", "paragraph_open", "paragraph_close"):
                raise self._refusal(token, "a list is flat and its items are one paragraph each")
        if len(items) != sum(token.type == "list_item_open" for token in inner):
            raise self._refusal(opening, "each list item is one paragraph")
        ordered = opening.type == "ordered_list_open"
        return ListItems(tuple(items), ordered, int(opening.attrs.get("start", 1)) if ordered else 1)

    def _table(self, opening: Token, inner: list[Token]) -> Table:
        rows: list[Row] = []
        cells: list[str] = []
        row, row_line = opening, ""
        for token in inner:
            if token.type == "tr_open" and token.map:
                row, row_line = token, self._lines[token.map[0]].strip().removeprefix("|").removesuffix("|")
            elif token.type == "inline":
                cells.append(self._cell(token, opening))
            elif token.type == "tr_close":
                if row_line.count("|") != len(cells) - 1:
                    raise self._refusal(row, f"{row_line.count('|') + 1} cells under {len(cells)} headings")
                rows.append(tuple(cells))
                cells = []
        if len(rows) < 2:
            raise self._refusal(opening, "a table has a header row and at least one more")
        return Table(rows[0], tuple(rows[1:]))

    def _cell(self, inline: Token, opening: Token) -> str:
        text = self._plain(inline, inline if inline.map else opening, may_be_empty=True)
        if "|" in text:
            raise self._refusal(inline if inline.map else opening, "a cell holds no |")
        return text

    def _plain(self, inline: Token, place: Token, *, may_be_empty: bool = False) -> str:
        """The text of a line of text; raises for inline markup."""
        pieces: list[str] = []
        for child in inline.children or ():
            if child.type not in ("text", "softbreak"):
                raise self._refusal(place, f"inline markup ({child.type}) is outside the subset")
            pieces.append(" " if child.type == "softbreak" else child.content)
        text = " ".join("".join(pieces).split())
        if not text and not may_be_empty:
            raise self._refusal(place, "nothing is written here")
        if text != " ".join(inline.content.split()):
            raise self._refusal(place, "backslash escapes and entities are outside the subset")
        return self._printable(text, place)

    def _printable(self, text: str, place: Token) -> str:
        """`text`; raises when a PDF's fonts (Windows code page 1252) lack one of its characters."""
        if self._is_pdf:
            try:
                text.encode("cp1252")
            except UnicodeEncodeError as error:
                character = text[error.start]
                raise self._refusal(place, f"{character!r} is not in the fonts of a PDF") from error
        return text

    def _refusal(self, token: Token, reason: str) -> ValueError:
        line = self._first_line + token.map[0] if token.map else self._first_line
        return ValueError(f"{self._stem}, line {line}: {reason}")


def _closing(tokens: list[Token], position: int) -> int:
    """The index of the token that closes the block at `position`, which may be that token itself."""
    if tokens[position].nesting == 0:
        return position
    level = tokens[position].level
    return next(
        number
        for number in range(position + 1, len(tokens))
        if tokens[number].nesting == -1 and tokens[number].level == level
    )
