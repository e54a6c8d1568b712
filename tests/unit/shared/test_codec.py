"""Nothing of ours is lost or changed on the wire."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.candidate import Candidate, Evidence, Part, ScoreType, Source, TextSpan
from shared.codec import (
    candidate_from_pb,
    candidate_to_pb,
    query_from_pb,
    query_to_pb,
    ranking_from_pb,
    ranking_to_pb,
    score_type_from_pb,
    stage_info_from_pb,
    stage_info_to_pb,
)
from shared.errors import InvalidInput
from shared.pb import candidate_pb2, stage_pb2
from shared.stage import ModelInfo, Query, Ranking, StageInfo, TokenCount

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
counts = st.integers(0, 2**31)
finite = st.floats(allow_nan=False, allow_infinity=False)
parts = st.builds(Part, words, finite)
evidence = st.builds(
    Evidence,
    words,
    st.integers(1, 10_000),
    finite,
    st.sampled_from(ScoreType),
    st.lists(parts, max_size=3).map(tuple),
)
sources = st.builds(
    Source, words, st.lists(words, max_size=3).map(tuple), words, st.none() | st.integers(1, 10_000), words
)
candidates = st.builds(
    Candidate,
    words,
    st.builds(TextSpan, words, counts, counts),
    st.lists(evidence, max_size=3).map(tuple),
    sources,
    words,
)


@given(candidates)
def test_a_candidate_survives_the_wire(candidate: Candidate) -> None:
    message = candidate_pb2.Candidate.FromString(candidate_to_pb(candidate).SerializeToString())
    assert candidate_from_pb(message) == candidate


@given(
    st.lists(candidates, max_size=3).map(tuple),
    st.lists(words, max_size=3).map(tuple),
    st.lists(st.builds(TokenCount, words, counts, counts), max_size=3).map(tuple),
)
def test_a_ranking_survives_the_wire(
    found: tuple[Candidate, ...], notes: tuple[str, ...], tokens: tuple[TokenCount, ...]
) -> None:
    ranking = Ranking(found, notes, tokens)
    assert (
        ranking_from_pb(stage_pb2.RunReply.FromString(ranking_to_pb(ranking).SerializeToString())) == ranking
    )


@pytest.mark.parametrize("model", [None, ModelInfo("bge", "d1", "d2", 512, 384)])
def test_a_stage_description_survives_the_wire(model: ModelInfo | None) -> None:
    info = StageInfo("vector", "Vector search", "retrieve", ScoreType.COSINE, 200, 4000, model, True)
    assert stage_info_from_pb(stage_info_to_pb(info)) == info


def test_a_query_survives_the_wire() -> None:
    query = Query("Where is the lock? 🚢", "default", 2**40)
    assert query_from_pb(query_to_pb(query)) == query


def test_every_score_type_has_a_number_on_the_wire() -> None:
    assert {t.value for t in ScoreType} | {"SCORE_TYPE_UNSPECIFIED"} == set(candidate_pb2.ScoreType.keys())


def test_an_unknown_score_type_is_invalid_input() -> None:
    with pytest.raises(InvalidInput, match="one version"):
        score_type_from_pb(candidate_pb2.SCORE_TYPE_UNSPECIFIED)
