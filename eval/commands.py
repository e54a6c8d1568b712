"""What does each command do? What they print is for people; what they return is an exit code."""

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from eval import rendering, report
from eval.arguments import parser
from eval.checks import complaints_about
from eval.collection import Progress
from eval.gates import NotComparable, exact, statistical
from eval.on_gateway import run_on
from eval.prepared import documents_of, prepared
from eval.rows import FULL, HASH, QUICK, Row
from eval.running import Plan, run
from eval.settings import working_folder
from eval.stack import REPOSITORY, StackFailed
from eval.suite import SuiteError, load_suite, resolved, suite_names

LEAST_PER_KIND = 12
LEAST_PER_THEME = 4
ROWS: Mapping[str, tuple[Row, ...]] = {"quick": QUICK, "full": FULL, "hash": HASH}
DOCUMENTATION = ("README.md", "docs/evaluation.md")


def run_suite(arguments: argparse.Namespace) -> int:
    """Runs a suite, prints its tables, and holds it against the committed result."""
    ready = prepared(arguments.suite, arguments.split, arguments.every)
    progress = _json_progress if arguments.progress else _said_progress
    if arguments.url:
        config = json.loads(arguments.config.read_text()) if arguments.config else {}
        result = run_on(arguments.url, ready, config, progress)
        _write(arguments.out or _default_out(arguments), result)
        return 0
    if arguments.rows not in ROWS:
        raise SuiteError(f"there are no rows {arguments.rows!r}; there are {', '.join(ROWS)}")
    plan = Plan(ready, ROWS[arguments.rows], working_folder(), date.today().isoformat())
    result = run(plan, progress)
    out = arguments.out or _default_out(arguments)
    _write(out, result)
    print(_said(result))
    print(f"\nwritten to {out}")
    return 0 if arguments.every > 1 else _held_against_committed(result, out.stem)


def gate(arguments: argparse.Namespace) -> int:
    """Holds a result against the committed one of the same name."""
    return _held_against_committed(json.loads(arguments.result.read_text()), arguments.result.stem)


def accept(arguments: argparse.Namespace) -> int:
    """Makes a result the committed one."""
    shutil.copyfile(arguments.result, rendering.RESULTS / arguments.result.name)
    print(f"{arguments.result.stem} is what later runs are held against; now run `python -m eval render`")
    return 0


def check(arguments: argparse.Namespace) -> int:
    """Reads a suite, resolves its quotes and says what speaks against it."""
    suite = load_suite(arguments.suite, arguments.theme)
    questions = [question for split in suite.questions.values() for question in split]
    references = {document.name: document.reference for document in documents_of(suite)}
    complaints = complaints_about(questions, LEAST_PER_THEME if arguments.theme else LEAST_PER_KIND)
    try:
        resolved(questions, references)
    except SuiteError as error:
        complaints.extend(str(error).splitlines())
    print(
        "\n".join(complaints) or f"{len(questions)} questions over {len(references)} documents: all is well"
    )
    return 1 if complaints else 0


def suites(arguments: argparse.Namespace) -> int:
    """Lists the suites."""
    listed = []
    for name in suite_names():
        suite = load_suite(name)
        counts = {split: len(questions) for split, questions in suite.questions.items()}
        documents = len(documents_of(suite))
        listed.append(
            {
                "name": name,
                "title": suite.title,
                "documents": documents,
                "splits": counts,
                "questions": sum(counts.values()),
            }
        )
    if arguments.json:
        print(json.dumps({"suites": listed}))
    else:
        print("\n".join(f"{s['name']}: {s['title']}, {s['questions']} questions" for s in listed))
    return 0


def documents(arguments: argparse.Namespace) -> int:
    """Writes a suite's documents."""
    arguments.folder.mkdir(parents=True, exist_ok=True)
    written = documents_of(load_suite(arguments.suite))
    for document in written:
        (arguments.folder / document.name).write_bytes(document.data)
    print(f"{len(written)} documents are in {arguments.folder}")
    return 0


def render(arguments: argparse.Namespace) -> int:
    """Renders tables, or says where the documentation differs from the results."""
    results = rendering.load_results()
    faults = []
    for name in DOCUMENTATION:
        path = REPOSITORY / name
        text = path.read_text()
        wanted = rendering.rendered(text, results)
        if wanted != text and arguments.check:
            faults.append(f"{name}: a table is not as the results have it; run `python -m eval render`")
        elif wanted != text:
            path.write_text(wanted)
        faults += [f"{name}, {figure} is in no result" for figure in rendering.unmeasured(wanted, results)]
    print("\n".join(faults) or "tables and figures are those of the results")
    return 1 if faults else 0


COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "run": run_suite,
    "gate": gate,
    "accept": accept,
    "check": check,
    "suites": suites,
    "documents": documents,
    "render": render,
}


def main(argv: Sequence[str]) -> int:
    """The exit code: 0 fine, 1 what was measured is not as wanted, 2 it could not be measured."""
    arguments = parser().parse_args(argv)
    try:
        return COMMANDS[arguments.command](arguments)
    except (SuiteError, StackFailed, NotComparable) as error:
        print(error, file=sys.stderr)
        return 2


def _held_against_committed(result: Mapping[str, Any], name: str) -> int:
    committed = rendering.RESULTS / f"{name}.json"
    if not committed.exists():
        print(f"nothing is committed as {name}: accept this result to hold later ones against it")
        return 0
    before = json.loads(committed.read_text())
    judgement = (exact if "orders" in result["rows"][0] else statistical)(result, before)
    print(f"\nagainst the committed result of {before['date']}:", *judgement.lines, sep="\n  ")
    print("the gate is open" if judgement.passed else "THE GATE IS SHUT: something became worse")
    return 0 if judgement.passed else 1


def _said(result: Mapping[str, Any]) -> str:
    head = (
        f"{result['title']}: {result['questions']} questions ({result['split'].replace('_', '-')} half), "
        f"{result['documents']} documents, {result['chunks']} chunks"
    )
    tables = ("ablation", "kinds", "failures", "answers", "gate", "latency")
    return "\n\n".join((head, *(report.plain(report.TABLES[name](result)) for name in tables)))


def _default_out(arguments: argparse.Namespace) -> Path:
    rows = "" if arguments.rows == "quick" else f"-{arguments.rows}"
    return working_folder() / "results" / f"{arguments.suite}-{arguments.split}{rows}.json"


def _write(path: Path, result: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=1, sort_keys=False, ensure_ascii=False) + "\n")


def _json_progress(share: float, words: str) -> None:
    print(json.dumps({"progress": round(share, 4), "stage": words}), flush=True)


def _said_progress(share: float, words: str) -> None:
    end = "\r" if sys.stderr.isatty() else "\n"
    print(f"{share:4.0%} {words:<60}", end=end, file=sys.stderr, flush=True)
