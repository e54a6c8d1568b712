"""What do the fakes behind the gateway answer with?"""

from services.orchestrator.core.config import QueryConfig
from services.orchestrator.core.records import DocumentRecord, JobRecord, Reason, Submission
from services.orchestrator.core.trace import StagePlan, StageTrace, Trace
from services.orchestrator.engine import Event
from shared.candidate import Candidate, Evidence, ScoreType, Source, TextSpan

TEXT = "Naïve carriers 🚚 move tenants at night."


def candidate(stage: str = "select") -> Candidate:
    return Candidate(
        "chk_1",
        TextSpan("doc_1", 0, 5),
        (Evidence(stage, 1, 0.5, ScoreType.RRF),),
        Source(title="Handbook", file_name="handbook.md"),
        "Naïve",
    )


def trace(trace_id: str = "trc_1", config: QueryConfig | None = None) -> Trace:
    plan = StagePlan("select", "select", "Selection", "select")
    return Trace(
        trace_id=trace_id,
        question="why",
        workspace="default",
        generation=1,
        created_ms=1,
        config=config or QueryConfig(),
        plan=(plan,),
        stages=(StageTrace(plan=plan, candidates=(candidate(),), duration_ms=2.0),),
    )


ANSWER = {"trace_id": "trc_1", "answer": "At night [1].", "refused": False, "conversation_id": None}
EVENTS = [
    Event("trace", {"trace_id": "trc_1"}),
    Event("plan", {"question": "why", "stages": []}),
    Event("stage", {"id": "select", "name": "select", "duration_ms": 2.0, "error": None, "round": 0}),
    Event("context", {"packed": [], "round": 0}),
    Event("token", {"text": "At\u2028night", "round": 0}),
    Event("answer", ANSWER),
    Event("done", {}),
]


def refused(name: str, slug: str, status: int) -> Submission:
    return Submission(
        None, name, "failed", False, None, Reason(slug, "No", status, f"{name} is refused; fix it")
    )


def document() -> DocumentRecord:
    return DocumentRecord(
        id="doc_1",
        name="handbook.md",
        title="Handbook",
        media_type="text/markdown",
        size=10,
        sha256="ab",
        version=2,
        status="ready",
        reason=None,
        characters=len(TEXT),
        chunk_count=1,
        pages=(),
        warnings=(),
        created_ms=1,
        updated_ms=2,
    )


def job(state: str) -> JobRecord:
    return JobRecord(
        id="job_1",
        document_id="doc_1",
        document_name="handbook.md",
        state=state,
        stage="parse",
        progress=0.5,
        reason=None,
        created_ms=1,
        updated_ms=2,
    )
