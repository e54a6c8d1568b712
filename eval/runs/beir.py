"""How is a public collection asked: every row of the ablation, judged as the collection is judged?"""

from datetime import date
from pathlib import Path
from typing import Any

from eval.datasets.beir import Collection, load_beir
from eval.measures.latency import latency_of
from eval.runs.ablation import Asked, table, values_of
from eval.runs.asking import search_all
from eval.runs.collection import Ingested, Label, corpus_digest, ingest, labels_of
from eval.runs.judging import read_pipeline
from eval.runs.keeping import kept_data
from eval.runs.progress import Progress, part_of
from eval.runs.provenance import machine, models_of, versions
from eval.runs.rows import QUICK
from eval.runs.stack import IngestConfig, running_stack


def run_beir(folder: Path, every: int, working: Path, progress: Progress) -> dict[str, Any]:
    """Every row over every k-th judged query, with intervals and latency."""
    collection = load_beir(folder, every)
    configuration = IngestConfig()
    data = kept_data(working, f"beir-{collection.name}", collection.documents, configuration)
    with running_stack(data, configuration) as stack:
        ingested = ingest(stack.gateway, collection.documents, part_of(progress, 0.0, 0.4))
        if any(question.quotes for question in collection.questions):
            labels = labels_of(stack.gateway, collection.questions, ingested)
        else:
            labels = _document_labels(collection, ingested)
        recorded = search_all(stack.gateway, collection.questions, part_of(progress, 0.4, 1.0), {})
    asked = Asked(collection.questions, labels, recorded)
    values = {row.name: values_of(row, asked, read_pipeline()) for row in QUICK}
    return {
        "suite": collection.name,
        "title": collection.name,
        "split": f"every {every}" if every > 1 else "all",
        "date": date.today().isoformat(),
        "questions": len(collection.questions),
        "documents": len(collection.documents),
        "chunks": ingested.chunk_count,
        "corpus_digest": corpus_digest(collection.documents),
        "models": models_of(configuration),
        "versions": versions(),
        "machine": machine(),
        "rows": table(QUICK, values, {q.id: q.kind for q in collection.questions}),
        "latency_ms": latency_of([one.trace for one in recorded.values()]),
    }


def _document_labels(collection: Collection, ingested: Ingested) -> dict[str, tuple[Label, ...]]:
    """The relevant documents of each query as labels that any of their passages holds."""
    return {
        question.id: tuple(
            Label(name, ingested.document_ids[name], (), chunked=True, whole=True, grade=grade)
            for name, grade in sorted(collection.grades[question.id].items())
        )
        for question in collection.questions
    }
