"""Does a service that cannot start say why in one sentence, without a trace?"""

from pathlib import Path

import pytest

from services.lexical_index.__main__ import run
from services.lexical_index.settings import SERVICE, LexicalSettings
from shared.settings import ServiceSettings
from shared.starting import run_service


async def nothing(settings: ServiceSettings) -> None:
    return None


@pytest.mark.parametrize(("name", "value"), [("drain_s", "-1"), ("log_level", "loud")])
def test_wrong_setting_is_named(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], name: str, value: str
) -> None:
    monkeypatch.setenv(f"SIGHTLINE_{name.upper()}", value)
    assert run_service("toy", ServiceSettings, nothing) == 2
    assert capfd.readouterr().err.startswith(f"The setting {name} is wrong: ")


def test_service_that_was_stopped_ends_well() -> None:
    assert run_service("toy", ServiceSettings, nothing) == 0


def test_damaged_index_is_a_sentence_and_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SIGHTLINE_DATA", str(tmp_path))
    LexicalSettings().index_path.parent.mkdir()
    LexicalSettings().index_path.write_bytes(b"not a database, " * 500)
    assert run_service(SERVICE, LexicalSettings, run) == 1
    said = capfd.readouterr().err
    assert said.startswith("lexical-index cannot start: The index file ")
    assert said.count("\n") == 1
