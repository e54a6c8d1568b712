"""How many characters are misread when only the pictures of a suite's PDFs are left?"""

import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from eval.corpus.build import write_documents
from eval.datasets.suite import load_suite
from eval.parsing.scans import CLEAN, WORN, Scan, character_errors, length_of, scanned
from eval.runs.parsers import WITHOUT_MODEL, read_one
from eval.runs.progress import Progress
from eval.runs.provenance import versions
from eval.runs.stack import running_stack

LOOKS: Mapping[str, Scan] = {"clean": CLEAN, "worn": WORN}
_PDF = ".pdf"


def written(text: str) -> str:
    """A canonical text without the marks that part a table's cells: they stand on no page."""
    return text.replace("|", " ")


def misread(suite: str, today: str, progress: Progress) -> dict[str, Any]:
    """Errors by look and document, each against what is read of the same PDF's own text, in its order.

    Seconds are from the upload to the end of its job, by the clock.
    """
    documents = [
        one for one in write_documents(load_suite(suite).folder / "documents") if one.name.endswith(_PDF)
    ]
    rows = []
    with tempfile.TemporaryDirectory(prefix="sightline-scans-") as folder:
        work = Path(folder)
        with running_stack(work / "data", WITHOUT_MODEL, {"SIGHTLINE_OCR": "on"}) as stack:
            read = read_one(stack.gateway, progress)
            for document in documents:
                original = work / document.name
                original.write_bytes(document.data)
                reference = read(original)
                wanted = written(reference.text)
                for look, scan in LOOKS.items():
                    path = work / f"{look}-{document.name}"
                    path.write_bytes(scanned(document.data, scan))
                    started = time.monotonic()
                    view = read(path)
                    rows.append(
                        {
                            "look": look,
                            "document": document.name,
                            "pages": len(reference.pages),
                            "characters": length_of(wanted),
                            "errors": character_errors(wanted, written(view.text)),
                            "seconds": round(time.monotonic() - started, 1),
                        }
                    )
    return {
        "suite": suite,
        "date": today,
        "versions": versions(),
        "looks": {name: asdict(look) for name, look in LOOKS.items()},
        "documents": rows,
    }
