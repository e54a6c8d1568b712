"""What do Sightline and other parsers read of the same PDFs, each asked as its users ask it?"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from eval.corpus.build import write_documents
from eval.corpus.pages.documents import generated_documents
from eval.corpus.pages.sheet import GeneratedPdf
from eval.datasets.suite import load_suite
from eval.parsing.agreement import recoveries
from eval.parsing.manifest import MANIFEST, manifest_strings
from eval.parsing.others import LABELS_OF, OTHERS, OURS, installed
from eval.parsing.view import ParsedView, Refused
from eval.runs.collection import corpus_digest
from eval.runs.parser_scores import Compared, compared, summaries
from eval.runs.parsers import fresh_stack, read_one, read_several
from eval.runs.progress import Progress
from eval.runs.provenance import versions

RESULT = "parsers-generated"
_SUITE = "golden"
_PDF = ".pdf"
# A file of which another parser has this much more is named.
MARGIN = 0.01


def generated(today: str, progress: Progress, *, others: bool = True) -> dict[str, Any]:
    """Every parser on the generated PDFs and on those of the golden set: summaries and scores by document."""
    pdfs = (*generated_documents(), *_golden())
    with fresh_stack() as stack:
        read = read_several(stack.gateway, [pdf.document for pdf in pdfs], progress)
        scores = compared(OURS, pdfs, read, labels=LABELS_OF[OURS])
    found = installed()
    if others:
        scores += _of_others(pdfs, found, progress)
    return {
        "suite": RESULT,
        "date": today,
        "versions": {
            **versions(),
            **{f"parser {name}": each or "not installed" for name, each in found.items()},
        },
        "corpus_digest": corpus_digest([pdf.document for pdf in pdfs]),
        "pages": sum(pdf.pages for pdf in pdfs),
        "gate": "parsers",
        "comparison": summaries(scores),
        "documents": [one.to_json() for one in scores],
    }


def real(folder: Path, progress: Progress) -> list[dict[str, Any]]:
    """A row per PDF of a folder: by parser, the share of the words that others agree on, and the reason where
    it refused; with a manifest also how many of the strings it names were found.
    """
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() == _PDF)
    strings = manifest_strings(folder) if (folder / MANIFEST).exists() else {}
    others = {name: OTHERS[name] for name, found in installed().items() if found}
    with fresh_stack() as stack:
        ours = read_one(stack.gateway, progress)
        return [_row(path, {OURS: ours, **others}, strings.get(path.name, ())) for path in paths]


def below(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The rows of files of which another parser has more by over the margin, or which it alone reads."""
    return [row for row in rows if _best_other(row) > (row["parsers"][OURS]["share"] or 0.0) + MARGIN]


def _row(
    path: Path, parsers: Mapping[str, Callable[[Path], ParsedView]], strings: Sequence[str]
) -> dict[str, Any]:
    views: dict[str, ParsedView] = {}
    refused: dict[str, str] = {}
    for name, read in parsers.items():
        try:
            views[name] = read(path)
        except Refused as refusal:
            refused[name] = str(refusal)
    found = recoveries(views)
    return {
        "file": path.name,
        "strings": len(strings),
        "parsers": {
            name: {
                "share": found[name].share if name in found else None,
                "agreed_words": found[name].words if name in found else 0,
                "strings": sum(_bare(one) in _bare(views[name].text) for one in strings)
                if name in views
                else 0,
                "refused": refused.get(name, ""),
            }
            for name in parsers
        },
    }


def _best_other(row: Mapping[str, Any]) -> float:
    return max((p["share"] or 0.0 for name, p in row["parsers"].items() if name != OURS), default=0.0)


def _bare(text: str) -> str:
    return "".join(text.split())


def _golden() -> Iterator[GeneratedPdf]:
    """The golden documents that are PDFs; their labels are judged nowhere."""
    for document in write_documents(load_suite(_SUITE).folder / "documents"):
        if document.name.endswith(_PDF):
            yield GeneratedPdf(document, _SUITE, 0)


def _of_others(pdfs: Sequence[GeneratedPdf], found: Mapping[str, str], progress: Progress) -> list[Compared]:
    with _written(pdfs) as folder:
        scores: list[Compared] = []
        for name, read in OTHERS.items():
            progress(0.0, f"reading with {name}")
            if found[name]:
                scores += compared(name, pdfs, _from(folder, read), labels=LABELS_OF[name])
        return scores


def _from(folder: Path, read: Callable[[Path], ParsedView]) -> Callable[[str], ParsedView]:
    return lambda name: read(folder / name)


@contextmanager
def _written(pdfs: Sequence[GeneratedPdf]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="sightline-pdfs-") as name:
        for pdf in pdfs:
            (Path(name) / pdf.document.name).write_bytes(pdf.document.data)
        yield Path(name)
