"""Regions, lines, letters and words: what is made of the networks' numbers, without the networks."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from services.ingest.core.ocr.ctc import spelled
from services.ingest.core.ocr.detection import detected_lines, detector_input
from services.ingest.core.ocr.frame import Frame, shrunk
from services.ingest.core.ocr.ink import ink_of, type_of, widest_blank
from services.ingest.core.ocr.line import spotted_words
from services.ingest.core.ocr.page import read_picture
from services.ingest.core.ocr.regions import runs_above
from services.ingest.core.ocr.sizes import settled
from services.ingest.core.pdf.words import PageWords, Word
from tests.unit.ingest.ocr_reading import ALPHABET, FakeModels, certain


def drawn(rows: str) -> NDArray[np.float32]:
    """A map from lines of dots and crosses."""
    return np.array([[cell == "x" for cell in row] for row in rows.split()], dtype=np.float32)


def word(size: float, text: str = "word") -> Word:
    return Word(text, 0, 0, 10, size, size, False, (0, 0, 10, size))


def page(*words: Word, recognised: bool) -> PageWords:
    return PageWords(1, 100, 100, 100, words, (), recognised, None, recognised=recognised)


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        (". . .", 0),
        ("xx.xx ..... xxxxx", 3),
        ("x...x x...x xxxxx", 1),  # joined at the bottom only
        ("xxxxx x...x x...x", 1),
        ("x.x .x. x.x", 1),  # corners touch
        ("x..x ....  x..x", 4),
        ("x.x.x xxxxx x.x.x", 1),
    ],
)
def test_runs_above_joins_what_touches(rows: str, count: int) -> None:
    assert runs_above(drawn(rows), 0.5).count == count


def test_runs_above_weighs_each_run_by_its_values() -> None:
    runs = runs_above(np.array([[0.6, 0.8, 0.0], [0.0, 0.0, 0.9]], dtype=np.float32), 0.5)
    assert runs.weight == pytest.approx([1.4, 0.9])
    assert list(runs.region) == [0, 0]


def test_detected_lines_cover_regions_with_a_margin_and_leave_specks_out() -> None:
    probability = np.zeros((64, 128), dtype=np.float32)
    probability[20:28, 10:110] = 1
    probability[50, 50] = 1
    (line,) = detected_lines(probability, (128, 256)).lines
    x0, top, x1, bottom = line
    assert 0 < x0 < 20
    assert 220 < x1 < 240
    assert 20 < top < 40
    assert 56 < bottom < 76


@pytest.mark.parametrize("degrees", [-3.0, 0.0, 0.5, 5.0])
def test_detected_lines_are_level_in_the_frame_of_a_tilted_page(degrees: float) -> None:
    slope = math.tan(math.radians(degrees))
    rows, columns = np.mgrid[0:400, 0:600]
    probability = np.zeros((400, 600), dtype=np.float32)
    for at in (100, 200, 300):
        level = rows - at - (columns - 300) * slope
        probability[(abs(level) < 6) & (columns > 60) & (columns < 540)] = 1
    detected = detected_lines(probability, (400, 600))
    assert math.degrees(detected.frame.angle) == pytest.approx(degrees, abs=0.1)
    assert len(detected.lines) == 3
    for (_, top, _, bottom), at in zip(detected.lines, (100, 200, 300), strict=True):
        assert (top + bottom) / 2 == pytest.approx(at, abs=2)
        assert bottom - top < 40


def test_detected_lines_of_an_empty_map_are_none() -> None:
    assert detected_lines(np.zeros((32, 32), dtype=np.float32), (320, 320)).lines == ()


def test_detector_input_is_small_and_of_even_sides() -> None:
    shape = detector_input(np.full((2339, 1654), 255, dtype=np.uint8)).shape
    assert shape == (1, 3, 1280, 896)


def test_shrunk_keeps_the_mean_of_every_area() -> None:
    page = np.arange(30, dtype=np.uint8).reshape(5, 6)
    assert shrunk(page, (5, 6)) == pytest.approx(page)
    assert shrunk(page, (2, 3)).mean() == pytest.approx(page.mean())
    assert shrunk(page, (1, 1))[0, 0] == pytest.approx(page.mean())


def test_frame_cuts_a_level_picture_out_of_a_tilted_page() -> None:
    angle = math.radians(10)
    rows, columns = np.mgrid[0:200, 0:200]
    page = np.where(abs(rows - 100 - (columns - 100) * math.tan(angle)) < 4, 0, 255).astype(np.uint8)
    picture = Frame(angle, 100, 100).cut(page, (40, 80, 160, 120), (40, 120))
    assert picture[20].max() < 30
    assert min(picture[5].min(), picture[35].min()) > 225


def test_spelled_drops_blanks_and_repeats_and_places_what_is_left() -> None:
    line = spelled(certain("ab ba"), ALPHABET)
    assert (line.text, line.confidence) == ("ab ba", 1.0)
    assert line.middles == pytest.approx([1.5 / 11, 3.5 / 11, 5.5 / 11, 7.5 / 11, 9.5 / 11])
    twice = np.repeat(certain("aa"), 3, axis=0)
    assert spelled(twice, ALPHABET).text == "aa"
    assert spelled(np.eye(3, dtype=np.float32)[[0, 0]], ALPHABET).confidence == 0.0


def test_ink_is_the_rarer_side_whichever_is_darker() -> None:
    picture = np.full((10, 40), 250, dtype=np.float32)
    picture[3:6, 5:9] = 20
    for one in (picture, 255 - picture):
        assert np.argwhere(ink_of(one)).tolist() == [[row, at] for row in (3, 4, 5) for at in range(5, 9)]


@pytest.mark.parametrize(
    ("text", "rise", "fall"),
    [("Hall", 0.71, 0.0), ("sea", 0.52, 0.0), ("Quay", 0.71, 0.21), ("港湾", 0.84, 0.10)],
)
def test_type_of_a_line_comes_from_what_its_letters_reach(text: str, rise: float, fall: float) -> None:
    ink = np.zeros((60, 100), dtype=np.bool_)
    ink[round(40 - 30 * rise) : round(40 + 30 * fall), 10:40] = True
    ink[55:57, 10:20] = True  # of the line below
    found = type_of(ink, text)
    assert found.size == pytest.approx(30, rel=0.05)
    assert found.baseline == pytest.approx(40, abs=1)


def test_type_of_a_line_without_ink_is_most_of_its_height() -> None:
    assert type_of(np.zeros((50, 9), dtype=np.bool_), "a").size == 40


def test_widest_blank_is_the_longest_gap_or_the_middle_of_none() -> None:
    columns = np.array([cell == "x" for cell in "xx.xxx....xxx"])
    assert widest_blank(columns, 0, 13) == (6, 10)
    assert widest_blank(columns, 3, 6) == (4, 4)


def test_spotted_words_end_where_their_ink_does() -> None:
    picture = np.full((48, 110), 255, dtype=np.float32)
    for x in (12, 34, 78, 98):  # in the middle of the steps of "ab ab", the third of them a space
        picture[10:40, x - 4 : x + 4] = 0
    words = spotted_words(picture, spelled(certain("ab ab"), ALPHABET))
    assert [(each.text, each.x0, each.x1) for each in words] == [("ab", 8, 38), ("ab", 74, 102)]
    assert all(each.top < 10 and each.bottom > 40 for each in words)


def test_spotted_words_part_at_a_gap_that_was_read_as_none() -> None:
    picture = np.full((48, 240), 255, dtype=np.float32)
    picture[10:40, 60:80] = 0
    picture[10:40, 160:180] = 0
    words = spotted_words(picture, spelled(certain("ab"), ALPHABET))
    assert [(each.text, each.x0, each.x1) for each in words] == [("a", 60, 80), ("b", 160, 180)]


def test_read_picture_gives_words_in_points_and_drops_what_is_uncertain() -> None:
    picture = np.full((400, 600), 255, dtype=np.uint8)
    picture[100:130, 50:250] = 0
    (found,) = read_picture(picture, FakeModels("ab"), points_per_pixel=0.5)
    assert found.text == "ab"
    assert found.shown == pytest.approx((found.x0, found.top, found.x1, found.bottom))
    assert (found.x0, found.x1) == pytest.approx((25, 125), abs=3)
    assert found.top < 65 < found.bottom
    assert read_picture(picture, FakeModels(""), points_per_pixel=0.5) == []


def test_settled_gives_recognised_words_the_common_size_near_theirs() -> None:
    text = page(word(9.9), recognised=False)
    scan = page(word(10.0, "a long word"), word(9.7), word(10.4), word(14.2, "heading"), recognised=True)
    kept, read = settled([text, scan])
    assert kept is text
    assert [each.size for each in read.words] == [10.0, 10.0, 10.0, 14.2]
