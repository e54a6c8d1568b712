"""What does ingest count? Metrics for Prometheus, named once."""

from functools import partial

from prometheus_client import Counter, Gauge, Histogram

from services.ingest.jobs import JobBoard
from services.ingest.records import QUEUED, RUNNING

UPLOADS = Counter("sightline_ingest_uploads_total", "Files by what became of them", ["outcome"])
DOCUMENTS = Counter("sightline_ingest_documents_total", "Versions by their end", ["outcome"])
JOBS = Gauge("sightline_ingest_jobs", "Unfinished jobs by state", ["state"])
PARSE_SECONDS = Histogram(
    "sightline_ingest_parse_seconds",
    "Time to parse and chunk a document, its process included",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120),
)
PUBLISH_SECONDS = Histogram(
    "sightline_ingest_publish_seconds",
    "Time from a batch's first slice to its flip",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300),
)
REPAIRS = Counter("sightline_ingest_repairs_total", "Times an index was written anew", ["index"])


def watch_jobs(board: JobBoard) -> None:
    """Let the gauges read the board when they are asked."""
    for state in (QUEUED, RUNNING):
        JOBS.labels(state).set_function(partial(_count, board, state))


def _count(board: JobBoard, state: str) -> float:
    return board.states().get(state, 0)
