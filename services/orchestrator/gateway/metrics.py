"""What does the gateway count and time?"""

from collections.abc import Sequence

from prometheus_client import Counter, Gauge, Histogram

from services.orchestrator.core.records import Submission

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)

REQUESTS = Counter("sightline_http_requests_total", "Requests by outcome", ["method", "route", "status"])
REQUEST_SECONDS = Histogram(
    "sightline_http_seconds", "Time of a request, streams to their end", ["method", "route"], buckets=SECONDS
)
STAGE_SECONDS = Histogram("sightline_stage_seconds", "Time of a stage", ["stage"], buckets=SECONDS)
STAGE_FAILURES = Counter("sightline_stage_failures_total", "Stages that failed", ["stage"])
UPLOADS = Counter("sightline_uploads_total", "Uploaded files by what became of them", ["outcome"])
JOBS = Gauge("sightline_jobs", "Jobs known to ingest, when it was last asked")
PLACES = Gauge("sightline_places_taken", "Requests being worked on, of those that are bounded", ["kind"])


def count_uploads(submissions: Sequence[Submission]) -> None:
    """One count a file: accepted, duplicate or refused."""
    for submission in submissions:
        outcome = "duplicate" if submission.duplicate else "accepted" if submission.job_id else "refused"
        UPLOADS.labels(outcome).inc()


def time_stage(name: str, duration_ms: float, *, failed: bool) -> None:
    """One observation a stage, by name, so that a variant counts as what it is."""
    STAGE_SECONDS.labels(name).observe(duration_ms / 1000)
    if failed:
        STAGE_FAILURES.labels(name).inc()
