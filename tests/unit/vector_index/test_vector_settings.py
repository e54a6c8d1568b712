"""Does vector-index read the settings that its own messages name?"""

import pytest

from services.vector_index.settings import VectorIndexSettings
from shared.index_store import DEFAULT_MAX_STAGED_CHUNKS


def test_bound_of_staged_chunks_is_the_variable_that_the_store_names(monkeypatch: pytest.MonkeyPatch) -> None:
    assert VectorIndexSettings().max_staged_chunks == DEFAULT_MAX_STAGED_CHUNKS
    monkeypatch.setenv("SIGHTLINE_MAX_STAGED_CHUNKS", "7")
    assert VectorIndexSettings().max_staged_chunks == 7
