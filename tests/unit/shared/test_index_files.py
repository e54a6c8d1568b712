"""Does the index keep its word when its file is foreign, in use, damaged or full?"""

import sqlite3
from pathlib import Path

import pytest

from shared.errors import TooLarge, Unavailable
from shared.index_store import Publication
from shared.index_tables import IndexTables
from tests.unit.shared.index_toys import (
    WORKSPACE,
    NumberFormat,
    numbers_at,
    open_numbers,
    publish,
    stage,
)


def test_file_of_another_format_is_emptied(tmp_path: Path) -> None:
    store = open_numbers(tmp_path)
    publish(store, 1, "b1", {"a": [1]})
    store.close()
    store = open_numbers(tmp_path, name="numbers/2")
    assert store.manifest() == []
    publish(store, 5, "repair", {"a": [1]}, replace_all=True)
    store.close()
    store = open_numbers(tmp_path, name="numbers/2")
    assert numbers_at(store, 5) == [1]
    store.close()


def test_file_in_use_by_another_store_is_refused(tmp_path: Path) -> None:
    store = open_numbers(tmp_path)
    with pytest.raises(Unavailable, match="used already"):
        IndexTables(tmp_path / "index.sqlite", NumberFormat(), lock_wait_s=0.05)
    store.close()


def test_damaged_file_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "index.sqlite").write_bytes(b"not a database, " * 500)
    with pytest.raises(Unavailable, match="remove it and start again"):
        open_numbers(tmp_path)


def test_file_that_is_damaged_further_down_is_refused_with_what_to_do(tmp_path: Path) -> None:
    store = open_numbers(tmp_path)
    publish(store, 1, "b1", {"a": list(range(900))})
    store.close()
    file = tmp_path / "index.sqlite"
    whole = file.read_bytes()
    file.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    with pytest.raises(Unavailable, match="remove it and start again"):
        open_numbers(tmp_path)


def test_failed_write_changes_nothing_and_keeps_the_batch(tmp_path: Path) -> None:
    store = open_numbers(tmp_path)
    publish(store, 1, "b1", {"a": [1]})
    stage(store, "b2", "b", [2])
    limit = store._tables._db.execute("PRAGMA page_count").fetchone()[0]
    store._tables._db.execute(f"PRAGMA max_page_count = {limit}")
    stage(store, "b2", "c", list(range(900)))
    with pytest.raises(Unavailable, match="nothing was changed"):
        store.publish(Publication(WORKSPACE, 2, "b2", 2, 901))
    assert numbers_at(store, 1) == [1]
    assert store.manifest(WORKSPACE)[0].generation == 1
    store._tables._db.execute("PRAGMA max_page_count = 100000")
    store.publish(Publication(WORKSPACE, 2, "b2", 2, 901))
    assert len(numbers_at(store, 2)) == 902
    store.close()


def test_failed_tidying_leaves_the_published_generation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_numbers(tmp_path)
    for generation in range(1, 8):
        publish(store, generation, f"b{generation}", {f"doc{generation}": [generation]})

    def fail() -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(store._tables, "checkpoint", fail)
    publish(store, 8, "b8", {"doc8": [8]})
    assert numbers_at(store, 8) == list(range(1, 9))
    store.close()


def test_batch_over_the_limit_is_too_large(tmp_path: Path) -> None:
    store = open_numbers(tmp_path, max_staged_chunks=3)
    with pytest.raises(TooLarge, match="SIGHTLINE_MAX_STAGED_CHUNKS"):
        stage(store, "b1", "a", [1, 2, 3, 4])
    publish(store, 1, "b2", {"a": [1, 2, 3]})
    assert numbers_at(store, 1) == [1, 2, 3]
    store.close()
