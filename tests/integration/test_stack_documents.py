"""Does a real stack take each format, find it, answer from it, and forget it?"""

from pathlib import Path
from typing import Any

import pytest

from services.local.sample import sample_files
from tests.gateway import documents_of
from tests.stack import Stack

pytestmark = [pytest.mark.stack, pytest.mark.models]

# A question per format whose answer stands in that file alone.
QUESTIONS = {
    "tern3-user-guide.md": "how long must the handset be charged before the first use",
    "tern3-field-notes.txt": "what was the oxygen at dawn under the duckweed",
    "tern3-error-codes.csv": "what does code E11 on the display mean",
    "tern3-questions.html": "can the meter be used in sea water",
    "tern3-warranty.docx": "how many working days does a repair take",
    "tern3-datasheet.pdf": "how much does the handset weigh",
}


@pytest.fixture(scope="module")
def loaded(stack: Stack) -> dict[str, str]:
    """Document ids of the sample corpus by name."""
    return stack.add({path.name: path.read_bytes() for path in sample_files()})


def test_there_is_a_question_for_each_format() -> None:
    assert set(QUESTIONS) == {path.name for path in sample_files()}


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_each_format_is_found_by_its_question(stack: Stack, loaded: dict[str, str], name: str) -> None:
    found = stack.search(QUESTIONS[name])
    assert found["candidates"][0]["span"]["document_id"] == loaded[name]
    assert not [stage["error"] for stage in found["stages"] if stage["error"]]


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_answer_quotes_the_document_it_cites(stack: Stack, loaded: dict[str, str], name: str) -> None:
    answer = stack.query(QUESTIONS[name])
    assert not answer["refused"], answer
    cited = [c for c in answer["citations"] if c["document_id"] == loaded[name]]
    assert cited, answer
    for citation in cited:
        span = {"start": citation["start"], "end": citation["end"]}
        text = stack.http.get(f"/v1/documents/{loaded[name]}/text", params=span).json()["text"]
        assert citation["quote"] in text


def test_events_come_in_the_order_of_the_contract(stack: Stack, loaded: dict[str, str]) -> None:
    kinds = [event.kind for event in stack.events(QUESTIONS["tern3-user-guide.md"])]
    firsts = sorted(set(kinds), key=kinds.index)
    assert firsts == ["trace", "plan", "stage", "context", "token", "answer", "done"]
    assert kinds[-2:] == ["answer", "done"]
    assert max(i for i, kind in enumerate(kinds) if kind == "stage") < kinds.index("token")


def test_stage_times_add_up_to_the_whole(stack: Stack, loaded: dict[str, str]) -> None:
    """Along the critical path a stage begins soon after the last of its inputs ended; a busy machine takes
    its time between them."""
    stages: dict[str, Any] = {s["id"]: s for s in stack.search(QUESTIONS["tern3-warranty.docx"])["stages"]}
    last = max(stages.values(), key=lambda s: s["started_ms"] + s["duration_ms"])
    whole = last["started_ms"] + last["duration_ms"] - min(s["started_ms"] for s in stages.values())
    along = 0.0
    while True:
        along += last["duration_ms"]
        inputs = [stages[i] for i in last["inputs"]]
        if not inputs:
            break
        last = max(inputs, key=lambda s: s["started_ms"] + s["duration_ms"])
    assert 0.6 * whole - 5 <= along <= 1.05 * whole + 5


def test_deleted_document_is_gone_everywhere(stack: Stack) -> None:
    name = "to-be-forgotten.md"
    words = "The quagga of the attic winds the clock at noon"
    document_id = stack.add({name: f"# Forgotten\n\n{words}.\n".encode()})[name]
    assert document_id in documents_of(stack.search(words)["candidates"])
    assert stack.http.delete(f"/v1/documents/{document_id}").status_code in (200, 202, 204)
    for path in ("", "/text", "/original", "/chunks"):
        assert stack.http.get(f"/v1/documents/{document_id}{path}").status_code == 404, path
    for stage in stack.search(words)["stages"]:
        assert document_id not in documents_of(stage["candidates"]), stage["id"]


def test_page_or_the_way_to_get_it_is_served(stack: Stack, repository: Path) -> None:
    page = stack.http.get("/")
    built = (repository / "services/orchestrator/ui/dist/index.html").exists()
    assert page.status_code == (200 if built else page.status_code)
    assert ("<script" if built else "Node") in page.text
