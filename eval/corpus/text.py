"""How does a person type a document as plain text: underlined headings, filled lines, tabs in tables?"""

import textwrap

from eval.corpus.blocks import Block, Code, Heading, ListItems, PageBreak, Paragraph, Source, Table

_COLUMNS = 78
_UNDERLINES = {1: "=", 2: "-", 3: "~", 4: "~"}


def write_text(source: Source) -> bytes:
    """Plain text in UTF-8, lines filled to 78 characters, no word cut; page breaks leave no trace."""
    parts = [_typed(block) for block in source.blocks if not isinstance(block, PageBreak)]
    return ("\n\n".join(parts) + "\n").encode("utf-8")


def _typed(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{text}\n{_UNDERLINES[level] * max(3, len(text))}"
        case Paragraph(text):
            return _filled(text)
        case ListItems(items, ordered, start):
            return "\n".join(
                _filled(item, mark=f"{number}. " if ordered else "- ")
                for number, item in enumerate(items, start)
            )
        case Table():
            return "\n".join("\t".join(row) for row in block.all_rows())
        case Code(text):
            return text
        case PageBreak():
            return ""


def _filled(text: str, *, mark: str = "") -> str:
    return textwrap.fill(
        text,
        _COLUMNS,
        initial_indent=mark,
        subsequent_indent=" " * len(mark),
        break_long_words=False,
        break_on_hyphens=False,
    )
