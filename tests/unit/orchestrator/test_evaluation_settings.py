"""Do the settings say which evaluation is started, and does it learn no more than it must?"""

import json
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from services.orchestrator.settings import OrchestratorSettings, environment_for_evaluations
from services.orchestrator.wiring import evaluating
from tests.unit.orchestrator.evaluation_fakes import COMMAND, URL, ended, left_as_it_is, run_of


def test_command_is_this_pythons_eval_unless_it_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    assert OrchestratorSettings().eval_command == (sys.executable, "-m", "eval")
    monkeypatch.setenv("SIGHTLINE_EVAL_COMMAND", '["other", "-x y"]')
    assert OrchestratorSettings().eval_command == ("other", "-x y")


@pytest.mark.parametrize("value", ["python -m eval", "[]", "{}", "[1]"])
def test_command_that_is_no_list_is_a_wrong_setting(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SIGHTLINE_EVAL_COMMAND", value)
    with pytest.raises(ValidationError, match="eval_command"):
        OrchestratorSettings()


def test_evaluations_learn_what_they_need_and_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SIGHTLINE_OPENAI_API_KEY", "SIGHTLINE_EMBEDDER_API_KEY", "OTHER_TOKEN", "LD_PRELOAD"):
        monkeypatch.setenv(name, "secret")
    needed = {"SIGHTLINE_MODELS": "/models", "LC_ALL": "C.UTF-8", "HOME": "/home/me", "PATH": "/bin"}
    for name, value in needed.items():
        monkeypatch.setenv(name, value)
    given = environment_for_evaluations()
    assert "secret" not in given.values()
    assert given.items() >= needed.items()


async def test_evaluation_works_as_the_settings_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGHTLINE_EVAL_COMMAND", json.dumps(COMMAND))
    settings = OrchestratorSettings(data=tmp_path)
    async with evaluating(settings, left_as_it_is) as evaluation:
        run = await evaluation.submit(run_of(), URL)
        assert (await ended(evaluation, run.id)).state == "done"
    async with evaluating(settings, left_as_it_is) as again:
        assert (await again.get(run.id)).state == "done"
    assert (tmp_path / "orchestrator" / "evaluation.sqlite").exists()
