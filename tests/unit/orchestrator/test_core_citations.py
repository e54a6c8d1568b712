"""Is a marker whole when it is shown, whatever the stream's pieces, and does its citation quote exactly?"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.orchestrator.core.assembly import Passage
from services.orchestrator.core.citations import (
    CitationStream,
    citation_of,
    citation_to_json,
    citations_of,
    without_markers,
)
from tests.unit.orchestrator.engine_fakes import TEXTS, bare, with_text

PASSAGES = [Passage(n, with_text(bare(i)), 9) for n, i in enumerate(("chk_a", "chk_b", "chk_c"), start=1)]


def streamed(pieces: list[str], highest: int = 3) -> tuple[str, CitationStream]:
    markers = CitationStream(highest)
    return "".join(markers.feed(p) for p in pieces) + markers.finish(), markers


@pytest.mark.parametrize(
    ("text", "shown", "cited", "dropped"),
    [
        ("Kept [1].", "Kept [1].", (1,), ()),
        ("Kept [1, 3] and [2][1].", "Kept [1][3] and [2][1].", (1, 3, 2), ()),
        ("Kept [9].", "Kept.", (), (9,)),
        ("Kept [1; 9].", "Kept [1].", (1,), (9,)),
        ("Kept [0].", "Kept.", (), (0,)),
        ("Kept 【2】.", "Kept [2].", (2,), ()),
        ("Kept [not one] [1a] [ ].", "Kept [not one] [1a] [ ].", (), ()),
        ("Kept [1", "Kept", (), ()),
        ("Kept [", "Kept", (), ()),
        ("In 2020 [2020] it was.", "In 2020 it was.", (), (2020,)),
    ],
)
def test_markers_are_settled(text: str, shown: str, cited: tuple[int, ...], dropped: tuple[int, ...]) -> None:
    whole, markers = streamed([text])
    assert (whole, markers.cited, markers.dropped) == (shown, cited, dropped)


@given(st.text(st.sampled_from("ab .[]【】1239,; \n"), max_size=40), st.data())
def test_pieces_of_the_stream_make_no_difference(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    markers = CitationStream(3)
    so_far = ""
    for piece in pieces:
        so_far += markers.feed(piece)
        assert all(1 <= int(n) <= 3 for n in re.findall(r"\[(\d+)\]", so_far))
    assert so_far + markers.finish() == streamed([text])[0]


def test_text_that_cannot_become_a_marker_is_shown_at_once() -> None:
    markers = CitationStream(3)
    assert markers.feed("They are kept") == "They are kept"
    assert markers.feed(" [1") == ""
    assert markers.feed("x] and") == " [1x] and"


def test_citation_quotes_its_span_exactly() -> None:
    citation = citation_of(2, PASSAGES[0].candidate, 8, 15)
    assert citation.quote == TEXTS["chk_a"][8:15]
    body = citation_to_json(citation)
    assert (body["start"], body["end"]) == (108, 115)
    assert body["section"] == ["A"]
    assert body["inferred"] is False


@pytest.mark.parametrize(("start", "end"), [(5, 5), (-1, 3), (0, 10_000)])
def test_citation_outside_of_its_passage_is_an_error(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="citation 1"):
        citation_of(1, PASSAGES[0].candidate, start, end)


def test_citations_resolve_in_order_of_number_and_once_each() -> None:
    found = citations_of([3, 1, 3, 7], PASSAGES)
    assert [(c.n, c.quote) for c in found] == [(1, TEXTS["chk_a"]), (3, TEXTS["chk_c"])]


def test_references_of_the_source_do_not_pass_for_ours() -> None:
    assert without_markers("as shown [12] and [3, 4] in arr[i]") == "as shown (12) and (3, 4) in arr[i]"
