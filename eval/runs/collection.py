"""What did a stack make of a suite's documents, and where do the labels stand in what it made?"""

import hashlib
import tempfile
import time
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from client.gateway import Sightline
from client.replies import Document
from eval.corpus.build import Written
from eval.datasets.spans import Stretch, covers, occurrences, row_occurrences, words_of
from eval.datasets.suite import Question, SuiteError
from eval.runs.progress import Progress
from shared.candidate import TextSpan

UPLOAD = 40  # files in one request
POLL_S = 0.5
READY_DEADLINE_S = 3600.0


@dataclass(frozen=True, slots=True)
class Label:
    """One quote of a question in the stack's canonical text.

    `places` is empty when the parser destroyed the quote; `chunked` tells whether any chunk holds half of it;
    `whole` that any passage of the document will do, as in collections judged by document.
    """

    id: str
    document_id: str
    places: tuple[Stretch, ...]
    chunked: bool
    whole: bool = False
    grade: float = 1.0

    def held_by(self, document_id: str, stretch: Stretch) -> bool:
        """Whether a passage holds at least half of it."""
        return document_id == self.document_id and (self.whole or covers(stretch, self.places))

    def held_by_span(self, span: TextSpan) -> bool:
        """Whether a span of canonical text holds at least half of it."""
        return self.held_by(span.document_id, Stretch(span.start, span.end))


@dataclass(frozen=True, slots=True)
class Ingested:
    """Ids by file name, and how many chunks there are in all."""

    document_ids: Mapping[str, str]
    chunk_count: int


def ingest(gateway: Sightline, documents: Sequence[Written], progress: Progress) -> Ingested:
    """Uploads what is not there yet and waits for all of it. SuiteError for a document that is refused."""
    jobs: list[str] = []
    with tempfile.TemporaryDirectory(prefix="sightline-eval-") as folder:
        paths = []
        for document in documents:
            path = Path(folder) / document.name
            path.write_bytes(document.data)
            paths.append(path)
        for first in range(0, len(paths), UPLOAD):
            for entry in gateway.add_files(paths[first : first + UPLOAD]):
                if entry.error is not None:
                    raise SuiteError(f"{entry.name} was refused: {entry.error}")
                if entry.job_id is not None:
                    jobs.append(entry.job_id)
    for done, job_id in enumerate(jobs):
        progress(done / len(jobs), f"ingesting {done} of {len(jobs)} documents")
        error = next((job.error for job in gateway.watch_job(job_id) if job.state == "failed"), None)
        if error is not None:
            raise SuiteError(f"a document was refused: {error}")
    held = _when_ready(gateway, {document.name for document in documents})
    return Ingested({d.name: d.id for d in held}, sum(d.chunk_count for d in held))


def _when_ready(gateway: Sightline, names: Set[str]) -> list[Document]:
    """The documents of these names once each can be searched: an upload cut short earlier has no job here."""
    until = time.monotonic() + READY_DEADLINE_S
    while True:
        held = [document for document in gateway.documents() if document.name in names]
        unfinished = [document for document in held if document.status in ("queued", "processing")]
        if not unfinished or time.monotonic() > until:
            break
        time.sleep(POLL_S)
    unusable = names - {
        document.name for document in held if document.status == "ready" and document.chunk_count
    }
    if unusable:
        raise SuiteError(f"not searchable after ingestion: {', '.join(sorted(unusable))}")
    return held


def labels_of(
    gateway: Sightline, questions: Sequence[Question], ingested: Ingested
) -> dict[str, tuple[Label, ...]]:
    """The labels of each question, by its id, in the canonical texts and chunks of the stack."""
    names = sorted({quote.document for question in questions for quote in question.quotes})
    texts = {name: gateway.text(ingested.document_ids[name]) for name in names}
    words = {name: words_of(text) for name, text in texts.items()}
    chunks = {
        name: [Stretch(c["start"], c["end"]) for c in gateway.chunks(ingested.document_ids[name])]
        for name in names
    }
    found: dict[str, tuple[Label, ...]] = {}
    for question in questions:
        labels = []
        for number, quote in enumerate(question.quotes, start=1):
            places = occurrences(quote.text, words[quote.document])
            if not places and (cells := quote.cells):
                places = row_occurrences(cells, texts[quote.document])
            labels.append(
                Label(
                    id=f"{question.id}#{number}",
                    document_id=ingested.document_ids[quote.document],
                    places=places,
                    chunked=any(covers(chunk, places) for chunk in chunks[quote.document]),
                )
            )
        found[question.id] = tuple(labels)
    return found


def corpus_digest(documents: Sequence[Written]) -> str:
    """The hex sha256 over names and sources of all documents, in the order of their names.

    Sources where there are any, layout included, since a page may compress to other bytes elsewhere.
    """
    digest = hashlib.sha256()
    for document in sorted(documents, key=lambda d: d.name):
        words = document.source.encode() or document.data
        digest.update(f"{document.name}\0{len(words)}\0".encode())
        digest.update(words)
    return digest.hexdigest()
