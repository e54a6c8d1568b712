"""How is a document written as a Markdown file: its source again, without front matter?"""

import re

from eval.corpus.blocks import Block, Code, Heading, ListItems, PageBreak, Paragraph, Row, Source, Table

_BACKTICKS = re.compile(r"`{3,}")


def write_markdown(source: Source) -> bytes:
    """Markdown in UTF-8, a paragraph a line; page breaks leave no trace."""
    parts = [_written(block) for block in source.blocks if not isinstance(block, PageBreak)]
    return ("\n\n".join(parts) + "\n").encode("utf-8")


def _written(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {text}"
        case Paragraph(text):
            return text
        case ListItems(items, ordered, start):
            marks = [f"{number}. " if ordered else "- " for number in range(start, start + len(items))]
            return "\n".join(mark + item for mark, item in zip(marks, items, strict=True))
        case Table(header, rows):
            return "\n".join([_row(header), _row(("---",) * len(header)), *map(_row, rows)])
        case Code(text):
            fence = max(["``", *_BACKTICKS.findall(text)], key=len) + "`"
            return f"{fence}\n{text}\n{fence}"
        case PageBreak():
            return ""


def _row(row: Row) -> str:
    return f"| {' | '.join(row)} |"
