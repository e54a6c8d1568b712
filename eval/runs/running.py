"""How does a suite become a result: one stack per ingest configuration, every row over what they recorded?"""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from eval.datasets.prepared import Prepared
from eval.measures.latency import latency_of
from eval.runs.ablation import Asked, Values, asked_live, orders_of, table, values_of
from eval.runs.asking import ask_all
from eval.runs.collection import corpus_digest, ingest, labels_of
from eval.runs.judging import read_pipeline
from eval.runs.outcomes import outcomes_of
from eval.runs.progress import Progress, part_of
from eval.runs.provenance import machine, models_of, versions
from eval.runs.rows import Row
from eval.runs.stack import IngestConfig, Stack, running_stack


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
    orders: dict[str, dict[str, str]] = {}
    found: dict[str, Any] = {}
    pipeline = read_pipeline()
    configurations = list(dict.fromkeys(row.ingest for row in plan.rows))
    for number, configuration in enumerate(configurations):
        rows = [row for row in plan.rows if row.ingest == configuration]

        def said(share: float, words: str, number: int = number) -> None:
            progress((number + share) / len(configurations), words)

        with running_stack(_data(plan, configuration), configuration) as stack:
            asked, more = _recorded(stack, plan, configuration, said)
            for row in rows:
                recorded = asked_live(stack.gateway, row, asked, said) if row.live else asked
                values[row.name] = values_of(row, recorded, pipeline)
                if configuration.embedder == "hash":
                    orders[row.name] = orders_of(row, recorded, pipeline)
            found = found or more
    return {
        **_head(plan, configurations[0]),
        "rows": [
            {**row, "orders": orders[row["name"]]} if row["name"] in orders else row
            for row in table(plan.rows, values, {q.id: q.kind for q in plan.prepared.questions})
        ],
        **found,
    }


def _recorded(
    stack: Stack, plan: Plan, configuration: IngestConfig, progress: Progress
) -> tuple[Asked, dict[str, Any]]:
    ingested = ingest(stack.gateway, plan.prepared.documents, part_of(progress, 0.0, 0.45))
    questions = plan.prepared.questions
    labels = labels_of(stack.gateway, questions, ingested)
    recorded = ask_all(stack.gateway, questions, part_of(progress, 0.45, 0.95))
    asked = Asked(questions, labels, recorded)
    return asked, {
        "chunks": ingested.chunk_count,
        **outcomes_of(asked),
        "latency_ms": latency_of([r.trace for r in recorded.values()]),
        "memory_mib": stack.memory_mib(),
    }


def _head(plan: Plan, configuration: IngestConfig) -> dict[str, Any]:
    return {
        "suite": plan.prepared.suite.name,
        "title": plan.prepared.suite.title,
        "split": plan.prepared.split,
        "date": plan.today,
        "questions": len(plan.prepared.questions),
        "documents": len(plan.prepared.documents),
        "corpus_digest": corpus_digest(plan.prepared.documents),
        "models": models_of(configuration),
        "versions": versions(),
        "machine": machine(),
    }


def _data(plan: Plan, configuration: IngestConfig) -> Path:
    """A folder per corpus and ingest configuration, so that what is embedded once stays embedded."""
    digest = hashlib.sha256(json.dumps(asdict(configuration)).encode())
    for document in plan.prepared.documents:
        digest.update(document.data)
    return plan.folder / "stacks" / digest.hexdigest()[:12]
