"""Which arguments does each command take?"""

import argparse
from pathlib import Path

from eval.datasets.suite import SPLITS


def parser() -> argparse.ArgumentParser:
    """The command line of `python -m eval`; the chosen command is in `command`."""
    top = argparse.ArgumentParser(prog="python -m eval", description="Measures Sightline.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, words: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=words, description=words)

    run = command("run", "ask a suite on stacks of its own, or on a running gateway with --url")
    run.add_argument("--suite", default="golden")
    run.add_argument("--split", default="development", choices=SPLITS)
    run.add_argument("--rows", default="quick", help="quick, full or hash")
    run.add_argument("--every", type=_positive, default=1, metavar="K", help="only every k-th question")
    run.add_argument("--url", default="", help="a running gateway; one configuration is asked there")
    run.add_argument("--into-library", action="store_true", help="with --url: put the documents there")
    run.add_argument("--config", type=Path, help="with --url: a file with the query configuration")
    run.add_argument("--out", type=Path, help="where the result is written")
    run.add_argument("--progress", action="store_true", help="progress as JSON lines on standard output")

    gate = command("gate", "hold the newest result of a suite against the committed one")
    gate.add_argument("result", type=Path)

    accept = command("accept", "commit a result: later runs are held against it, tables are rendered from it")
    accept.add_argument("result", type=Path)

    compare = command("compare", "two results of the same questions")
    compare.add_argument("--json", action="store_true")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)

    check = command("check", "is a suite sound: labels, kinds, templates?")
    check.add_argument("--suite", default="golden")
    check.add_argument("--theme", default="", help="only one file of questions per split")

    suites = command("suites", "the suites that there are")
    suites.add_argument("--json", action="store_true")

    render = command("render", "write the tables of the documentation from the committed results")
    render.add_argument("--check", action="store_true", help="write nothing; fail where they differ")

    documents = command("documents", "write a suite's documents into a folder, to look at them")
    documents.add_argument("folder", type=Path)
    documents.add_argument("--suite", default="golden")

    beir = command("beir", "a folder laid out like those of BEIR")
    beir.add_argument("folder", type=Path)
    beir.add_argument("--every", type=_positive, default=1, metavar="K", help="only every k-th query")
    beir.add_argument("--out", type=Path)

    parsers = command("parsers", "how much of each document the parsers recover")
    parsers.add_argument("--suite", default="golden")
    parsers.add_argument(
        "--compare", action="store_true", help="beside other parsers, on generated PDFs and the golden ones"
    )
    parsers.add_argument("--ours-only", action="store_true", help="with --compare: leave the others out")
    parsers.add_argument(
        "--documents",
        "--manifest",
        type=Path,
        metavar="FOLDER",
        help="a folder of files: its PDFs beside other parsers, and what its manifest.json says of each",
    )
    parsers.add_argument("--out", type=Path)

    throughput = command("throughput", "pages a second beside plain text extraction of the same PDFs")
    throughput.add_argument("target", help="a folder of PDFs, or the word generated")
    throughput.add_argument("--rounds", type=_positive, default=5)
    throughput.add_argument("--out", type=Path)

    welds = command("welds", "how many words that were run together are found by their parts")
    welds.add_argument("--out", type=Path)

    scans = command("scans", "how many characters of a suite's PDFs are misread off pictures of them")
    scans.add_argument("--suite", default="golden")
    scans.add_argument("--out", type=Path)

    growth = command("growth", "latency and memory as the corpus grows")
    growth.add_argument("--sizes", type=_positive, nargs="+", default=[1_000, 10_000, 100_000])
    growth.add_argument("--queries", type=_positive, default=200)
    growth.add_argument("--out", type=Path)

    replay = command(
        "replay", "a stored trace or a replay bundle under another configuration, without models"
    )
    replay.add_argument("bundle", type=Path, help="a file from GET /v1/traces/{id}/bundle")
    replay.add_argument("--config", default="{}", help="JSON as /v1/search takes it")
    replay.add_argument("--out", type=Path, help="write the replay as a bundle again")
    return top


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return value
