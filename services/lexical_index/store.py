"""How are postings kept in the index's segments?"""

from collections.abc import Sequence

from services.lexical_index.core import postings
from services.lexical_index.core.postings import Postings
from shared.index_segments import Arrays, Rows


class PostingsFormat:
    """Postings as the payload of `shared.index_store`; the name is that of the analysis behind the terms."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def merged(self, parts: Sequence[tuple[Postings, Rows]]) -> Postings:
        return postings.merged(parts)

    def to_arrays(self, payload: Postings) -> Arrays:
        return postings.to_arrays(payload)

    def from_arrays(self, arrays: Arrays) -> Postings:
        return postings.from_arrays(arrays)
