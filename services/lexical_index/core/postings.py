"""Which chunks hold a term, and how often? One segment's inverted index."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from shared.index_segments import Arrays, Rows

Int32 = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Terms in code point order; the postings of term i are `offsets[i]` to `offsets[i + 1]`.

    `rows` (int32, ascending within a term) and `tf` (int32) are parallel; `doc_len` is int32[n_rows], terms
    of a chunk with repetitions.
    """

    terms: tuple[str, ...]
    offsets: NDArray[np.int64]
    rows: Int32
    tf: Int32
    doc_len: Int32

    def of(self, term: str) -> tuple[Int32, Int32]:
        """Rows and frequencies of a term; empty arrays if the segment does not hold it."""
        at = bisect_left(self.terms, term)
        if at == len(self.terms) or self.terms[at] != term:
            return self.rows[:0], self.tf[:0]
        start, end = int(self.offsets[at]), int(self.offsets[at + 1])
        return self.rows[start:end], self.tf[start:end]


def build(
    chunks: Iterable[Sequence[str]], readings: Mapping[int, Sequence[str]] = MappingProxyType({})
) -> Postings:
    """The postings of chunks given as their terms; row i is chunk i.

    `readings` holds the terms of a row whose welded words were parted: those that its text lacks count as
    its terms too, but not for its length, so that both spellings match and neither makes it a longer chunk.
    """
    ids: dict[str, int] = {}
    term_ids: list[int] = []
    rows: list[int] = []
    tf: list[int] = []
    doc_len: list[int] = []
    for row, terms in enumerate(chunks):
        doc_len.append(len(terms))
        for term, count in (Counter(terms) | Counter(readings.get(row, ()))).items():
            term_ids.append(ids.setdefault(term, len(ids)))
            rows.append(row)
            tf.append(count)
    as_int32 = [np.array(values, dtype=np.int32) for values in (rows, tf, doc_len)]
    return _sorted(ids, np.array(term_ids, dtype=np.int64), *as_int32)


def merged(parts: Sequence[tuple[Postings, Rows]]) -> Postings:
    """The postings of the given rows of each part, renumbered in that order; terms without a row go."""
    ids: dict[str, int] = {}
    term_ids: list[NDArray[np.int64]] = []
    rows: list[Int32] = []
    tf: list[Int32] = []
    base = 0
    for postings, kept in parts:
        renumbered = np.full(len(postings.doc_len), -1, dtype=np.int32)
        renumbered[kept] = np.arange(base, base + len(kept), dtype=np.int32)
        base += len(kept)
        new_rows = renumbered[postings.rows]
        stays = new_rows >= 0
        known = np.fromiter((ids.setdefault(t, len(ids)) for t in postings.terms), dtype=np.int64)
        term_ids.append(np.repeat(known, np.diff(postings.offsets))[stays])
        rows.append(new_rows[stays])
        tf.append(postings.tf[stays])
    doc_len = [postings.doc_len[kept] for postings, kept in parts]
    return _sorted(ids, _joined(term_ids, np.int64), *(_joined(a, np.int32) for a in (rows, tf, doc_len)))


def to_arrays(postings: Postings) -> Arrays:
    """As arrays for a file; terms as UTF-8 lines."""
    lines = np.frombuffer("\n".join(postings.terms).encode(), dtype=np.uint8)
    return {
        "terms": lines,
        "offsets": postings.offsets,
        "rows": postings.rows,
        "tf": postings.tf,
        "doc_len": postings.doc_len,
    }


def from_arrays(arrays: Arrays) -> Postings:
    """What `to_arrays` was given."""
    lines = arrays["terms"].tobytes().decode()
    return Postings(
        tuple(lines.split("\n")) if lines else (),
        arrays["offsets"].astype(np.int64, copy=False),
        arrays["rows"].astype(np.int32, copy=False),
        arrays["tf"].astype(np.int32, copy=False),
        arrays["doc_len"].astype(np.int32, copy=False),
    )


def _sorted(
    ids: dict[str, int], term_ids: NDArray[np.int64], rows: Int32, tf: Int32, doc_len: Int32
) -> Postings:
    """Postings out of triples in any order, whose term ids count from 0 in `ids`' order."""
    counts = np.bincount(term_ids, minlength=len(ids))
    names = list(ids)
    terms = sorted(name for name, term_id in ids.items() if counts[term_id])
    place = np.zeros(len(names), dtype=np.int64)
    place[[ids[term] for term in terms]] = np.arange(len(terms))
    order = np.lexsort((rows, place[term_ids]))
    offsets = np.zeros(len(terms) + 1, dtype=np.int64)
    np.cumsum([counts[ids[term]] for term in terms], out=offsets[1:])
    return Postings(tuple(terms), offsets, rows[order], tf[order], doc_len)


def _joined(
    arrays: Sequence[NDArray[np.signedinteger]], dtype: type[np.signedinteger]
) -> NDArray[np.signedinteger]:
    return np.concatenate(arrays).astype(dtype, copy=False) if arrays else np.empty(0, dtype=dtype)
