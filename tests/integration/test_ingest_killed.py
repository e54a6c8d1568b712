"""Does ingest come through kill -9 at any moment, with every acknowledged document visible exactly once?"""

import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from shared.pb import ingest_pb2
from tests.integration.trio import (
    DEADLINE_S,
    INDEXES,
    Trio,
    assert_all_is_visible_once,
    assert_nothing_is_half_visible,
    text_of,
)

pytestmark = [pytest.mark.stack, pytest.mark.models]

CRASH_POINTS = ("accepted", "parsing", "parsed", "staged", "published", "flipped")


@pytest.fixture
def trio() -> Iterator[Trio]:
    # A socket's path has at most 108 characters, and pytest's folders are long.
    folder = Path(tempfile.mkdtemp(prefix="sightline-"))
    running = Trio(folder)
    try:
        yield running
    finally:
        running.stop()
        shutil.rmtree(folder)


@pytest.mark.parametrize("point", CRASH_POINTS)
def test_killed_at_a_named_point_everything_acknowledged_is_visible_once(trio: Trio, point: str) -> None:
    trio.start("ingest")
    assert not trio.submit("0.txt", text_of(0)).duplicate
    trio.settle()
    trio.kill("ingest")

    trio.start("ingest", SIGHTLINE_CRASH_AT=point)
    acknowledged = {"0.txt"}
    for number in range(1, 6):
        try:
            trio.submit(f"{number}.txt", text_of(number))
        except grpc.RpcError:
            break
        acknowledged.add(f"{number}.txt")
    trio.wait_until_dead("ingest")
    assert_nothing_is_half_visible(trio)

    trio.start("ingest")
    trio.settle()
    assert acknowledged <= set(trio.documents())
    for number in range(1, 6):  # also those whose acknowledgement was cut off: again, or a duplicate
        trio.submit(f"{number}.txt", text_of(number))
    assert_all_is_visible_once(trio, {f"{number}.txt" for number in range(6)})


def test_killed_again_and_again_in_the_middle_of_a_queue_nothing_is_lost_or_doubled(trio: Trio) -> None:
    trio.start("ingest")
    names = {f"{number}.txt" for number in range(16)}
    for number in range(16):
        trio.submit(f"{number}.txt", text_of(number))
    for pause_s in (0.05, 0.4, 0.9, 1.6):
        time.sleep(pause_s)
        trio.kill("ingest")
        assert_nothing_is_half_visible(trio)
        trio.start("ingest")
    assert_all_is_visible_once(trio, names)


def test_killed_after_a_delete_the_document_stays_away_and_leaves_the_indexes(trio: Trio) -> None:
    trio.start("ingest", SIGHTLINE_DELETE_WAIT_S="0")
    for number in range(3):
        trio.submit(f"{number}.txt", text_of(number))
    trio.settle()
    gone = trio.documents()["1.txt"].id
    trio.kill("lexical-index")
    trio.ingest().DeleteDocument(ingest_pb2.DocumentRequest(document_id=gone), timeout=DEADLINE_S)
    trio.kill("ingest")
    trio.start("lexical-index")
    trio.start("ingest")
    until = time.monotonic() + DEADLINE_S
    while any(gone in {d.document_id for d in trio.manifest(i).documents} for i in INDEXES):
        assert time.monotonic() < until, trio.log("ingest")
        time.sleep(0.1)
    assert_all_is_visible_once(trio, {"0.txt", "2.txt"})


def test_index_that_is_killed_while_it_is_written_to_delays_and_loses_nothing(trio: Trio) -> None:
    trio.start("ingest")
    for number in range(8):
        trio.submit(f"{number}.txt", text_of(number))
    for index in INDEXES:
        time.sleep(0.5)
        trio.kill(index)
        trio.start(index)
    assert_all_is_visible_once(trio, {f"{number}.txt" for number in range(8)})


def test_index_that_loses_its_data_is_written_anew(trio: Trio) -> None:
    trio.start("ingest")
    for number in range(3):
        trio.submit(f"{number}.txt", text_of(number))
    trio.settle()
    trio.kill("vector-index")
    shutil.rmtree(trio.folder / "data" / "vector-index")
    trio.start("vector-index")
    until = time.monotonic() + DEADLINE_S
    while trio.manifest("vector-index").generation != trio.generation():
        assert time.monotonic() < until, trio.log("ingest")
        time.sleep(0.1)
    assert_all_is_visible_once(trio, {f"{number}.txt" for number in range(3)})
