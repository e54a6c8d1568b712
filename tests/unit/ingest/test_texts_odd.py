"""Are old encodings told or owned up to, and are JSON's escapes read as what they stand for?"""

import json

from services.ingest.core.formats.plain.parser import parse
from services.ingest.core.formats.xlsx.number_format import number_shown


def test_japanese_mail_encoding_is_told_by_its_escapes() -> None:
    text = "東京都の水位は高い。\nDepth 9 m."
    parsed = parse("tokyo.txt", text.encode("iso2022_jp"))
    assert (parsed.text, parsed.warnings) == (text, ())


def test_encoding_told_by_its_letters_alone_is_owned_up_to() -> None:
    parsed = parse("lodz.txt", ("Przystań w Łodzi jest zamknięta, a śluza działa. " * 4).encode("cp1250"))
    assert "was told by the letters alone" in parsed.warnings[0]


def test_escapes_of_json_are_read_and_what_they_guard_stays() -> None:
    value = {"note": "Grüße 🌊", "path": "C:\\u00fc", "line": 'a\n"b"', "zero": "\u0000"}
    parsed = parse("data.json", json.dumps(value).encode())
    assert "Grüße 🌊" in parsed.text
    assert json.loads(parsed.text) == value


def test_number_is_rounded_from_the_digits_that_a_spreadsheet_keeps() -> None:
    assert number_shown(4000.5 * 1.19, "#,##0.00") == "4,760.60"
