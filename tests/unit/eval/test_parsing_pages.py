"""Do the generated PDFs say what their truth says, alike every time?"""

import io
from collections import Counter
from pathlib import Path

import pdfplumber
import pypdfium2
import pytest

from eval.corpus.pages.documents import generated_documents
from eval.corpus.pages.lines import Line, Style, broken
from eval.corpus.pages.sheet import GeneratedPdf
from eval.corpus.pages.welds import TAUGHT, WELDED, welded_documents
from eval.parsing.words import words_of

NARROW = 60.0


@pytest.fixture(scope="module")
def pdfs() -> dict[str, GeneratedPdf]:
    return {pdf.document.name: pdf for pdf in generated_documents()}


def text_of(pdf: GeneratedPdf) -> str:
    with pdfplumber.open(io.BytesIO(pdf.document.data)) as opened:
        return "\n".join(page.extract_text() for page in opened.pages)


def test_there_are_thirty_documents_and_a_hundred_pages(pdfs: dict[str, GeneratedPdf]) -> None:
    assert len(pdfs) >= 30
    assert sum(pdf.pages for pdf in pdfs.values()) >= 100
    assert {pdf.kind for pdf in pdfs.values()} == {"columns", "tables", "labels"}


def test_same_documents_have_the_same_bytes(pdfs: dict[str, GeneratedPdf]) -> None:
    again = {pdf.document.name: pdf.document.data for pdf in generated_documents()}
    assert again == {name: pdf.document.data for name, pdf in pdfs.items()}


def test_pages_are_as_many_as_told(pdfs: dict[str, GeneratedPdf]) -> None:
    for name, pdf in pdfs.items():
        with pypdfium2.PdfDocument(pdf.document.data) as opened:
            assert len(opened) == pdf.pages, name


@pytest.mark.parametrize("name", ["columns-plain.pdf", "tables-merged.pdf", "labels-tree-roman.pdf"])
def test_every_word_of_the_truth_is_on_the_pages(name: str, pdfs: dict[str, GeneratedPdf]) -> None:
    shown = set(words_of(text_of(pdfs[name])))
    assert [word for word in words_of(pdfs[name].document.reference) if word not in shown] == []


def test_words_of_hyphenated_columns_are_cut_on_the_pages_and_whole_in_the_truth(
    pdfs: dict[str, GeneratedPdf],
) -> None:
    pdf = pdfs["columns-hyphens.pdf"]
    shown, told = Counter(words_of(text_of(pdf))), Counter(words_of(pdf.document.reference))
    assert (told - shown).total() > 20
    assert not any(word.endswith("-") for word in told)


def test_labels_are_those_of_the_files_tree(pdfs: dict[str, GeneratedPdf]) -> None:
    for pdf in pdfs.values():
        with pypdfium2.PdfDocument(pdf.document.data) as opened:
            labels = tuple(opened.get_page_label(number) for number in range(len(opened)))
        assert labels == (pdf.tree_labels or ("",) * pdf.pages), pdf.document.name


def test_printed_labels_stand_on_their_pages(pdfs: dict[str, GeneratedPdf]) -> None:
    disagreeing = pdfs["labels-disagree-code.pdf"]
    assert disagreeing.tree_labels[0] == "1"
    with pdfplumber.open(io.BytesIO(disagreeing.document.data)) as opened:
        for page, label in zip(opened.pages, disagreeing.printed_labels, strict=True):
            assert label in page.extract_text().split()


def test_merged_cell_is_told_once(pdfs: dict[str, GeneratedPdf]) -> None:
    rows = pdfs["tables-merged.pdf"].document.tables[0]
    assert [bool(row[1]) for row in rows[1:4]] == [True, False, False]
    assert {len(row) for row in rows} == {5}


def test_line_is_no_wider_than_its_measure_unless_one_word_is() -> None:
    style = Style(hyphenated=False)
    assert broken("a be incomprehensibilities see", NARROW, style) == [
        Line(("a", "be"), last=False),
        Line(("incomprehensibilities",), last=False),
        Line(("see",), last=True),
    ]


def test_word_is_cut_before_a_consonant_and_a_compound_at_its_hyphen() -> None:
    style = Style(hyphenated=True)
    cut = broken("the harbourmasters", NARROW, style)[0]
    assert cut.cut
    assert cut.words[1][:-1] == "harbourmasters"[: len(cut.words[1]) - 1]
    assert broken("the rear-leaning", 55.0, style)[0].words == ("the", "rear-")


def test_welds_are_written_once_and_their_words_are_taught() -> None:
    documents, welds = welded_documents()
    texts = {document.name: document.reference for document in documents}
    taught = set(words_of(texts[TAUGHT]))
    assert len(welds) == len({weld.parts for weld in welds}) >= 100
    for weld in welds:
        assert texts[WELDED].count(f": {weld.written}, ") == 1
        assert set(weld.parts) <= taught
        assert weld.written not in taught
    assert not {part for weld in welds for part in weld.parts} & set(words_of(texts[WELDED]))


def test_generated_documents_are_no_golden_ones(repository: Path, pdfs: dict[str, GeneratedPdf]) -> None:
    golden = {path.stem for path in (repository / "eval/suites/golden/documents").iterdir()}
    assert not golden & {name.removesuffix(".pdf") for name in pdfs}
