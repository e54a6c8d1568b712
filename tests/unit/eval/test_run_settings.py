"""Is a stack started as it was decided, and work of a run told in shares of the whole?"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from eval.printing import json_progress, said_progress, write
from eval.runs.growth import SECTIONS, VOCABULARY, document, questions, vocabulary
from eval.runs.progress import part_of
from eval.runs.provenance import machine, models_of, models_served, versions
from eval.runs.rows import FULL
from eval.runs.stack import REPOSITORY, IngestConfig
from eval.settings import neutral_environment, working_folder, workspace_headers
from services.ingest.settings import IngestSettings
from services.vector_index.settings import VectorIndexSettings
from shared.models import load_lock

GROWN = """
import hashlib
from eval.runs.growth import document, questions, vocabulary
words = vocabulary()
said = [*words, document(words, 250, 3).data.decode(), *questions(words, 5)]
print(hashlib.sha256("\\n".join(said).encode()).hexdigest())
"""


def test_every_ingest_configuration_is_one_that_the_services_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for configuration in {row.ingest for row in FULL} | {IngestConfig(embedder="hash", chunk_prefix=False)}:
        for name, value in configuration.environment().items():
            monkeypatch.setenv(name, value)
        ingest, vector = IngestSettings(), VectorIndexSettings()
        assert vector.embedder == configuration.embedder
        assert ingest.chunk_kind == configuration.chunk_kind
        assert ingest.chunk_max_tokens == configuration.chunk_max_tokens
        assert ingest.chunk_overlap_tokens == configuration.chunk_overlap_tokens
        assert ingest.chunk_prefix == configuration.chunk_prefix


def test_defaults_are_those_of_the_services() -> None:
    assert IngestConfig().environment() == {
        "SIGHTLINE_EMBEDDER": VectorIndexSettings().embedder,
        "SIGHTLINE_CHUNK_KIND": IngestSettings().chunk_kind,
        "SIGHTLINE_CHUNK_MAX_TOKENS": str(IngestSettings().chunk_max_tokens),
        "SIGHTLINE_CHUNK_OVERLAP_TOKENS": str(IngestSettings().chunk_overlap_tokens),
        "SIGHTLINE_CHUNK_PREFIX": str(IngestSettings().chunk_prefix),
        "SIGHTLINE_WELDS": str(IngestSettings().welds),
    }


@pytest.mark.parametrize(
    ("token", "headers"),
    [
        (None, {}),
        ("", {}),
        ("secret", {"Sightline-Workspace": "eval-golden", "Sightline-Eval-Token": "secret"}),
    ],
)
def test_workspace_is_named_with_a_token_only(
    token: str | None, headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if token is None:
        monkeypatch.delenv("SIGHTLINE_EVAL_TOKEN", raising=False)
    else:
        monkeypatch.setenv("SIGHTLINE_EVAL_TOKEN", token)
    assert workspace_headers("golden") == headers


def test_working_folder_is_absolute_and_can_be_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SIGHTLINE_EVAL_FOLDER", str(tmp_path))
    assert working_folder() == tmp_path
    assert "SIGHTLINE_EVAL_FOLDER" not in neutral_environment()
    monkeypatch.delenv("SIGHTLINE_EVAL_FOLDER")
    monkeypatch.chdir(tmp_path)
    assert working_folder() == tmp_path / ".eval"


def test_part_of_a_run_ends_where_the_next_begins() -> None:
    told: list[tuple[float, str]] = []
    part = part_of(part_of(lambda share, words: told.append((share, words)), 0.5, 1.0), 0.0, 0.5)
    part(0.0, "begins")
    part(1.0, "ends")
    assert told == [(0.5, "begins"), (0.75, "ends")]


def test_progress_for_programs_is_a_json_line(capsys: pytest.CaptureFixture[str]) -> None:
    json_progress(1 / 3, "asking 2 of 6")
    said_progress(0.5, "nobody watches")
    out, err = capsys.readouterr()
    assert json.loads(out) == {"progress": 0.3333, "stage": "asking 2 of 6"}
    assert err == ""


def test_result_is_written_whole_into_a_new_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "golden.json"
    write(path, {"title": "Havørn"})
    with pytest.raises(TypeError):
        write(path, {"title": object()})
    assert json.loads(path.read_text(encoding="utf-8")) == {"title": "Havørn"}
    assert [entry.name for entry in path.parent.iterdir()] == ["golden.json"]


def test_models_are_those_of_the_lock() -> None:
    assert models_of(IngestConfig()).keys() == {model.role for model in load_lock()}
    assert all(len(model["sha256"]) == 64 for model in models_of(IngestConfig()).values())
    assert models_of(IngestConfig(embedder="hash")) == {"embedder": {"name": "hash", "sha256": ""}}


def test_models_served_are_those_that_the_services_name() -> None:
    services = {"vector": {"model": {"name": "small", "digest": "d1"}}, "lexical": {"model": None}}
    assert models_served({"services": services}) == {"vector": {"name": "small", "sha256": "d1"}}


def test_versions_and_machine_are_named() -> None:
    assert versions()["python"].startswith("3.")
    assert {"numpy", "onnxruntime", "pdfplumber"} <= versions().keys()
    assert machine()["cores"] >= 1
    assert machine()["cpu"]


def test_synthetic_corpus_is_alike_whatever_the_hash_seed() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", GROWN],
            cwd=REPOSITORY,
            env={**neutral_environment(), "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_synthetic_documents_differ_and_have_a_passage_a_section() -> None:
    words = vocabulary()
    assert len(set(words)) == VOCABULARY
    first, second = document(words, 0, SECTIONS), document(words, SECTIONS, SECTIONS)
    assert (first.name, second.name) == ("volume-0000.md", f"volume-{SECTIONS:04}.md")
    assert first.data.decode().count("\n## ") == SECTIONS
    assert first.data.split(b"\n", 1)[1] != second.data.split(b"\n", 1)[1]
    asked = list(questions(words, 50))
    assert len(set(asked)) > 45
    assert all(question.endswith("?") for question in asked)
