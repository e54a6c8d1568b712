"""Is what a stack embedded kept for the very same documents and code, and for nothing else?"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from eval.corpus.build import Written
from eval.runs import keeping
from eval.runs.asking import RunFailed, ask_all, search_all
from eval.runs.keeping import indexing_digest, kept_data
from eval.runs.stack import IngestConfig
from tests.unit.eval.fake_gateway import FakeGateway
from tests.unit.eval.run_samples import answer, degraded, question, trace

DOCUMENTS = (Written("a.md", b"one", ""), Written("b.md", b"two", ""))
HASHED = IngestConfig(embedder="hash")


def test_folder_is_the_same_for_the_same_documents_and_configuration(tmp_path: Path) -> None:
    kept = kept_data(tmp_path, "golden", DOCUMENTS, HASHED)
    assert kept.parent == tmp_path / "stacks"
    assert kept_data(tmp_path, "golden", DOCUMENTS, HASHED) == kept
    others = {
        kept_data(tmp_path, "golden", DOCUMENTS[:1], HASHED),
        kept_data(tmp_path, "golden", DOCUMENTS, IngestConfig()),
        kept_data(tmp_path, "regression", DOCUMENTS, HASHED),
    }
    assert len(others | {kept}) == 4


def test_folder_of_other_documents_is_removed_and_that_of_another_configuration_is_not(
    tmp_path: Path,
) -> None:
    first = kept_data(tmp_path, "golden", DOCUMENTS, HASHED)
    beside = [kept_data(tmp_path, "golden", DOCUMENTS, IngestConfig()), tmp_path / "stacks" / "parsers"]
    for folder in (first, *beside):
        (folder / "local").mkdir(parents=True)
    second = kept_data(tmp_path, "golden", DOCUMENTS[:1], HASHED)
    assert second != first
    assert not first.exists()
    assert all(folder.exists() for folder in beside)


def test_folder_that_a_stack_is_running_over_stays(tmp_path: Path) -> None:
    first = kept_data(tmp_path, "golden", DOCUMENTS, HASHED)
    (first / "local").mkdir(parents=True)
    (first / "local" / "stack.json").write_text(json.dumps({"pid": os.getpid()}))
    kept_data(tmp_path, "golden", DOCUMENTS[:1], HASHED)
    assert first.exists()


def test_other_indexing_code_is_another_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = kept_data(tmp_path, "golden", DOCUMENTS, HASHED)
    for folder in keeping.INDEXING:
        (tmp_path / folder).mkdir(parents=True)
    code = tmp_path / keeping.INDEXING[0] / "cutting.py"
    code.write_text("SIZE = 1")
    monkeypatch.setattr(keeping, "REPOSITORY", tmp_path)
    one = indexing_digest()
    code.write_text("SIZE = 2")
    assert indexing_digest() != one
    assert kept_data(tmp_path, "golden", DOCUMENTS, HASHED) != before


@pytest.mark.parametrize("ask", [ask_all, search_all])
def test_nothing_is_measured_where_a_stage_failed(ask: Any) -> None:
    found = trace({"chk_0": 9.0}, {"chk_0": 0.9}, {"chk_0": 0.5})
    fake = FakeGateway(
        traces=lambda _: degraded(found, "rerank", "took too long"), answers=lambda _: answer("")
    )
    with pytest.raises(RunFailed, match="one: stage rerank failed: took too long"):
        ask(fake.client(), [question("one")], lambda *_: None, {})
