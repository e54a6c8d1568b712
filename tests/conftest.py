"""Which fixtures do tests of the whole share?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.local.settings import REPOSITORY
from tests.stack import Stack


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Real processes on a free port with a data folder of their own, shared by the tests of a session."""
    running = Stack(tmp_path_factory.mktemp("stack") / "data")
    try:
        running.wait_until_up()
        yield running
    finally:
        running.stop()
