"""Does a text give up exactly the figures it states, never a piece of a code, a date or a longer number?"""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.measures.figures import Figure, contains_figure, figures, unsupported_figures, whole_figure


def values(text: str) -> list[str]:
    """Value and unit of each figure, as "1284 EUR"."""
    return [f"{figure.value.normalize():f} {figure.unit}".strip() for figure in figures(text)]


def one(text: str) -> Figure:
    figure = whole_figure(text)
    assert figure is not None
    return figure


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("1,284,600", ["1284600"]),
        ("1 284 600", ["1284600"]),
        ("1\u202f284 and 12\u00a0500,5", ["1284", "12500.5"]),
        ("1.284.600,50 or 1.284,5", ["1284600.5", "1284.5"]),
        ("1'284 or 1’284’600.25", ["1284", "1284600.25"]),
        ("12,84,600", ["1284600"]),
        ("1.284 but 1,284", ["1.284", "1284"]),
        ("0,375 and 4,5", ["0.375", "4.5"]),
        ("Quay 7 412 9.5", ["7", "412", "9.5"]),
        ("412,9.5,2025", ["412", "9.5", "2025"]),
        ("Works,2024-03-05,9,passed", ["9"]),
        ("7.50 and .5", ["7.5", "0.5"]),
    ],
)
def test_separators_are_read(text: str, stated: list[str]) -> None:
    assert values(text) == stated


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("In 2024, 31 tugs came.", ["2024", "31"]),
        ("It was 62.", ["62"]),
        ("It was 62.5. Then 4", ["62.5", "4"]),
        ("(31) [4] “5” 6; 7: 8!", ["31", "4", "5", "6", "7", "8"]),
        ("1,200, of which 3", ["1200", "3"]),
        ("62…", ["62"]),
    ],
)
def test_punctuation_of_the_sentence_is_no_part(text: str, stated: list[str]) -> None:
    assert values(text) == stated


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("4.5 %, 5%", ["4.5 %", "5 %"]),
        ("4.5 per cent, 5 percent, 6 Prozent", ["4.5 %", "5 %", "6 %"]),
        ("an 80 percentage", ["80"]),
        ("$5 and €1,200.50", ["5 USD", "1200.5 EUR"]),
        ("EUR 40, 40 EUR, 40 euros", ["40 EUR", "40 EUR", "40 EUR"]),
        ("NOK 7.9 million", ["7900000 NOK"]),
        ("kr 600, 600 kr, kr600, kr. 600", ["600 kr"] * 4),
        ("500 kr 12 tugs", ["500 kr", "12"]),
        ("£3m, €2k and 3m", ["3000000 GBP", "2000 EUR", "3"]),
        ("1.2 Mio. and 3 billion", ["1200000", "3000000000"]),
        ("US$ 5", ["5 USD"]),
        ("-$5, $-5, −5 °C, +5, - 5", ["-5 USD", "-5 USD", "-5", "5", "5"]),
    ],
)
def test_units_scales_and_signs_are_read(text: str, stated: list[str]) -> None:
    assert values(text) == stated


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("10–20 tonnes, 10-20 tonnes", ["10", "20", "10", "20"]),
        ("10–20 % and 10 to 20 kr", ["10 %", "20 %", "10 kr", "20 kr"]),
        ("1.2–1.4 million", ["1200000", "1400000"]),
        ("$5-$6", ["5 USD", "6 USD"]),
        ("a 120-day stay, a 12-hour watch", ["120", "12"]),
        ("62t, 20kg, 9.5m², 5V, the 15th", ["62", "20", "9.5", "5", "15"]),
        ("60 km/h at 4:x", ["60", "4"]),
    ],
)
def test_ranges_and_attached_units_are_read(text: str, stated: list[str]) -> None:
    assert values(text) == stated


@pytest.mark.parametrize(
    "text",
    [
        *("NL-204", "SEC-047", "E4102", "v1.2.3", "X_5", "4B", "204-NL", "12-B", "A-12-7", "555-1234-5"),
        *("2024-03-05", "05.03.2024", "5/3/2024", "03-05", "12:30", "08:00:15", "4/2026", "24/7"),
        *("4.2.1", "10.0.0.1", "Fig.5", "500.csv", "https://x.org/5", "m3", "CO2", "٣b"),
    ],
)
def test_codes_dates_and_times_are_no_figures(text: str) -> None:
    assert values(f"See {text}, and {text}.") == []


def test_places_hold_sign_scale_and_unit() -> None:
    text = "It rose by −1,200 kr, then NOK 7.9 million; 4 per cent."
    assert [text[f.start : f.end] for f in figures(text)] == ["−1,200 kr", "NOK 7.9 million", "4 per cent"]


@pytest.mark.parametrize(
    ("text", "figure", "held"),
    [
        ("1 284 600 kroner", "1,284,600", True),
        ("1.284.600,00", "1284600", True),
        ("62.0 tonnes", "62", True),
        ("620 and 162 and 6.2", "62", False),
        ("1,284,600", "284", False),
        ("1,284,600", "600", False),
        ("SEC-062 at 06:62", "62", False),
        ("-62", "62", False),
        ("62 million", "62", False),
        ("NOK 62 million", "NOK 62", False),
        ("62 million per cent", "62 %", False),
        ("62", "62 million", False),
        ("62,000,000", "62 million", True),
        ("4.5 per cent", "4.5 %", True),
        ("4.5 metres", "4.5 %", False),
        ("share (%) | 4.5", "4.5 %", True),
        ("80 % of 4.5 metres", "4.5 %", False),
        ("4.5 %", "4.5", True),
        ("$40", "€40", False),
        ("cost in EUR: 40", "€40", True),
        ("40 NOK", "kr 40", True),
        ("40 NOK", "SEK 40", False),
        ("price_kr: 1.42", "1.42 kr", True),
    ],
)
def test_contains_figure(text: str, figure: str, held: bool) -> None:
    assert contains_figure(text, one(figure)) is held


@pytest.mark.parametrize(
    ("text", "figure", "held"),
    [
        ("62 million", "62", True),
        ("NOK 62 million", "62", True),
        ("NOK 62 million", "NOK 62", False),
        ("620 million", "62", False),
    ],
)
def test_plain_figure_before_a_scale_is_found_where_that_will_do(text: str, figure: str, held: bool) -> None:
    assert contains_figure(text, one(figure), unscaled=True) is held


def test_figure_is_not_supported_by_the_same_digits_before_a_scale() -> None:
    assert [f.value for f in unsupported_figures("It was NOK 62.", "It was NOK 62 million.")] == [62]
    assert [f.value for f in unsupported_figures("There were 62.", "There were 62 million.")] == [62]
    assert unsupported_figures("It was NOK 62,000,000.", "It was NOK 62 million.") == []


def test_unsupported_figures_are_those_of_the_claim_alone() -> None:
    passage = "Three tugs of 62 tonnes cost 1,284,600 kr in 2024 (NL-204)."
    assert unsupported_figures("In 2024 the 3 tugs cost kr 1 284 600; see NL-999.", passage) == []
    missing = unsupported_figures("In 2025 the 204 tugs cost $1,284,600.", passage)
    assert [f"{f.value} {f.unit}".strip() for f in missing] == ["2025", "204", "1284600 USD"]


@pytest.mark.parametrize("text", ["62 tonnes", "NL-204", "5 6", "", "12:30"])
def test_only_a_figure_alone_is_a_whole_one(text: str) -> None:
    assert whole_figure(text) is None


NUMBERS = st.decimals(min_value=0, max_value=10**9, places=2)
STYLES = (
    lambda n: f"{n:,.2f}",
    lambda n: f"{n:,.2f}".replace(",", "\u202f"),
    lambda n: f"{n:,.2f}".replace(",", "’"),
    lambda n: f"{n:.2f}",
    lambda n: f"{n:,.2f}".replace(",", "_").replace(".", ",").replace("_", "."),
)


@given(NUMBERS, st.sampled_from(STYLES), st.sampled_from([" tugs", "", ".", ", and", "!", ")", " %", " kr"]))
def test_a_number_is_read_whole_however_written(number: Decimal, style: object, after: str) -> None:
    assert callable(style)
    text = f"It was {style(number)}{after}"
    assert [figure.value for figure in figures(text)] == [number]


@given(st.integers(1000, 10**9), st.integers(0, 999))
def test_no_figure_is_found_inside_a_longer_one(number: int, part: int) -> None:
    assert contains_figure(f"{number:,} tugs", one(str(part))) is False


@given(st.from_regex(r"[A-Z]{1,3}[-_]?[0-9]{1,6}(-[0-9]{1,3})?", fullmatch=True))
def test_codes_never_give_figures(code: str) -> None:
    assert figures(f"The {code} is here.") == []


@given(st.dates(), st.times())
def test_dates_and_times_in_digits_never_give_figures(date: object, time: object) -> None:
    assert figures(f"On {date} at {time}, and {str(date).replace('-', '.')}.") == []


@given(st.text(st.sampled_from("0123456789.,'’-–−:/ %$€krEURA\u00a0x\n(٣²"), max_size=30))
def test_figures_stand_in_order_inside_the_text_and_support_themselves(text: str) -> None:
    found = figures(text)
    places = [at for figure in found for at in (figure.start, figure.end)]
    assert places == sorted(places)
    assert all(
        0 <= f.start < f.end <= len(text) and any(ch.isdigit() for ch in text[f.start : f.end]) for f in found
    )
    assert unsupported_figures(text, text) == []
