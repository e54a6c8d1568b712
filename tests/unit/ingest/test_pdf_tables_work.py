"""Does the work for a page of many rules or areas stay bounded?"""

import pytest

from services.ingest.core.pdf.rules import Rules, Stroke, rules_of
from services.ingest.core.pdf.tables import framed as tables_framed
from services.ingest.core.pdf.tables.framed import framed_tables
from services.ingest.core.pdf.words import Word


def word(text: str, x: float, y: float) -> Word:
    edges = x, y, x + 4.0, y + 6.0
    return Word(text, *edges, 6.0, False, edges, y + 5)


def test_words_tried_do_not_grow_with_the_number_of_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    read = tables_framed._of_bands

    def counted(bands: list[list[list[Word]]], *rest: object) -> object:
        tried.append(sum(len(line) for band in bands for line in band))
        return read(bands, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(tables_framed, "_of_bands", counted)
    words = [word("lock", 5.0 * column, 8.0 * row) for row in range(100) for column in range(100)]
    rules = Rules(
        tuple((8.0 * row - 1 + 0.01 * shift, 0.0, 500.0) for row in range(100) for shift in range(20))
    )
    assert not list(framed_tables(words, rules))
    assert 0 < sum(tried) <= tables_framed._MOST_WORK


def test_areas_of_a_picture_are_no_rules() -> None:
    places = ((4.0 * (at % 140), 4.0 * (at // 140)) for at in range(20_000))
    squares = [Stroke((x, y, x + 5, y + 5), filled=True) for x, y in places]
    assert rules_of(squares, (0, 0, 600, 800)).fills == ()
