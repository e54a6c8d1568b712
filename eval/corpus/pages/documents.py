"""Which generated PDFs are parsers compared on?"""

from eval.corpus.pages.columns import column_documents
from eval.corpus.pages.labels import labelled_documents
from eval.corpus.pages.sheet import GeneratedPdf
from eval.corpus.pages.tabled import tabled_documents


def generated_documents() -> tuple[GeneratedPdf, ...]:
    """All of them, in the order of their names; always the same words at the same places."""
    made = (*column_documents(), *labelled_documents(), *tabled_documents())
    return tuple(sorted(made, key=lambda one: one.document.name))
