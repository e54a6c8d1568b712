"""Does the inverted index hold what the chunks held, built, merged and read back?"""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from services.lexical_index.core import postings
from services.lexical_index.core.postings import Postings

term_lists = st.lists(
    st.lists(st.sampled_from(("lock", "quay", "é", "船", "w-1", "zz")), max_size=6), max_size=6
)


def contents(found: Postings) -> list[Counter[str]]:
    """Each row's terms with their frequencies, read back out of the postings."""
    rows: list[Counter[str]] = [Counter() for _ in found.doc_len]
    for term in found.terms:
        held, tf = found.of(term)
        assert np.all(np.diff(held) > 0)
        assert len(held) > 0
        for row, frequency in zip(held.tolist(), tf.tolist(), strict=True):
            rows[row][term] = frequency
    assert [r.total() for r in rows] == found.doc_len.tolist()
    return rows


@given(term_lists)
def test_build_holds_each_chunks_terms(chunks: list[list[str]]) -> None:
    built = postings.build(chunks)
    assert contents(built) == [Counter(terms) for terms in chunks]
    assert list(built.terms) == sorted({t for terms in chunks for t in terms})


@settings(deadline=None)
@given(st.lists(st.tuples(term_lists, st.integers(0, 63)), max_size=4))
def test_merged_holds_the_kept_rows_of_each_part_in_order(parts: list[tuple[list[list[str]], int]]) -> None:
    kept = [(chunks, [r for r in range(len(chunks)) if mask >> r & 1]) for chunks, mask in parts]
    result = postings.merged([(postings.build(c), np.array(rows, dtype=np.int64)) for c, rows in kept])
    together = postings.build(chunks[row] for chunks, rows in kept for row in rows)
    assert contents(result) == contents(together)
    assert result.terms == together.terms
    for name, array in postings.to_arrays(together).items():
        assert np.array_equal(postings.to_arrays(result)[name], array)
        assert postings.to_arrays(result)[name].dtype == array.dtype


@given(term_lists)
def test_arrays_give_the_postings_back(chunks: list[list[str]]) -> None:
    built = postings.build(chunks)
    again = postings.from_arrays(postings.to_arrays(built))
    assert again.terms == built.terms
    assert contents(again) == contents(built)


def test_term_that_is_not_held_has_no_postings() -> None:
    built = postings.build([["lock"], ["quay"]])
    for absent in ("", "a", "lock2", "zzz"):
        rows, tf = built.of(absent)
        assert (len(rows), len(tf)) == (0, 0)
