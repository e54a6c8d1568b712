"""How are results and progress said, to people and to programs?"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eval.reporting import tables
from eval.reporting.cells import plain

# Which table is shown for which member of a result.
SHOWN = {
    "ablation": "rows",
    "kinds": "rows",
    "failures": "failures",
    "answers": "answers",
    "gate": "risk",
    "latency": "latency_ms",
}


def said(result: Mapping[str, Any]) -> str:
    """A suite's result as tables for a terminal."""
    head = (
        f"{result['title']}: {result['questions']} questions ({result['split'].replace('_', '-')} half), "
        f"{result['documents']} documents, {result['chunks']} chunks"
    )
    if result.get("only_list"):
        found = ", ".join(f"{name} {count}" for name, count in sorted(result["only_list"].items()))
        head += f"\nlabels that a single list found: {found}"
    known = (name for name, member in SHOWN.items() if member in result)
    return "\n\n".join((head, *(plain(tables.TABLES[name](result)) for name in known)))


def write(path: Path, result: Mapping[str, Any]) -> None:
    """Writes a result as JSON, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)


def json_progress(share: float, words: str) -> None:
    """One JSON object a line, for a program."""
    print(json.dumps({"progress": round(share, 4), "stage": words}), flush=True)


def said_progress(share: float, words: str) -> None:
    """One line that is overwritten, for a person; nothing where nobody watches."""
    if sys.stderr.isatty():
        print(f"\r{share:4.0%} {words:<60}", end="", file=sys.stderr, flush=True)
