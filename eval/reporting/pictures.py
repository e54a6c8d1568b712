"""Which pictures does the documentation show, and are they of the results as they stand?"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Results = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Picture:
    """A file, the drawing that it shows, and the result that it is drawn from."""

    file: str
    drawing: str
    result: str


PICTURES = (
    Picture("ablation.svg", "ablation", "golden-development"),
    Picture("ablation-full.svg", "ablation", "golden-development-full"),
    Picture("failures.svg", "failures", "golden-development"),
    Picture("risk-coverage.svg", "risk_coverage", "golden-development"),
    Picture("growth.svg", "growth", "growth"),
)


def draw(results: Results, folder: Path) -> None:
    """Writes the picture of every result that there is. ImportError without the extra `plots`."""
    from eval.reporting.plots import svg  # the one place that needs matplotlib

    folder.mkdir(parents=True, exist_ok=True)
    for picture in _drawable(results):
        words = svg(picture.drawing, results[picture.result], _remark(picture, results))
        (folder / picture.file).write_text(words, encoding="utf-8")


def stale(results: Results, folder: Path) -> list[str]:
    """The files that are missing or drawn from another result, in words; nothing is drawn to find out."""
    return [
        f"{picture.file} is not of the result {picture.result}; run `python -m eval render`"
        for picture in _drawable(results)
        if not _says((folder / picture.file), _remark(picture, results))
    ]


def _drawable(results: Results) -> list[Picture]:
    return [picture for picture in PICTURES if picture.result in results]


def _remark(picture: Picture, results: Results) -> str:
    digest = hashlib.sha256(json.dumps(results[picture.result], sort_keys=True).encode()).hexdigest()
    return f"{picture.result}.json, sha256 of its content {digest}"


def _says(path: Path, remark: str) -> bool:
    return path.exists() and remark in path.read_text(encoding="utf-8")
