"""What do Sightline's own parsers recover, asked through the gateway like any client?"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from client.errors import Problem
from client.gateway import Sightline
from eval.corpus.build import Written, write_documents
from eval.datasets.suite import load_suite
from eval.parsing.formats import by_format, score_suite
from eval.parsing.manifest import manifest_results
from eval.parsing.view import ParsedView, Refused, view_from_json
from eval.runs.collection import ingest
from eval.runs.progress import Progress
from eval.runs.provenance import versions
from eval.runs.stack import IngestConfig, Stack, running_stack

WITHOUT_MODEL = IngestConfig(embedder="hash")


def scored(suite: str, today: str, progress: Progress) -> dict[str, Any]:
    """Scores by format and by document over a suite whose truth its writers know."""
    # Those written by hand: generated paperwork would drown the few that are hard to read.
    documents = write_documents(load_suite(suite).folder / "documents")
    with fresh_stack() as stack:
        scores = score_suite(documents, read_several(stack.gateway, documents, progress))
    return {
        "suite": suite,
        "date": today,
        "versions": versions(),
        "formats": [asdict(one) for one in by_format(scores)],
        "documents": [one.to_json() for one in scores],
    }


def manifest(folder: Path, progress: Progress) -> list[dict[str, Any]]:
    """What of each file's known strings was found, for a folder with a `manifest.json`."""
    with fresh_stack() as stack:
        read = read_one(stack.gateway, progress)
        return [asdict(result) for result in manifest_results(folder, read)]


@contextmanager
def fresh_stack() -> Iterator[Stack]:
    """A stack of its own over nothing, without a model."""
    with (
        tempfile.TemporaryDirectory(prefix="sightline-parsers-") as folder,
        running_stack(Path(folder) / "data", WITHOUT_MODEL) as stack,
    ):
        yield stack


def read_several(
    gateway: Sightline, documents: Sequence[Written], progress: Progress
) -> Callable[[str], ParsedView]:
    """Uploads all and gives the parse of each by name. SuiteError for one that is refused."""
    ids = ingest(gateway, documents, progress).document_ids
    return lambda name: _view(gateway, ids[name])


def read_one(gateway: Sightline, progress: Progress) -> Callable[[Path], ParsedView]:
    """Gives the parse of a file, uploaded when it is asked for; raises Refused with Sightline's reason."""

    def read(path: Path) -> ParsedView:
        progress(0.0, f"reading {path.name}")
        try:
            entry = gateway.add_files([path])[0]
        except Problem as problem:
            raise Refused(str(problem)) from problem
        if entry.id is None or entry.error is not None:
            raise Refused(str((entry.error or {}).get("detail", entry.status)))
        for job in gateway.watch_job(entry.job_id) if entry.job_id else ():
            if job.error is not None:
                raise Refused(str(job.error.get("detail", "")))
        within = tuple(document.name for document in gateway.documents() if document.parent_id == entry.id)
        return replace(_view(gateway, entry.id), attachments=within)

    return read


def _view(gateway: Sightline, document_id: str) -> ParsedView:
    return view_from_json(
        gateway.document(document_id), gateway.text(document_id), gateway.blocks(document_id)
    )
