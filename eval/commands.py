"""What does each command do? What they print is for people; what they return is an exit code."""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from client.errors import ClientError
from eval.arguments import parser
from eval.datasets.prepared import prepared
from eval.datasets.suite import SuiteError, suite_names
from eval.inspecting import check, documents, render, suites
from eval.parsing.manifest import MANIFEST
from eval.printing import json_progress, said, said_progress, write
from eval.reporting import reading_tables, tables
from eval.reporting.cells import plain
from eval.reporting.rendering import RESULTS, RenderingError
from eval.runs.ablation import DECISIVE
from eval.runs.asking import RunFailed
from eval.runs.beir import run_beir
from eval.runs.bundles import moved, read_bundle, replay, write_bundle
from eval.runs.comparing import compared
from eval.runs.gates import GATES, NotComparable
from eval.runs.growth import grown
from eval.runs.on_gateway import run_on
from eval.runs.parsers import manifest, scored
from eval.runs.rows import FULL, HASH, QUICK, Row
from eval.runs.running import Plan, run
from eval.runs.scans import misread
from eval.runs.side_by_side import MARGIN, below, generated, real
from eval.runs.stack import StackFailed
from eval.runs.throughput import throughput
from eval.runs.welds import welds
from eval.settings import working_folder

ROWS: Mapping[str, tuple[Row, ...]] = {"quick": QUICK, "full": FULL, "hash": HASH}


def run_suite(arguments: argparse.Namespace) -> int:
    """Runs a suite, prints its tables, and holds it against the committed result."""
    if arguments.rows not in ROWS:
        raise SuiteError(f"there are no rows {arguments.rows!r}; there are {', '.join(ROWS)}")
    ready = prepared(arguments.suite, arguments.split, arguments.every)
    progress = json_progress if arguments.progress else said_progress
    if arguments.url:
        config = _read(arguments.config) if arguments.config else {}
        result = run_on(arguments.url, ready, config, progress, into_library=arguments.into_library)
        write(arguments.out or _out(arguments, "gateway"), result)
        return 0
    plan = Plan(ready, ROWS[arguments.rows], working_folder(), _today())
    result = run(plan, progress)
    usual = _out(arguments, arguments.rows)
    out = arguments.out or usual
    write(out, result)
    print(said(result))
    print(f"\nwritten to {out}")
    return 0 if arguments.every > 1 else _held_against_committed(result, usual.stem)


def gate(arguments: argparse.Namespace) -> int:
    """Holds a result against the committed one of the same name."""
    return _held_against_committed(_read(arguments.result), arguments.result.stem)


def accept(arguments: argparse.Namespace) -> int:
    """Makes a result the committed one."""
    result = _read(arguments.result)
    if result.get("every", 1) > 1:
        raise SuiteError(f"{arguments.result} is of every {result['every']}. question: run the suite whole")
    if result.get("suite", arguments.result.stem) not in (*suite_names(), arguments.result.stem):
        raise SuiteError(f"{arguments.result} is of {result['suite']}, which is no suite of this repository")
    write(RESULTS / arguments.result.name, result)
    print(f"{arguments.result.stem} is what later runs are held against; now run `python -m eval render`")
    return 0


def compare(arguments: argparse.Namespace) -> int:
    """Two results of one configuration each, metric by metric."""
    found = compared(_read(arguments.before), _read(arguments.after))
    print(json.dumps(found) if arguments.json else plain(tables.comparison(found)))
    return 0


def beir(arguments: argparse.Namespace) -> int:
    """A public collection, judged as it is judged elsewhere."""
    result = run_beir(arguments.folder, arguments.every, working_folder(), said_progress)
    write(arguments.out or working_folder() / "results" / f"beir-{result['suite']}.json", result)
    print(plain(tables.beir(result)))
    print(plain(tables.latency(result)))
    return 0


def parsers(arguments: argparse.Namespace) -> int:
    """Word recovery, reading order and table cells; beside other parsers; or a folder of files."""
    if arguments.documents:
        return _folder_read(arguments)
    if arguments.compare:
        return _side_by_side(arguments)
    result = scored(arguments.suite, _today(), said_progress)
    write(arguments.out or working_folder() / "results" / f"parsers-{arguments.suite}.json", result)
    print(plain(reading_tables.parsers(result)))
    return 0


def scans(arguments: argparse.Namespace) -> int:
    """Characters misread off pictures of a suite's PDFs."""
    result = misread(arguments.suite, _today(), said_progress)
    write(arguments.out or working_folder() / "results" / f"scans-{arguments.suite}.json", result)
    print(plain(reading_tables.scans(result)))
    return 0


def _folder_read(arguments: argparse.Namespace) -> int:
    """What a folder's manifest says, where it has one, and its PDFs beside other parsers."""
    found: dict[str, Any] = {"pdfs": real(arguments.documents, said_progress)}
    if (arguments.documents / MANIFEST).exists():
        found["manifest"] = manifest(arguments.documents, said_progress)
        print(plain(reading_tables.manifest(found["manifest"])), end="\n\n")
    print(plain(reading_tables.recovery(found["pdfs"])))
    lines = [row["file"] for row in below(found["pdfs"])]
    print(f"\nanother parser recovers more, by over {MARGIN}: {', '.join(lines) or 'of no file'}")
    if arguments.out:
        write(arguments.out, found)
    return 0


def _side_by_side(arguments: argparse.Namespace) -> int:
    """Parsers beside each other; ours is held against the committed result, document by document."""
    result = generated(_today(), said_progress, others=not arguments.ours_only)
    out = arguments.out or working_folder() / "results" / "parsers-generated.json"
    write(out, result)
    print(plain(reading_tables.side_by_side(result)))
    print(f"\nwritten to {out}")
    return _held_against_committed(result, "parsers-generated")


def pages_per_second(arguments: argparse.Namespace) -> int:
    """Ours beside plain extraction of the same files."""
    result = throughput(arguments.target, arguments.rounds, _today(), said_progress)
    write(arguments.out or working_folder() / "results" / f"throughput-{result['target']}.json", result)
    print(plain(reading_tables.throughput(result)))
    return 0


def welded(arguments: argparse.Namespace) -> int:
    """Which welds are found by their parts."""
    result = welds(_today(), said_progress)
    write(arguments.out or working_folder() / "results" / "welds.json", result)
    print(plain(reading_tables.welds(result)))
    return 0


def growth(arguments: argparse.Namespace) -> int:
    """Latency per stage and memory at each size."""
    result = grown(arguments.sizes, arguments.queries, _today(), said_progress)
    write(arguments.out or working_folder() / "results" / "growth.json", result)
    print(plain(tables.growth(result)))
    return 0


def replayed(arguments: argparse.Namespace) -> int:
    """One recorded question under another configuration."""
    before = read_bundle(arguments.bundle)
    try:
        config = json.loads(arguments.config)
    except ValueError as error:
        raise SuiteError(f"--config is no JSON: {error}") from error
    after = replay(before, config)
    if arguments.out:
        write_bundle(arguments.out, after)
    print(f"{before.question}\ngate: {(after.context or {})['gate']['reason']}")
    print(plain(moved(before, after)))
    return 0


COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "run": run_suite,
    "gate": gate,
    "accept": accept,
    "compare": compare,
    "check": check,
    "suites": suites,
    "documents": documents,
    "render": render,
    "beir": beir,
    "parsers": parsers,
    "scans": scans,
    "throughput": pages_per_second,
    "welds": welded,
    "growth": growth,
    "replay": replayed,
}


def main(argv: Sequence[str]) -> int:
    """The exit code: 0 fine, 1 what was measured is not as wanted, 2 it could not be measured."""
    arguments = parser().parse_args(argv)
    signal.signal(signal.SIGTERM, _ended)  # so that stacks end with the evaluation
    try:
        return COMMANDS[arguments.command](arguments)
    except (SuiteError, StackFailed, RunFailed, NotComparable, RenderingError, ClientError, OSError) as error:
        print(error, file=sys.stderr)
        return 2


def _held_against_committed(result: Mapping[str, Any], name: str) -> int:
    committed = RESULTS / f"{name}.json"
    if not committed.exists():
        raise NotComparable(
            f"nothing is committed as {name}: `python -m eval accept` makes this result the one"
        )
    if result.get("gate") not in GATES:
        raise NotComparable(f"{name} names no gate: only what `python -m eval run` measured can be held")
    before = _read(committed)
    judgement = GATES[result["gate"]](result, before)
    held = DECISIVE if "rows" in result else "each figure"
    print(f"\n{held} against the committed result of {before['date']}:", *judgement.lines, sep="\n  ")
    print("the gate is open" if judgement.passed else "THE GATE IS SHUT: something became worse")
    return 0 if judgement.passed else 1


def _read(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SuiteError(f"{path} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise SuiteError(f"{path} holds no JSON object")
    return found


def _out(arguments: argparse.Namespace, rows: str) -> Path:
    parts = (arguments.suite, arguments.split.replace("_", "-"), *([] if rows == "quick" else [rows]))
    return working_folder() / "results" / f"{'-'.join(parts)}.json"


def _today() -> str:
    return date.today().isoformat()


def _ended(number: int, _: object) -> None:
    sys.exit(128 + number)
