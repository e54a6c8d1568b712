"""Which commands only look: at suites, their documents, and the documentation?"""

import argparse
import json

from eval.datasets.checks import complaints_about
from eval.datasets.prepared import documents_of
from eval.datasets.suite import SuiteError, load_suite, resolved, suite_names
from eval.reporting import pictures, rendering
from eval.runs.stack import REPOSITORY

LEAST_PER_THEME = 4
DOCUMENTATION = ("README.md", "docs/evaluation.md")
PICTURES = REPOSITORY / "docs" / "plots"


def check(arguments: argparse.Namespace) -> int:
    """Reads a suite, resolves its quotes and says what speaks against it."""
    suite = load_suite(arguments.suite, arguments.theme)
    questions = [question for split in suite.questions.values() for question in split]
    references = {document.name: document.reference for document in documents_of(suite)}
    least = min(LEAST_PER_THEME, suite.least_per_kind) if arguments.theme else suite.least_per_kind
    complaints = complaints_about(questions, least)
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
    for suite in map(load_suite, suite_names()):
        counts = {split: len(questions) for split, questions in suite.questions.items()}
        listed.append(
            {
                "name": suite.name,
                "title": suite.title,
                "documents": len(documents_of(suite)),
                "questions": sum(counts.values()),
                "splits": counts,
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
    """Renders tables and plots, or says where the documentation differs from the results."""
    results = rendering.load_results()
    faults = pictures.stale(results, PICTURES) if arguments.check else []
    if not arguments.check:
        pictures.draw(results, PICTURES)
    for name in DOCUMENTATION:
        path = REPOSITORY / name
        text = path.read_text(encoding="utf-8")
        try:
            wanted = rendering.rendered(text, results)
        except rendering.RenderingError as error:
            faults.append(f"{name}, {error}")
            continue
        if wanted != text and arguments.check:
            faults.append(
                f"{name}: a table or figure is not as the results have it; run `python -m eval render`"
            )
        elif wanted != text:
            path.write_text(wanted, encoding="utf-8")
        faults += [f"{name}, {figure} names no result" for figure in rendering.unmeasured(wanted)]
    print("\n".join(faults) or "tables and figures are those of the results")
    return 1 if faults else 0
