"""Does a parser that is not installed refuse with the command that helps, and does an installed one read?"""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from services.ingest import back_ends
from services.ingest.back_ends import BACK_ENDS, parser_version
from services.ingest.core.chunking import ChunkingConfig
from services.ingest.identity import config_digest
from services.ingest.settings import IngestSettings
from shared.errors import InvalidInput
from tests.unit.ingest.drawing import Sheet, pdf


def test_ours_has_no_version_of_its_own() -> None:
    assert parser_version("geometry") == ""


@pytest.mark.parametrize("name", sorted(BACK_ENDS))
def test_missing_package_refuses_with_the_command_that_installs_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(package: str) -> str:
        raise PackageNotFoundError(package)

    monkeypatch.setattr(back_ends, "version", missing)
    with pytest.raises(InvalidInput, match=rf"pip install '{BACK_ENDS[name].package}"):
        parser_version(name)


def test_version_of_the_parser_decides_the_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(back_ends, "version", lambda package: "2.70.0")
    assert parser_version("docling") == "docling 2.70.0"
    chunking = ChunkingConfig()
    assert config_digest(chunking, "t") != config_digest(chunking, "t", pdf_parser="docling 2.70.0")


def test_settings_name_the_parsers_that_there_are() -> None:
    named = IngestSettings.model_fields["pdf_parser"].annotation.__args__  # type: ignore[union-attr]
    assert set(named) == {"geometry", *BACK_ENDS}


@pytest.mark.parametrize("name", sorted(BACK_ENDS))
def test_installed_parser_reads_a_pdf(name: str, tmp_path: Path) -> None:
    try:
        version(BACK_ENDS[name].package)
    except PackageNotFoundError:
        pytest.skip(f"{BACK_ENDS[name].requirement} is not installed")
    path = tmp_path / "tides.pdf"
    sheet = Sheet()
    sheet.write(60, 80, "High water at seven.")
    path.write_bytes(pdf(sheet))
    assert "High water at seven." in BACK_ENDS[name].parse(path, "tides.pdf").text
