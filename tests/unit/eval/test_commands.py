"""Does each command end with the code that tells what happened, and with words that lead on?"""

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from client.errors import Unreachable
from eval import commands, inspecting
from eval.commands import main
from eval.reporting import pictures, rendering
from eval.runs.bundles import write_bundle
from eval.runs.stack import StackFailed
from tests.unit.eval.result_samples import result
from tests.unit.eval.run_samples import trace
from tests.unit.eval.suite_samples import MOON, PULL, TUGS, written

DEVELOPMENT = "development/tugs.toml"
FOUND = trace({"chk_0": 9.0, "chk_1": 8.0}, {"chk_1": 0.9}, {"chk_0": 0.1, "chk_1": 0.9})


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """A command decides how it ends when it is told to; the tests end as before."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def committed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of committed results, empty, and a working folder beside it."""
    folder = tmp_path / "committed"
    monkeypatch.setattr(commands, "RESULTS", folder)
    monkeypatch.setenv("SIGHTLINE_EVAL_FOLDER", str(tmp_path / "work"))
    return folder


def stored(path: Path, body: Any) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(body), encoding="utf-8")
    return str(path)


def failed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command says that could not do its work."""
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err


def suite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, questions: str = PULL + MOON) -> None:
    written(monkeypatch, tmp_path / "suites", {DEVELOPMENT: questions})


def test_accepted_result_is_what_the_next_is_held_against(
    committed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = stored(tmp_path / "golden-development.json", result())
    assert "nothing is committed as golden-development" in failed(capsys, "gate", first)
    assert main(["accept", first]) == 0
    assert json.loads((committed / "golden-development.json").read_text()) == result()
    assert main(["gate", first]) == 0
    assert "rrf: 0.7500, no question moved" in (said := capsys.readouterr().out)
    assert "against the committed result of 2026-11-30" in said
    assert "the gate is open" in said
    assert main(["gate", stored(Path(first), result((0.0, 0.0)))]) == 1
    assert "THE GATE IS SHUT" in capsys.readouterr().out


def test_part_of_a_suite_and_what_is_none_of_ours_are_not_accepted(
    committed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = stored(tmp_path / "golden-development.json", result(every=3))
    assert "is of every 3. question: run the suite whole" in failed(capsys, "accept", part)
    foreign = stored(tmp_path / "beir-med.json", result(suite="med"))
    assert "is of med, which is no suite of this repository" in failed(capsys, "accept", foreign)
    assert not committed.exists()


def test_result_of_other_documents_cannot_be_held_against_it(
    committed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["accept", stored(tmp_path / "golden.json", result())])
    capsys.readouterr()
    other = stored(tmp_path / "golden.json", result(corpus_digest="other"))
    assert "the corpus digest is other" in failed(capsys, "gate", other)
    foreign = stored(tmp_path / "golden.json", {"questions": []})
    assert "golden names no gate" in failed(capsys, "gate", foreign)


@pytest.mark.parametrize("command", ["gate", "accept"])
def test_file_that_is_no_result_is_named(
    command: str, committed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "gone.json cannot be read" in failed(capsys, command, str(tmp_path / "gone.json"))
    (tmp_path / "half.json").write_text("{")
    assert "half.json cannot be read" in failed(capsys, command, str(tmp_path / "half.json"))
    assert "list.json holds no JSON object" in failed(capsys, command, stored(tmp_path / "list.json", []))
    assert not committed.exists()


@pytest.mark.parametrize(("values", "code"), [((1.0, 0.5), 0), ((0.5, 0.2), 1)])
def test_run_is_written_said_and_held_against_the_committed_result(
    values: tuple[float, float],
    code: int,
    committed: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    suite(monkeypatch, tmp_path)
    monkeypatch.setattr(commands, "run", lambda plan, progress: result(values))
    stored(committed / "tugs-development.json", result())
    assert main(["run", "--suite", "tugs"]) == code
    path = tmp_path / "work" / "results" / "tugs-development.json"
    assert json.loads(path.read_text())["title"] == "A port"
    assert f"written to {path}" in (said := capsys.readouterr().out)
    assert "A port: 40 questions" in said
    assert main(["run", "--suite", "tugs", "--every", "2"]) == 0
    assert main(["run", "--suite", "tugs", "--rows", "hash"]) == 2
    assert "nothing is committed as tugs-development-hash" in capsys.readouterr().err


def test_run_on_a_gateway_is_written_where_it_is_wanted(
    committed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    suite(monkeypatch, tmp_path)
    monkeypatch.setattr(
        commands, "run_on", lambda url, ready, config, progress, into_library: {"url": url, "config": config}
    )
    config = stored(tmp_path / "config.json", {"fusion": {"k": 10}})
    out = tmp_path / "out" / "r.json"
    arguments = ["run", "--suite", "tugs", "--url", "http://x", "--config", config, "--out", str(out)]
    assert main(arguments) == 0
    assert json.loads(out.read_text()) == {"url": "http://x", "config": {"fusion": {"k": 10}}}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "--suite", "gold"], "there is no suite 'gold'; there is tugs"),
        (["run", "--suite", "tugs", "--split", "held_out"], "no split 'held_out'; it has development"),
        (["run", "--suite", "tugs", "--rows", "all"], "no rows 'all'; there are quick, full, hash"),
        (
            ["run", "--suite", "tugs", "--url", "http://x", "--config", "gone.json"],
            "gone.json cannot be read",
        ),
        (["check", "--suite", "gold"], "there is no suite 'gold'"),
        (["check", "--suite", "tugs", "--theme", "tug"], "no questions called 'tug'"),
        (["documents", "out", "--suite", "gold"], "there is no suite 'gold'"),
        (["beir", "gone"], "gone is no BEIR-style folder"),
        (["replay", "gone.json"], "gone.json is no replay bundle"),
        (["parsers", "--suite", "gold"], "there is no suite 'gold'"),
    ],
)
def test_what_does_not_exist_is_named_with_what_does(
    arguments: list[str],
    words: str,
    committed: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    suite(monkeypatch, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert words in failed(capsys, *arguments)


@pytest.mark.parametrize("error", [StackFailed("it did not start"), Unreachable("it does not answer")])
def test_run_that_could_not_be_made_is_no_verdict(
    error: Exception,
    committed: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(plan: Any, progress: Any) -> dict[str, Any]:
        raise error

    suite(monkeypatch, tmp_path)
    monkeypatch.setattr(commands, "run", run)
    assert str(error) in failed(capsys, "run", "--suite", "tugs")


def test_check_tells_every_complaint(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite(monkeypatch, tmp_path)
    assert main(["check", "--suite", "tugs"]) == 0
    assert capsys.readouterr().out == "2 questions over 2 documents: all is well\n"
    faults = PULL.replace("recorded a bollard pull of 62 tonnes", "the tug").replace('["62"]', "[]")
    (tmp_path / "suites" / "tugs" / "questions" / DEVELOPMENT).write_text(faults)
    assert main(["check", "--suite", "tugs"]) == 1
    nothing_named, twice = capsys.readouterr().out.splitlines()
    assert nothing_named == "pull: nothing is named that a right answer must mention"
    assert "pull: the quote 'the tug' stands 2 times in tug-trials.md: line " in twice


def test_suites_are_listed_for_people_and_programs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite(monkeypatch, tmp_path)
    assert main(["suites"]) == 0
    assert capsys.readouterr().out == "tugs: Tugs, 2 questions\n"
    assert main(["suites", "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)["suites"]
    assert listed == {
        "name": "tugs",
        "title": "Tugs",
        "documents": 2,
        "questions": 2,
        "splits": {"development": 2},
    }


def test_documents_are_written_to_be_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    suite(monkeypatch, tmp_path)
    assert main(["documents", str(tmp_path / "seen"), "--suite", "tugs"]) == 0
    assert sorted(path.name for path in (tmp_path / "seen").iterdir()) == ["lights.csv", "tug-trials.md"]
    assert TUGS.splitlines()[-1] in (tmp_path / "seen" / "tug-trials.md").read_text()


def test_bundle_is_replayed_shown_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_bundle(tmp_path / "b.json", FOUND)
    config = json.dumps({"vector": {"enabled": False}, "rerank": {"kind": "none"}})
    again = str(tmp_path / "again.json")
    assert main(["replay", str(tmp_path / "b.json"), "--config", config, "--out", again]) == 0
    said = capsys.readouterr().out
    assert said.startswith("What does it say?\ngate: ")
    assert [line.split()[:2] for line in said.splitlines()[4:]] == [["1", "2"], ["2", "1"]]
    assert main(["replay", again]) == 0
    for wrong in ("{", "[]", '{"fusion": {"kk": 1}}'):
        capsys.readouterr()
        assert failed(capsys, "replay", again, "--config", wrong)


def test_render_writes_what_check_then_finds_in_order(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "README.md"
    page.write_text("<!-- table: golden failures -->\n<!-- /table -->\n\nSo it is.\n")
    monkeypatch.setattr(inspecting, "REPOSITORY", tmp_path)
    monkeypatch.setattr(inspecting, "DOCUMENTATION", ("README.md",))
    monkeypatch.setattr(rendering, "load_results", lambda: {"golden": result()})
    monkeypatch.setattr(pictures, "draw", lambda results, folder: None)
    monkeypatch.setattr(pictures, "stale", lambda results, folder: [])
    assert main(["render", "--check"]) == 1
    assert "README.md: a table or figure is not as the results have it" in capsys.readouterr().out
    assert main(["render"]) == 0
    assert main(["render", "--check"]) == 0
    page.write_text(page.read_text().replace("So it is.", "61.3% pass."))
    assert main(["render", "--check"]) == 1
    assert "README.md, line 11: 61.3% names no result" in capsys.readouterr().out
    page.write_text("<!-- table: gold failures -->\n<!-- /table -->\n")
    assert main(["render", "--check"]) == 1
    assert "README.md, line 1: there is no result 'gold'" in capsys.readouterr().out
    page.unlink()
    assert "README.md" in failed(capsys, "render", "--check")
