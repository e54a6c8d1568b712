"""Which commands are there, and which arguments do they take?"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence

from eval.checks import complaints_about
from eval.corpus.build import write_documents
from eval.suite import SuiteError, load_suite, resolved

LEAST_PER_KIND = 12
LEAST_PER_THEME = 4


def check(arguments: argparse.Namespace) -> int:
    """Reads a suite, resolves its quotes and says what speaks against it."""
    suite = load_suite(arguments.suite, arguments.theme)
    questions = [question for split in suite.questions.values() for question in split]
    references = {
        document.name: document.reference for document in write_documents(suite.folder / "documents")
    }
    least = LEAST_PER_THEME if arguments.theme else LEAST_PER_KIND
    complaints = complaints_about(questions, least)
    try:
        resolved(questions, references)
    except SuiteError as error:
        complaints.extend(str(error).splitlines())
    print(
        "\n".join(complaints) or f"{len(questions)} questions over {len(references)} documents: all is well"
    )
    return 1 if complaints else 0


COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {"check": check}


def main(argv: Sequence[str]) -> int:
    """The exit code: 0 fine, 1 what was measured is not as wanted, 2 it could not be measured."""
    arguments = _parser().parse_args(argv)
    try:
        return COMMANDS[arguments.command](arguments)
    except SuiteError as error:
        print(error, file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m eval", description="Measures Sightline.")
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser("check", help="is a suite sound?")
    checking.add_argument("--suite", default="golden")
    checking.add_argument("--theme", default="", help="only one file of questions per split")
    return parser
