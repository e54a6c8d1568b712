"""What does `python -m services.local` say when it cannot run?"""

from pathlib import Path

import pytest

from services.local.__main__ import main


def test_data_folder_that_cannot_be_used_is_named_with_its_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("SIGHTLINE_DATA", str(file))
    assert main() == 1
    said = capsys.readouterr().out
    assert said.startswith(f"The data folder {file} cannot be used: ")
    assert "SIGHTLINE_DATA" in said
