"""What made a figure: which models, which versions, which machine?"""

import platform
import subprocess
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from eval.datasets.prepared import Prepared
from eval.datasets.suite import questions_digest
from eval.runs.collection import corpus_digest
from eval.runs.stack import REPOSITORY, IngestConfig
from shared.cpu import available
from shared.models import load_lock

PACKAGES = (
    "sightline",
    "numpy",
    "onnxruntime",
    "tokenizers",
    "pdfplumber",
    "python-docx",
    "lxml",
    "PyStemmer",
)
_CPUINFO = Path("/proc/cpuinfo")


def head(ready: Prepared, models: Mapping[str, Any], today: str) -> dict[str, Any]:
    """What every result of a suite begins with: what was asked of what, by which code, models and machine."""
    return {
        "suite": ready.suite.name,
        "title": ready.suite.title,
        "split": ready.split,
        "every": ready.every,
        "date": today,
        "questions": len(ready.questions),
        "documents": len(ready.documents),
        "questions_digest": questions_digest(ready.questions),
        "corpus_digest": corpus_digest(ready.documents),
        "models": dict(models),
        "commit": commit(),
        "versions": versions(),
        "machine": machine(),
    }


def commit() -> str:
    """The commit of the code, with `+` if it was changed since; empty outside a checkout."""
    command = ["git", "describe", "--always", "--abbrev=12", "--dirty=+", "--exclude=*"]
    try:
        described = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    except OSError:  # no git here, as in a container
        return ""
    return described.stdout.strip()


def models_of(ingest: IngestConfig) -> dict[str, Any]:
    """Name and digest of the weights by role; the hash embedder has none."""
    models = {model.role: {"name": model.name, "sha256": model.files[0].sha256} for model in load_lock()}
    return models if ingest.embedder == "onnx" else {"embedder": {"name": ingest.embedder, "sha256": ""}}


def versions() -> dict[str, str]:
    """Versions of Python and of the packages whose work shows in the figures."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, Any]:
    """The processor's name and how many cores may be used."""
    lines = _CPUINFO.read_text().splitlines() if _CPUINFO.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {"cpu": names[0] if names else platform.machine(), "cores": available()}


def models_served(bundle: Mapping[str, Any]) -> dict[str, Any]:
    """Name and digest of each model that the services behind a replay bundle say they run, by service."""
    models = {name: service["model"] for name, service in bundle["services"].items()}
    return {n: {"name": m["name"], "sha256": m["digest"]} for n, m in models.items() if m is not None}
