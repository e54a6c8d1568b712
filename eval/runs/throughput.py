"""How many pages a second does Sightline take in, beside plain text extraction of the same files?"""

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import pdfplumber
import pypdfium2

from client.errors import Problem
from client.gateway import Sightline
from eval.corpus.pages.documents import generated_documents
from eval.datasets.suite import SuiteError
from eval.measures.statistics import bootstrap_interval
from eval.parsing.others import flat_pdfplumber
from eval.parsing.view import Refused
from eval.runs.parsers import fresh_stack
from eval.runs.progress import Progress
from eval.runs.provenance import commit, machine, versions

SEED = 20_261
GENERATED = "generated"
_PDF = ".pdf"


@dataclass(frozen=True, slots=True)
class Round:
    """One run of each side over the same files, one right after the other, in seconds by the clock."""

    ours_s: float
    plain_s: float

    @property
    def ratio(self) -> float:
        """How many times as fast ours was."""
        return self.plain_s / self.ours_s


def throughput(target: str, rounds: int, today: str, progress: Progress) -> dict[str, Any]:
    """Pages a second of a running stack, from upload until all can be searched, and of plain extraction.

    Which side goes first alternates. Ours parses, chunks and indexes (hashed words instead of a model) in as
    many processes as it comes with; the other is `page.extract_text()` of pdfplumber in one process. Files
    that either refuses are left out. SuiteError for a folder without a PDF that both read.
    """
    with tempfile.TemporaryDirectory(prefix="sightline-throughput-") as name, fresh_stack() as stack:
        folder = Path(name)
        paths = _readable(_files(target, folder / "all"), stack.gateway, folder / "0", progress)
        if not paths:
            raise SuiteError(f"{target} holds no PDF that both read")
        measured: list[Round] = []
        for number in range(1, rounds + 1):
            progress(number / (rounds + 1), f"round {number} of {rounds}")
            copies = _fresh(paths, folder / str(number), number)
            measured.append(_round(stack.gateway, copies, first=number % 2 == 0))
        pages = sum(map(_page_count, paths))
    return {
        "target": target if target == GENERATED else Path(target).name,
        "date": today,
        "commit": commit(),
        "versions": versions(),
        "machine": machine(),
        "files": len(paths),
        "pages": pages,
        "rounds": [asdict(one) for one in measured],
        "ours_pages_per_s": pages / median(one.ours_s for one in measured),
        "plain_pages_per_s": pages / median(one.plain_s for one in measured),
        "ratio": {
            "median": median(one.ratio for one in measured),
            **asdict(bootstrap_interval([one.ratio for one in measured], seed=SEED)),
        },
    }


def _files(target: str, folder: Path) -> list[Path]:
    if target != GENERATED:
        return sorted(path for path in Path(target).iterdir() if path.suffix.lower() == _PDF)
    folder.mkdir()
    paths = []
    for pdf in generated_documents():
        paths.append(folder / pdf.document.name)
        paths[-1].write_bytes(pdf.document.data)
    return paths


def _readable(paths: Sequence[Path], gateway: Sightline, folder: Path, progress: Progress) -> list[Path]:
    """Those that both read, with something after their end."""
    progress(0.0, "trying which files both read")
    taken = set(_ingested(gateway, _fresh(paths, folder, 0)))
    return [path for path in paths if path.name in taken and _is_read(path)]


def _is_read(path: Path) -> bool:
    try:
        flat_pdfplumber(path)
    except Refused:
        return False
    return True


def _fresh(paths: Sequence[Path], folder: Path, number: int) -> list[Path]:
    """The files with a comment after their end: no round finds what an earlier one left behind."""
    folder.mkdir()
    copies = [folder / path.name for path in paths]
    for path, copy in zip(paths, copies, strict=True):
        copy.write_bytes(path.read_bytes() + f"\n% round {number}\n".encode())
    return copies


def _round(gateway: Sightline, paths: Sequence[Path], *, first: bool) -> Round:
    if first:
        ours_s = _timed(lambda: _ingested(gateway, paths))
        return Round(ours_s, _timed(lambda: _extracted(paths)))
    plain_s = _timed(lambda: _extracted(paths))
    return Round(_timed(lambda: _ingested(gateway, paths)), plain_s)


def _ingested(gateway: Sightline, paths: Sequence[Path]) -> list[str]:
    """Uploads all at once and waits until each can be searched; the names of those that can."""
    try:
        entries = gateway.add_files(paths)
    except Problem as problem:
        raise SuiteError(f"nothing was taken: {problem}") from problem
    ready = []
    for entry in entries:
        failed = entry.error is not None or not entry.job_id
        for job in gateway.watch_job(entry.job_id) if entry.job_id else ():
            failed = job.state == "failed"
        if not failed:
            ready.append(entry.name)
    return ready


def _extracted(paths: Sequence[Path]) -> None:
    for path in paths:
        with pdfplumber.open(path) as pdf:
            for page in pdf.pages:
                page.extract_text()


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _page_count(path: Path) -> int:
    with pypdfium2.PdfDocument(path) as pdf:
        return len(pdf)
