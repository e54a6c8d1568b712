"""How is a suite asked on a gateway that is running already, under one configuration?"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from client.gateway import Sightline
from eval.corpus.build import Written
from eval.datasets.prepared import Prepared
from eval.datasets.suite import HELD_OUT, SuiteError
from eval.measures.latency import latency_of
from eval.runs.ablation import Asked, metrics_of, values_of
from eval.runs.asking import ASKED_WITH, ask_all, merged_config
from eval.runs.collection import ingest, labels_of
from eval.runs.judging import read_pipeline
from eval.runs.outcomes import outcome_rows, outcomes_of
from eval.runs.progress import Progress, part_of
from eval.runs.provenance import head, models_served
from eval.runs.rows import Row
from eval.settings import workspace_headers

# Members of a result that tell of no single question: all that may be told of the held-out half.
_HEAD = ("suite", "title", "split", "date", "every", "documents", "chunks", "corpus_digest")
_STACK = ("questions_digest", "models", "versions", "machine", "commit", "config")
_FIGURES = ("metrics", "failures", "only_list", "answers", "risk", "latency_ms")
OF_ALL = frozenset((*_HEAD, *_STACK, *_FIGURES))


def run_on(
    url: str,
    ready: Prepared,
    config: Mapping[str, Any],
    progress: Progress,
    *,
    into_library: bool = False,
) -> dict[str, Any]:
    """Metrics with intervals, and each question with its trace, metrics and where it was lost.

    Of the held-out half only what is said of all questions together. The documents go to a workspace apart
    where the gateway itself started the run. SuiteError where it did not, unless they may go `into_library`.
    """
    headers = workspace_headers(ready.suite.name)
    if not headers and not into_library:
        raise SuiteError(
            "this would put the suite's documents into that gateway's library; "
            "use POST /v1/eval/runs, or pass --into-library"
        )
    with Sightline(url, headers=headers) as gateway:
        if headers:
            _remove_unwanted(gateway, ready.documents)
        ingested = ingest(gateway, ready.documents, part_of(progress, 0.0, 0.4))
        labels = labels_of(gateway, ready.questions, ingested)
        asked_with = _answered_alike(config)
        recorded = ask_all(gateway, ready.questions, part_of(progress, 0.4, 1.0), asked_with)
        asked = Asked(ready.questions, labels, recorded)
        values = values_of(Row(name="run", words="", config=config), asked, read_pipeline())
        models = models_served(gateway.bundle(next(iter(recorded.values())).trace.trace_id))
        result = {
            **head(ready, models, datetime.now(UTC).date().isoformat()),
            "chunks": ingested.chunk_count,
            "config": asked_with,
            "metrics": metrics_of(values),
            **outcomes_of(asked),
            "latency_ms": latency_of([one.trace for one in recorded.values()]),
            "questions": [{**row, "metrics": values.get(row["id"], {})} for row in outcome_rows(asked)],
        }
        return _of_all(result) if ready.split == HELD_OUT else result


def _remove_unwanted(gateway: Sightline, documents: Sequence[Written]) -> None:
    """Deletes what an earlier version of the suite left in its workspace, and would rank beside this one."""
    wanted = {document.name for document in documents}
    for document in [document for document in gateway.documents() if document.name not in wanted]:
        gateway.delete(document.id)


def _of_all(result: Mapping[str, Any]) -> dict[str, Any]:
    """The result without anything that is said of one question: who saw it would tune on it."""
    return {**{key: value for key, value in result.items() if key in OF_ALL}, "questions": []}


def _answered_alike(config: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration with who answers; `auto` would be whom the machine happens to have."""
    provider = config.get("answer", {}).get("provider", "auto")
    return merged_config(config, ASKED_WITH if provider == "auto" else {})
