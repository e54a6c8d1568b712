"""Which files come of a folder of sources, and what do they say?"""

from pathlib import Path

import pytest

from eval.corpus.build import write_csv, write_documents, write_texts

SOURCE = '+++\nformat = "txt"\ntitle = "T"\n+++\n# Tides\n\n| Station | Level |\n|---|---|\n| 7 | 1.2 |\n'
TABLE = 'station,note\n7,"low, then high"\n\n8, none\n'


def test_write_documents_takes_sources_and_csv_files_by_name(tmp_path: Path) -> None:
    (tmp_path / "tides.md").write_text(SOURCE, "utf-8")
    (tmp_path / "notes.csv").write_text(TABLE, "utf-8")
    (tmp_path / "ignored.toml").write_text("x = 1", "utf-8")
    notes, tides = write_documents(tmp_path)
    assert (notes.name, tides.name) == ("notes.csv", "tides.txt")
    assert notes.data == TABLE.encode()
    assert tides.reference == "Tides\n\nStation | Level\n7 | 1.2"
    assert tides.tables == ((("Station", "Level"), ("7", "1.2")),)


def test_write_csv_is_its_own_reference_and_one_table() -> None:
    written = write_csv("notes.csv", TABLE)
    assert written.reference == TABLE
    assert written.tables == ((("station", "note"), ("7", "low, then high"), ("8", "none")),)


def test_write_texts_gives_the_same_whatever_the_order_of_the_sources() -> None:
    texts = {"b": SOURCE, "a.csv": TABLE, "c": SOURCE}
    turned = dict(reversed(texts.items()))
    assert [written.name for written in write_texts(texts)] == ["a.csv", "b.txt", "c.txt"]
    assert write_texts(texts) == write_texts(turned)


def test_write_documents_names_the_source_that_it_cannot_read(tmp_path: Path) -> None:
    (tmp_path / "tides.md").write_text(SOURCE + "\n*loud*\n", "utf-8")
    with pytest.raises(ValueError, match="tides, line 11"):
        write_documents(tmp_path)
