"""Exact search finds what a plain sum in float64 finds, with the same bits however the rows are cut."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.vector_index.core.embedding import normalised
from services.vector_index.core.exact import exact_scores, top_k
from tests.unit.vector_index.embedder_fakes import unit_rows, views_of

VECTORS = unit_rows(7, 300, 384)
IDS = [f"chk_{n:03}" for n in range(300)]
QUERY = unit_rows(8, 1, 384)[0]


def found(sizes: list[int], limit: int, hidden: frozenset[str] = frozenset()) -> list[tuple[str, float]]:
    views = views_of(VECTORS, IDS, sizes, hidden)
    return [(views[hit.view].segment.rows[hit.row].chunk_id, hit.score) for hit in top_k(views, QUERY, limit)]


def test_top_k_equals_a_plain_sum_in_float64() -> None:
    plain = {
        name: float(np.add.reduce(row.astype(np.float64) * QUERY.astype(np.float64)))
        for name, row in zip(IDS, VECTORS, strict=True)
    }
    expected = sorted(plain.items(), key=lambda entry: (-entry[1], entry[0]))[:50]
    assert found([300], 50) == expected


@given(cuts=st.lists(st.integers(1, 299), max_size=6), limit=st.integers(1, 320))
@settings(max_examples=30, deadline=None)
def test_scores_keep_their_bits_however_the_rows_are_cut(cuts: list[int], limit: int) -> None:
    edges = [0, *sorted(set(cuts)), 300]
    sizes = [b - a for a, b in itertools.pairwise(edges)]
    assert found(sizes, limit) == found([300], limit)


def test_hidden_rows_are_neither_found_nor_counted() -> None:
    everything = found([300], 300)
    hidden = frozenset(name for name, _ in everything[:5])
    assert found([100, 200], 10, hidden) == everything[5:15]
    assert found([300], 10, frozenset(IDS)) == []


def test_equal_vectors_stand_in_the_order_of_their_ids_even_past_the_limit() -> None:
    same = np.tile(QUERY, (200, 1))
    ids = [f"chk_{n:03}" for n in reversed(range(200))]
    views = views_of(same, ids, [150, 50])
    hits = [views[h.view].segment.rows[h.row].chunk_id for h in top_k(views, QUERY, 3)]
    assert hits == ["chk_000", "chk_001", "chk_002"]


def test_a_row_whose_float32_sum_misleads_is_still_found() -> None:
    """Many rows within float32's error of each other: the order is that of float64."""
    near = np.stack([normalised(QUERY + np.float32(1e-7) * noise) for noise in unit_rows(9, 400, 384)])
    ids = [f"chk_{n:03}" for n in range(400)]
    exact = exact_scores(near, QUERY)
    expected = sorted(zip(-exact, ids, strict=True))[:5]
    views = views_of(near, ids, [400])
    hits = top_k(views, QUERY, 5)
    assert [(-h.score, views[0].segment.rows[h.row].chunk_id) for h in hits] == expected


def test_scores_stay_within_one() -> None:
    assert exact_scores(QUERY[np.newaxis] * np.float32(1.0000001), QUERY).max() <= 1.0
    assert exact_scores(-QUERY[np.newaxis] * np.float32(1.0000001), QUERY).min() >= -1.0


@pytest.mark.parametrize("limit", [0, 5])
def test_nothing_is_found_where_nothing_is(limit: int) -> None:
    assert top_k([], QUERY, limit) == []


@pytest.mark.parametrize("values", [[0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0]])
def test_a_vector_without_direction_is_refused(values: list[float]) -> None:
    with (
        np.errstate(invalid="ignore"),
        pytest.raises(ValueError, match="no direction"),
    ):
        normalised(np.array(values, dtype=np.float32))
