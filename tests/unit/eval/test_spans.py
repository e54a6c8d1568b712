"""Is a quote found wherever its words stand, however they are spaced, cased and parted?"""

import pytest

from eval.datasets.spans import (
    Stretch,
    covers,
    line_of,
    occurrences,
    row_occurrences,
    words_of,
)

TEXT = "The tug Havørn pulled 62 tonnes.\nThe tug Alke pulled 58 tonnes."


def found(quote: str, text: str) -> list[str]:
    """What stands at each place."""
    return [text[place.start : place.end] for place in occurrences(quote, words_of(text))]


@pytest.mark.parametrize(
    ("quote", "text", "place"),
    [
        ("pulled 62 tonnes", TEXT, "pulled 62 tonnes"),
        ("pulled 62\n   tonnes", TEXT, "pulled 62 tonnes"),
        ("PULLED 62 Tonnes", TEXT, "pulled 62 tonnes"),
        ("“pulled – 62, tonnes”", TEXT, "pulled 62 tonnes"),
        ("final finding", "a ﬁnal ﬁnding.", "ﬁnal ﬁnding"),
        ("Hafenbecken", "das Hafen\u00adbecken hier", "Hafen\u00adbecken"),
        ("the café of Ørsta", "The cafe\u0301 of Ørsta", "The cafe\u0301 of Ørsta"),
        ("Straße", "an der STRASSE", "STRASSE"),
        ("SEC 047", "see SEC-047.", "SEC-047"),
        ("x tide station", "send X_Tide_Station", "X_Tide_Station"),
        ("２０", "quay 20", "20"),
    ],
)
def test_quote_is_found_by_its_words(quote: str, text: str, place: str) -> None:
    assert found(quote, text) == [place]


@pytest.mark.parametrize("quote", ["pull", "62 tonne", "The tug pulled", "tonnes 62", "Havorn"])
def test_quote_of_other_words_is_not_found(quote: str) -> None:
    assert found(quote, TEXT) == []


def test_every_place_is_found_in_order_overlapping_ones_too() -> None:
    places = occurrences("a b a", words_of("a b a b a"))
    assert places == (Stretch(0, 5), Stretch(4, 9))
    assert found("the tug", TEXT) == ["The tug", "The tug"]


def test_places_are_code_points() -> None:
    text = "🚢🚢 Quay 7"
    assert occurrences("quay 7", words_of(text)) == (Stretch(3, 9),)


def test_word_that_folding_takes_apart_stays_one() -> None:
    assert words_of("½ m").places == (Stretch(0, 1), Stretch(2, 3))
    assert found("½ m", "1 ½ m") == ["½ m"]


def test_quote_without_a_word_is_refused() -> None:
    with pytest.raises(ValueError, match="holds no word"):
        occurrences(" – … ", words_of(TEXT))


def test_row_is_found_with_the_columns_names_between_its_cells() -> None:
    text = "Quay: Quay 7; Depth in dm: 95; Load: 412\nQuay: Quay 8; Depth in dm: 412; Load: 95"
    (place,) = row_occurrences(["Quay 7", "412"], text)
    assert text[place.start : place.end] == "Quay 7; Depth in dm: 95; Load: 412"
    (place,) = row_occurrences(["Quay 8", "95"], text)
    assert text[place.start : place.end] == "Quay 8; Depth in dm: 412; Load: 95"


def test_row_needs_its_cells_in_order_on_one_line() -> None:
    text = "Quay 7 | 412\n9.5 | closed"
    assert row_occurrences(["412", "Quay 7"], text) == ()
    assert row_occurrences(["Quay 7", "9.5"], text) == ()
    assert row_occurrences(["Quay 7", "412", "412"], text) == ()


def test_row_is_found_on_every_line_that_holds_it() -> None:
    text = "id 4, tin\r\nid 5, tin\n"
    assert [text[p.start : p.end] for p in row_occurrences(["id", "tin"], text)] == ["id 4, tin", "id 5, tin"]


def test_cell_is_no_part_of_a_longer_number() -> None:
    assert row_occurrences(["Quay 7", "41"], "Quay 7 | 412") == ()


def test_empty_cells_are_left_out_and_alone_find_nothing() -> None:
    assert row_occurrences(["Quay 7", "", "–", "412"], "Quay 7 | | 412") == (Stretch(0, 14),)
    assert row_occurrences(["", "–"], "Quay 7 | 412") == ()


@pytest.mark.parametrize(
    ("chunk", "held"),
    [
        (Stretch(0, 100), True),
        (Stretch(10, 15), True),
        (Stretch(10, 14), False),
        (Stretch(15, 30), True),
        (Stretch(16, 30), False),
        (Stretch(20, 30), False),
    ],
)
def test_chunk_covers_what_it_holds_half_of(chunk: Stretch, held: bool) -> None:
    assert covers(chunk, [Stretch(10, 20)]) is held


def test_any_place_will_do_and_none_is_covered_by_nothing() -> None:
    places = [Stretch(10, 20), Stretch(50, 60)]
    assert covers(Stretch(48, 70), places)
    assert not covers(Stretch(0, 100), [])
    assert not Stretch(0, 10).holds_half_of(Stretch(5, 5))


def test_line_is_counted_from_one() -> None:
    assert [line_of("a\nb\n\nc", Stretch(at, at + 1)) for at in (0, 2, 5)] == [1, 2, 4]
