"""Are numbers, dates and times shown as a spreadsheet shows them under each kind of format code?"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.ingest.core.formats.xlsx.number_codes import sections_of
from services.ingest.core.formats.xlsx.number_format import number_shown, text_shown

ACCOUNTS = '_-* #,##0.00\\ _€_-;\\-* #,##0.00\\ _€_-;_-* "-"??\\ _€_-;_-@_-'


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (1234.5, "#,##0.00", "1,234.50"),
        (0.5, "#,##0", "1"),
        (0, "#,##0", "0"),
        (1234567.891, "#,##0.0", "1,234,567.9"),
        (1.005, "0.00", "1.01"),
        (99.995, "0.00", "100.00"),
        (-5, "0", "-5"),
        (7, "000", "007"),
        (7.25, "000.0", "007.3"),
        (0.05, ".00", ".05"),
        (0.05, "#.##", ".05"),
        (5, "#.##", "5."),
        (0.256, "0.0%", "25.6%"),
        (1_234_567, "#,##0,", "1,235"),
        (1.5e9, '0.0,,"M"', "1500.0M"),
        (5_551_234, "000-0000", "555-1234"),
        (12_345.678, "0.00E+00", "1.23E+04"),
        (0.00012, "0.0E+0", "1.2E-4"),
        (9.99, "0.0E+0", "1.0E+1"),
        (12_345.678, "##0.0E+0", "12.3E+3"),
        (3.5, "# ?/?", "3 1/2"),
        (0.3333, "# ??/??", "1/3"),
        (2.375, "# ?/8", "2 3/8"),
        (4, "# ?/?", "4"),
    ],
)
def test_digits_are_laid_into_their_places(value: float, code: str, shown: str) -> None:
    assert number_shown(value, code) == shown


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (-1234.5, "#,##0.00_);(#,##0.00)", "(1,234.50)"),
        (1234, ACCOUNTS, "1,234.00"),
        (-1234, ACCOUNTS, "-1,234.00"),
        (0, ACCOUNTS, "-"),
        (0, '#,##0;(#,##0);"none"', "none"),
        (12, ";;;", ""),
        (5, '[<3]"few";[>=3]"many"', "many"),
        (-3, "[Red]-0.0;0", "3"),
        (1234.5, "[$€-407] #,##0.00", "€ 1,234.50"),
        (1234.5, "#,##0.00\\ [$CHF]", "1,234.50 CHF"),
        (5, '"€"0.00', "€5.00"),
        (2, 'General" pcs"', "2 pcs"),
    ],
)
def test_section_and_literals_are_those_of_the_value(value: float, code: str, shown: str) -> None:
    assert number_shown(value, code) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (0.1 + 0.2, "0.3"),
        (-1.5, "-1.5"),
        (1 / 3, "0.333333333"),
        (12_345.6789012, "12345.678901"),
        (12_345_678_901, "12345678901"),
        (123_456_789_012, "1.23457E+11"),
        (0.0001234567, "0.000123457"),
        (0.00001, "1E-05"),
        (float("inf"), "#NUM!"),
    ],
)
def test_number_without_a_format_has_at_most_eleven_digits(value: float, shown: str) -> None:
    assert number_shown(value, "General") == shown


@pytest.mark.parametrize(
    ("serial", "code", "shown"),
    [
        (45_000.75, "yyyy-mm-dd hh:mm", "2023-03-15 18:00"),
        (45_000.75, "d mmm yy h:mm AM/PM", "15 Mar 23 6:00 PM"),
        (45_000, "dddd, mmmm d, yyyy", "Wednesday, March 15, 2023"),
        (45_000, "[$-407]dd.mm.yyyy", "15.03.2023"),
        (45_000, "MM/DD/YYYY", "03/15/2023"),
        (45_000, "mmmmm", "M"),
        (1.5, "[h]:mm:ss", "36:00:00"),
        (0.5, "[mm]:ss", "720:00"),
        (1 / 86_400, "mm:ss.000", "00:01.000"),
        (0.999999999, "h:mm:ss", "0:00:00"),
        (0.25, "h AM/PM", "6 AM"),
        (1, "d mmmm yyyy", "1 January 1900"),
        (60, "d mmmm yyyy", "29 February 1900"),
        (61, "d mmmm yyyy", "1 March 1900"),
        (-1, "yyyy-mm-dd", "-1"),
        (1e9, "yyyy-mm-dd", "1000000000"),
    ],
)
def test_serials_are_shown_as_dates_and_times(serial: float, code: str, shown: str) -> None:
    assert number_shown(serial, code) == shown


def test_workbook_that_counts_from_1904_shows_its_own_days() -> None:
    assert number_shown(0, "yyyy-mm-dd", from_1904=True) == "1904-01-01"


def test_text_is_shown_within_its_section() -> None:
    assert text_shown("x", '0;0;0;"say "@') == "say x"
    assert text_shown("x", "0.00") == "x"


@settings(deadline=None, max_examples=300)
@given(
    st.floats(),
    st.text(alphabet='0#?.,%E+-/ymdhsAPM@;"\\_*[]<>=$€GgeneralR 12', max_size=30) | st.text(max_size=12),
)
def test_any_number_is_shown_under_any_code(value: float, code: str) -> None:
    assert sections_of(code)
    shown = number_shown(value, code)
    assert shown == shown.strip()
