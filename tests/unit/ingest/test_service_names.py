"""Can a file be called anything, and never be anywhere else?"""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.ingest.core.chunking import ChunkingConfig
from services.ingest.identity import MAX_NAME_CHARACTERS, chunk_id, clean_name, config_digest, document_id
from shared.errors import InvalidInput


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\Users\\me\\Notes.md", "Notes.md"),
        ("a/b\\c.txt", "c.txt"),
        ("tab\there\n.txt", "tabhere.txt"),
        ("nul\0byte.txt", "nulbyte.txt"),
        ("e\u0301te\u0301.txt", "été.txt"),
        ("日本語 🙂.md", "日本語 🙂.md"),
        ("👩\u200d🔬.txt", "👩\u200d🔬.txt"),
        ("evil\u202etxt.exe", "eviltxt.exe"),
        (" padded .txt ", "padded .txt"),
        ("...", "..."),
        (".env", ".env"),
    ],
)
def test_name_is_reduced_to_its_last_component(raw: str, name: str) -> None:
    assert clean_name(raw) == name


@pytest.mark.parametrize("raw", ["", ".", "..", "a/..", "a/", "\\", "\x00\x1f", "  ", "x/ . "])
def test_name_without_anything_usable_is_refused(raw: str) -> None:
    with pytest.raises(InvalidInput):
        clean_name(raw)


def test_long_name_keeps_its_ending_and_stays_distinct() -> None:
    one, two = clean_name("a" * 400 + "1.pdf"), clean_name("a" * 400 + "2.pdf")
    assert len(one) == len(two) == MAX_NAME_CHARACTERS
    assert one.endswith(".pdf")
    assert one != two


@given(st.text(max_size=300))
def test_any_text_is_refused_or_becomes_a_stable_harmless_name(raw: str) -> None:
    try:
        name = clean_name(raw)
    except InvalidInput:
        return
    assert clean_name(name) == name
    assert name not in ("", ".", "..")
    assert not set(name) & set("/\\\0\n\r")
    assert len(name) <= MAX_NAME_CHARACTERS
    assert name == unicodedata.normalize("NFC", name)
    name.encode()


def test_document_id_depends_on_workspace_and_name_and_not_on_where_they_meet() -> None:
    ids = {document_id("a", "bc"), document_id("ab", "c"), document_id("a", "bd"), document_id("b", "bc")}
    assert len(ids) == 4
    assert document_id("a", "bc").startswith("doc_")


def test_chunk_id_changes_with_content_configuration_and_position() -> None:
    first = config_digest(ChunkingConfig(max_tokens=400), "t")
    second = config_digest(ChunkingConfig(max_tokens=300), "t")
    assert first != second
    ids = {
        chunk_id("doc", "x", first, 0),
        chunk_id("doc", "x", first, 1),
        chunk_id("doc", "x", second, 0),
        chunk_id("doc", "y", first, 0),
        chunk_id("other", "x", first, 0),
    }
    assert len(ids) == 5
