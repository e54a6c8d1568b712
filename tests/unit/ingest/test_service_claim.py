"""Does a second ingest keep its hands off the first one's folder?"""

import asyncio
from pathlib import Path

import pytest

from services.ingest.__main__ import _run
from services.ingest.claim import claimed
from services.ingest.settings import IngestSettings
from shared.errors import Conflict


def test_folder_is_one_process_own_until_it_lets_go(tmp_path: Path) -> None:
    folder = tmp_path / "ingest"
    with claimed(folder), pytest.raises(Conflict, match="Another ingest"), claimed(folder):
        pass
    with claimed(tmp_path / "ingest"):
        pass


@pytest.mark.models
async def test_second_ingest_leaves_the_uploads_of_the_first_alone(tmp_path: Path, repository: Path) -> None:
    arriving = tmp_path / "ingest" / "spool" / "half"
    arriving.parent.mkdir(parents=True)
    arriving.write_bytes(b"half a file")
    with claimed(tmp_path / "ingest"), pytest.raises(Conflict, match="Another ingest"):
        async with asyncio.timeout(30):
            await _run(IngestSettings(data=tmp_path, models=repository / "models"))
    assert arriving.exists()
