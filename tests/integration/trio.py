"""How do tests kill ingest and its indexes? Three processes in one short-lived folder, and what must hold."""

import contextlib
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import grpc

from services.local.settings import REPOSITORY
from shared.pb import index_pb2, index_pb2_grpc, ingest_pb2, ingest_pb2_grpc, stage_pb2, stage_pb2_grpc
from shared.probe import is_serving

DEADLINE_S = 120.0
INDEXES = ("lexical-index", "vector-index")


class Trio:
    """Ingest and both indexes as processes that talk over sockets in one short-lived folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._channels: dict[str, grpc.Channel] = {}
        for name in INDEXES:
            self.start(name)

    def start(self, name: str, **settings: str) -> None:
        """Start a service and return when it serves."""
        self.launch(name, **settings)
        self.wait_until_serving(name)

    def launch(self, name: str, **settings: str) -> None:
        environment = {
            "SIGHTLINE_DATA": str(self.folder / "data"),
            "SIGHTLINE_LISTEN": self._address(name),
            "SIGHTLINE_LEXICAL_ADDRESS": self._address("lexical-index"),
            "SIGHTLINE_VECTOR_ADDRESS": self._address("vector-index"),
            "SIGHTLINE_EMBEDDER": "hash",
            "SIGHTLINE_BATCH_DOCUMENTS": "3",
            "SIGHTLINE_INDEX_CHECK_S": "0.5",
            **settings,
        }
        with (self.folder / f"{name}.log").open("ab") as output:
            self._processes[name] = subprocess.Popen(
                [sys.executable, "-m", f"services.{name.replace('-', '_')}"],
                cwd=REPOSITORY,
                env=os.environ | environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def wait_until_serving(self, name: str) -> None:
        until = time.monotonic() + DEADLINE_S
        while not is_serving(self._address(name), 1.0):
            assert self._processes[name].poll() is None, self.log(name)
            assert time.monotonic() < until, self.log(name)

    def kill(self, name: str) -> None:
        self._processes[name].kill()
        self.wait_until_dead(name)

    def wait_until_dead(self, name: str) -> None:
        self._processes[name].wait(DEADLINE_S)

    def stop(self) -> None:
        for channel in self._channels.values():
            channel.close()
        for process in self._processes.values():
            process.kill()
            process.wait()

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")[-4000:]

    def ingest(self) -> ingest_pb2_grpc.IngestStub:
        return ingest_pb2_grpc.IngestStub(self._channel("ingest"))

    def submit(self, name: str, data: bytes | str) -> ingest_pb2.SubmitReply:
        def requests() -> Iterator[ingest_pb2.SubmitRequest]:
            yield ingest_pb2.SubmitRequest(header=ingest_pb2.SubmitHeader(name=name))
            yield ingest_pb2.SubmitRequest(data=data.encode() if isinstance(data, str) else data)

        return self.ingest().Submit(requests(), timeout=DEADLINE_S, wait_for_ready=True)

    def settle(self) -> dict[str, ingest_pb2.Job]:
        """The newest job of every document, by name, once all jobs are final."""
        until = time.monotonic() + DEADLINE_S
        while True:
            jobs = self.ingest().ListJobs(
                ingest_pb2.PageRequest(limit=500), timeout=DEADLINE_S, wait_for_ready=True
            )
            if all(job.state in ("done", "failed") for job in jobs.jobs):
                return {job.document_name: job for job in reversed(jobs.jobs)}
            assert time.monotonic() < until, f"{jobs.jobs[:3]}\n{self.log('ingest')}"
            time.sleep(0.1)

    def generation(self) -> int:
        return self.ingest().GetGeneration(ingest_pb2.GenerationRequest(), timeout=DEADLINE_S).generation

    def documents(self) -> dict[str, ingest_pb2.Document]:
        page = self.ingest().ListDocuments(
            ingest_pb2.PageRequest(limit=500), timeout=DEADLINE_S, wait_for_ready=True
        )
        assert page.total == len(page.documents)
        return {document.name: document for document in page.documents}

    def manifest(self, index: str) -> index_pb2.WorkspaceManifest:
        stub = index_pb2_grpc.IndexStub(self._channel(index))
        request = index_pb2.ManifestRequest(workspace="default")
        reply = stub.Manifest(request, timeout=DEADLINE_S, wait_for_ready=True)
        return reply.workspaces[0]

    def found(self, index: str, text: str, generation: int) -> list[tuple[str, str]]:
        """Document and chunk of everything that a search at the generation gives."""
        stub = stage_pb2_grpc.StageStub(self._channel(index))
        reply = stub.Run(
            stage_pb2.RunRequest(
                stage={"lexical-index": "lexical", "vector-index": "vector"}[index],
                query=stage_pb2.Query(text=text, workspace="default", generation=generation),
                limit=500,
            ),
            timeout=DEADLINE_S,
            wait_for_ready=True,
        )
        return [(candidate.span.document_id, candidate.chunk_id) for candidate in reply.candidates]

    def on_disk(self) -> tuple[int, set[str]]:
        """The visible generation and its documents, as a dead ingest left them."""
        path = self.folder / "data" / "ingest" / "ingest.sqlite"
        with contextlib.closing(sqlite3.connect(path)) as connection:
            row = connection.execute("SELECT generation FROM workspaces").fetchone()
            live = connection.execute("SELECT document_id FROM documents WHERE live_version > 0")
            return (row[0] if row else 0), {document_id for (document_id,) in live}

    def _address(self, name: str) -> str:
        return f"unix://{self.folder}/{name}.sock"

    def _channel(self, name: str) -> grpc.Channel:
        if name not in self._channels:
            options = [
                ("grpc.enable_http_proxy", 0),
                ("grpc.initial_reconnect_backoff_ms", 100),
                ("grpc.max_reconnect_backoff_ms", 500),
            ]
            self._channels[name] = grpc.insecure_channel(self._address(name), options=options)
        return self._channels[name]


def text_of(number: int) -> str:
    """A document of some chunks that all name its lighthouse."""
    paragraphs = [
        f"Lighthouse number{number} stands on reef {number}. " + f"Its keeper counts ship {n} at night. " * 40
        for n in range(4)
    ]
    return "\n\n".join(paragraphs)


def assert_nothing_is_half_visible(trio: Trio) -> None:
    """What queries of the visible generation find is the same in both indexes and what ingest says it is."""
    generation, live = trio.on_disk()
    for index in INDEXES:
        manifest = trio.manifest(index)
        if generation or manifest.generation:
            assert generation in manifest.served
        found = trio.found(index, "lighthouse keeper", generation)
        assert {document for document, _ in found} == live


def assert_all_is_visible_once(trio: Trio, names: set[str]) -> None:
    """Every document is ready in both indexes at one generation, with all of its chunks, once."""
    jobs = trio.settle()
    documents = trio.documents()
    assert set(documents) == names
    assert {job.state for job in jobs.values()} == {"done"}, trio.log("ingest")
    assert {document.status for document in documents.values()} == {"ready"}
    generation = trio.generation()
    expected = {(d.id, d.version, d.chunk_count) for d in documents.values()}
    found = {index: trio.found(index, "lighthouse keeper", generation) for index in INDEXES}
    for index in INDEXES:
        manifest = trio.manifest(index)
        assert manifest.generation == generation
        assert {(d.document_id, d.version, d.chunk_count) for d in manifest.documents} == expected
        assert len(found[index]) == len(set(found[index])) == sum(count for _, _, count in expected)
    assert set(found["lexical-index"]) == set(found["vector-index"])
    ids = [chunk_id for _, chunk_id in found["lexical-index"]]
    chunks = trio.ingest().GetChunks(
        ingest_pb2.ChunksRequest(chunk_ids=ids, with_text=True), timeout=DEADLINE_S
    )
    assert [chunk.chunk_id for chunk in chunks.chunks] == ids
    texts = {document.id: text_of(int(name.split(".")[0])) for name, document in documents.items()}
    for chunk in chunks.chunks:
        assert chunk.text in texts[chunk.span.document_id]
