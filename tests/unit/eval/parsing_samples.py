"""How do tests say a parse: typed texts in a row, and the file that they come from?"""

from eval.corpus.build import Written
from eval.parsing.tables import Rows
from eval.parsing.view import ParsedBlock, ParsedView

TABLE: Rows = (("Quay", "Depth", "Note"), ("Quay 7", "9.5", ""), ("Quay 8", "11.2", "silted up"))


def view_of(*typed: tuple[str, str]) -> ParsedView:
    """A view whose blocks have these kinds and texts, a blank line apart."""
    text, blocks = "", []
    for kind, words in typed:
        start = len(text) + 2 if text else 0
        text = f"{text}\n\n{words}" if text else words
        blocks.append(ParsedBlock(kind, start, len(text)))
    return ParsedView(text, tuple(blocks))


def written(reference: str, *tables: Rows, name: str = "survey.pdf") -> Written:
    """A file of which only the truth matters."""
    return Written(name, b"", reference, tables)
