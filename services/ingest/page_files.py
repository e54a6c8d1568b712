"""How do pages get from the processes that read them to the one that makes a document of them?"""

import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from services.ingest.core.pdf.words import PageWords


@dataclass(frozen=True, slots=True)
class ReadPages:
    """`count` pages from number `first` on, one after the other in a file.

    Only sandboxed processes write and read it: what hostile bytes made of a page is loaded nowhere else.
    """

    path: Path
    first: int
    count: int

    @property
    def numbers(self) -> range:
        return range(self.first, self.first + self.count)


def write_pages(part: ReadPages, pages: Iterable[PageWords | None]) -> None:
    """A page is in the file before the next one is asked for: a process that dies leaves those before it."""
    with part.path.open("wb") as file:
        for page in pages:
            pickle.dump(page, file, protocol=pickle.HIGHEST_PROTOCOL)
            file.flush()


def pages_of(parts: Sequence[ReadPages], page_count: int) -> list[PageWords | None]:
    """All pages of a file in order, None for those that are unreadable or in no part."""
    pages: list[PageWords | None] = [None] * page_count
    for part in parts:
        if not part.count:
            continue  # its process may have ended before it began the file
        with part.path.open("rb") as file:
            for number in part.numbers:
                pages[number - 1] = pickle.load(file)
    return pages
