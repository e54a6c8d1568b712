"""Which suites do tests write into a folder of their own?"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from eval.datasets import suite

TUGS = """+++
format = "md"
title = "Tug trials"
+++
# Tug trials

The 2024 trial of the tug Havørn recorded a bollard pull of 62 tonnes.

The tug Alke was not tried. It lies at Quay 7.
"""
LIGHTS = "light,colour\nInner mole,red\nOuter mole,green\n"
PULL = """[[question]]
id = "pull"
kind = "exact"
text = "What bollard pull was recorded for the tug Havørn?"
answer = "62 tonnes"
quotes = [ { document = "tug-trials.md", text = "recorded a bollard pull of 62 tonnes" } ]
mentions = ["62"]
forbidden = ["58"]
"""
MOON = """[[question]]
id = "moon"
kind = "out_of_scope"
text = "How far is the moon?"
"""


def written(
    monkeypatch: pytest.MonkeyPatch,
    suites: Path,
    questions: Mapping[str, str],
    *,
    described: str = 'title = "Tugs"',
    documents: Mapping[str, str] | None = None,
) -> None:
    """A suite called `tugs`, questions by path below `questions/`, as the only one that there is."""
    folder = suites / "tugs"
    (folder / "documents").mkdir(parents=True)
    (folder / "suite.toml").write_text(described, encoding="utf-8")
    for name, text in (documents or {"tug-trials.md": TUGS, "lights.csv": LIGHTS}).items():
        (folder / "documents" / name).write_text(text, encoding="utf-8")
    for name, text in questions.items():
        path = folder / "questions" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(suite, "SUITES", suites)
