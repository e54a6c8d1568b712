"""How does a suite become a result: one stack per ingest configuration, every row over what they recorded?"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.datasets.prepared import Prepared
from eval.datasets.suite import HELD_OUT
from eval.measures.latency import latency_of
from eval.runs.ablation import Asked, Values, asked_live, orders_of, table, values_of
from eval.runs.asking import ask_all, search_all
from eval.runs.collection import ingest, labels_of
from eval.runs.judging import read_pipeline
from eval.runs.keeping import kept_data
from eval.runs.outcomes import outcomes_of, rates_of
from eval.runs.progress import Progress, part_of
from eval.runs.provenance import head, models_of
from eval.runs.rows import NO_RERANK, Row
from eval.runs.stack import Stack, running_stack


@dataclass(frozen=True, slots=True)
class Plan:
    """What is run, on which day, with stacks in which folder."""

    prepared: Prepared
    rows: tuple[Row, ...]
    folder: Path
    today: str


def run(plan: Plan, progress: Progress) -> dict[str, Any]:
    """The result of a suite as it is written to its file."""
    values: dict[str, Values] = {}
    more: dict[str, dict[str, Any]] = {}
    first: dict[str, Any] = {}
    configurations = list(dict.fromkeys(row.ingest for row in plan.rows))
    for number, configuration in enumerate(configurations):
        rows = [row for row in plan.rows if row.ingest == configuration]
        part = part_of(progress, number / len(configurations), (number + 1) / len(configurations))
        data = kept_data(plan.folder, plan.prepared.suite.name, plan.prepared.documents, configuration)
        with running_stack(data, configuration) as stack:
            found, of_rows, beside = _measured(stack, plan, rows, part)
        values |= found
        more |= of_rows
        first = first or beside
    if plan.prepared.split == HELD_OUT:
        first.pop("failed", None)  # says what right answers hold, and those are not to be known
    kinds = {question.id: question.kind for question in plan.prepared.questions}
    rows_of_table = [{**row, **more.get(row["name"], {})} for row in table(plan.rows, values, kinds)]
    gate = "exact" if configurations[0].embedder == "hash" else plan.prepared.suite.gate
    return {
        "gate": gate,
        **head(plan.prepared, models_of(configurations[0]), plan.today),
        **first,
        "rows": rows_of_table,
    }


def _measured(
    stack: Stack, plan: Plan, rows: Sequence[Row], progress: Progress
) -> tuple[dict[str, Values], dict[str, dict[str, Any]], dict[str, Any]]:
    """Metrics by row, what else is known of single rows, and what is known of the stack as a whole."""
    pipeline = read_pipeline()
    questions = plan.prepared.questions
    ingested = ingest(stack.gateway, plan.prepared.documents, part_of(progress, 0.0, 0.45))
    labels = labels_of(stack.gateway, questions, ingested)
    asking = part_of(progress, 0.45, 0.95)
    answered = any(row.graded for row in rows)
    ask = ask_all if answered else search_all
    recorded = ask(stack.gateway, questions, asking, {} if any(row.reads for row in rows) else NO_RERANK)
    asked = Asked(questions, labels, recorded)
    values: dict[str, Values] = {}
    more: dict[str, dict[str, Any]] = {}
    for row in rows:
        values[row.name] = values_of(
            row, asked_live(stack.gateway, row, asked, asking) if row.live else asked, pipeline
        )
        if row.ingest.embedder == "hash":
            more[row.name] = {"orders": orders_of(row, asked, pipeline)}
        if row.graded:
            more[row.name] = {"answers": rates_of(asked), "chunks": ingested.chunk_count}
    beside = {
        "chunks": ingested.chunk_count,
        **(outcomes_of(asked) if answered else {}),
        "latency_ms": latency_of([one.trace for one in recorded.values()]),
        "memory_mib": stack.memory_mib(),
    }
    return values, more, beside
