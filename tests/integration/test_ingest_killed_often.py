"""Does an upload of two hundred files come through twenty kills at random moments, none parsed twice?"""

import contextlib
import json
import random
import shutil
import sqlite3
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import grpc
import pytest

from tests.integration.trio import DEADLINE_S, INDEXES, Trio
from tests.unit.ingest.calling import pdf_of

pytestmark = [pytest.mark.stack, pytest.mark.models]

FILES, KILLS, SEED = 200, 20, 20_201_130
LONGEST_LIFE_S = 1.5
BROKEN, LONG, MAIL = 40, 25, 20  # every so many files is one of these
QUERY = "lighthouse keeper"

Version = tuple[str, int]


def file_of(number: int) -> tuple[str, bytes]:
    """A file's name and bytes: mostly texts, now and then a PDF of many pages, a mail, or a broken one."""
    words = f"Lighthouse number{number} stands on reef {number}; its keeper counts ships."
    if number % BROKEN == 3:
        return f"{number}.pdf", b"%PDF-1.7 and then nothing"
    if number % LONG == 5:
        return f"{number}.pdf", pdf_of(*(f"{words} Page {page}." for page in range(12)))
    if number % MAIL == 7:
        message = EmailMessage()
        message["Subject"] = f"Reef {number}"
        message.set_content(words)
        for part in range(2):
            message.add_attachment(f"{words} Part {part}.", filename=f"{part}.txt")
        return f"{number}.eml", message.as_bytes()
    return f"{number}.txt", words.encode()


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


class Uploader(threading.Thread):
    """Sends file after file, each again until it is acknowledged, as a client does.

    It goes on only as `more` allows, so that the upload lasts as long as the kills do.
    """

    def __init__(self, trio: Trio) -> None:
        super().__init__(daemon=True)
        self._trio = trio
        self.more = threading.Semaphore(0)
        self.acknowledged: list[str] = []
        self.sent_again = 0

    def run(self) -> None:
        for number in range(FILES):
            name, data = file_of(number)
            self.more.acquire()
            until = time.monotonic() + DEADLINE_S
            while time.monotonic() < until:
                try:
                    self._trio.submit(name, data)
                except grpc.RpcError:
                    self.sent_again += 1
                    continue
                self.acknowledged.append(name)
                break


class Lives:
    """What the log says was begun in each life of ingest, and what the database held when it ended."""

    def __init__(self, trio: Trio) -> None:
        self._log = trio.folder / "ingest.log"
        self._database = trio.folder / "data" / "ingest" / "ingest.sqlite"
        self._read = 0
        self.finished: set[Version] = set()
        self.begun: Counter[Version] = Counter()

    def ended(self) -> None:
        """Check the life that is over: nothing was parsed that was finished before it."""
        begun = self._begun()
        assert not self.finished.intersection(begun)
        self.begun.update(begun)
        self.finished |= self._parsed()

    def _begun(self) -> list[Version]:
        lines = self._log.read_bytes()[self._read :].splitlines()
        self._read = self._log.stat().st_size
        entries = []
        for line in lines:
            with contextlib.suppress(ValueError):  # a line that a kill cut off
                entry = json.loads(line)
                if isinstance(entry, dict) and entry.get("event") == "parsing":
                    entries.append((str(entry["document_id"]), int(entry["version"])))
        return entries

    def _parsed(self) -> set[Version]:
        if not self._database.exists():
            return set()
        with contextlib.closing(sqlite3.connect(self._database)) as connection:
            try:
                return set(
                    connection.execute("SELECT document_id, version FROM versions WHERE state != 'pending'")
                )
            except sqlite3.OperationalError:  # killed before it had made the table
                return set()


def test_two_hundred_files_and_twenty_kills_leave_every_file_ready_or_refused_and_parsed_once(
    trio: Trio,
) -> None:
    moments = random.Random(SEED)
    lives, uploader = Lives(trio), Uploader(trio)
    uploader.start()
    for kill in range(KILLS):
        trio.launch("ingest")
        uploader.more.release(FILES // KILLS)
        if kill % 2:  # else it may die while it still starts
            trio.wait_until_serving("ingest")
        time.sleep(moments.uniform(0.0, LONGEST_LIFE_S))
        trio.kill("ingest")
        lives.ended()
    trio.start("ingest")
    uploader.join(DEADLINE_S)
    assert len(uploader.acknowledged) == FILES, trio.log("ingest")
    assert uploader.sent_again > 0

    jobs = trio.settle()
    documents = trio.documents()
    names = {file_of(number)[0]: number for number in range(FILES)}
    refused = {name for name, number in names.items() if number % BROKEN == 3}
    attached = {
        f"{name} – {part}.txt"
        for name, number in names.items()
        for part in range(2)
        if name.endswith(".eml") and name not in refused
    }
    assert set(documents) == (set(names) - refused) | attached
    assert {document.status for document in documents.values()} == {"ready"}
    assert all(jobs[name].state == "failed" and jobs[name].error.detail for name in refused)
    assert {documents[name].parent_id for name in attached} == {
        document.id for name, document in documents.items() if name.endswith(".eml")
    }

    generation = trio.generation()
    expected = {(d.id, d.version, d.chunk_count) for d in documents.values()}
    found = {index: trio.found(index, QUERY, generation) for index in INDEXES}
    for index in INDEXES:
        manifest = trio.manifest(index)
        assert manifest.generation == generation
        assert {(d.document_id, d.version, d.chunk_count) for d in manifest.documents} == expected
        assert len(found[index]) == len(set(found[index])) == sum(count for _, _, count in expected)
    assert set(found["lexical-index"]) == set(found["vector-index"])

    trio.kill("ingest")
    lives.ended()
    assert lives.finished >= {(document.id, document.version) for document in documents.values()}
    assert max(lives.begun.values()) > 1  # some were cut off, or the kills came at no bad moment at all
    folder = trio.folder / "data" / "ingest"
    assert list((folder / "spool").iterdir()) == list((folder / "work").iterdir()) == []
    originals = {path.name for path in (folder / "originals").rglob("*") if path.is_file()}
    assert originals == {document.sha256 for document in documents.values()}
