"""The real cross-encoder: the same bits in any company, and the ids that its own tokenizer would give."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from services.rerank.model import CrossEncoder
from services.rerank.pool import PairPool
from shared.models import verified

pytestmark = pytest.mark.models

QUESTION = "When does the lock open?"
PASSAGES = [
    "The lock opens at noon and closes at six.",
    "Cranes of the north quay lift sixteen tonnes.",
    "Each berth is dredged after the spring survey. " * 6,
    "The lock keeper records each ship that passes the lock.",
]


@pytest.fixture(scope="module")
def model(repository: Path) -> CrossEncoder:
    return CrossEncoder(verified(repository / "models", "reranker"), 96)


@pytest.fixture
def pool() -> Iterator[PairPool]:
    pairs = PairPool(3, max_waiting=1000)
    yield pairs
    pairs.close()


def test_ids_are_those_of_the_tokenizers_own_pair_template(model: CrossEncoder, repository: Path) -> None:
    tokenizer = Tokenizer.from_file(str(verified(repository / "models", "reranker").tokenizer))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    expected = tokenizer.encode(QUESTION, PASSAGES[0])
    pair = model.pair(model.tokens(QUESTION), PASSAGES[0])
    assert (list(pair.token_ids), list(pair.type_ids)) == (expected.ids, expected.type_ids)
    assert pair.tokens_present == pair.tokens_read == len(expected.ids)


def test_the_passage_that_answers_is_far_above_the_others(model: CrossEncoder) -> None:
    question = model.tokens(QUESTION)
    logits = [model.logit(model.pair(question, p)) for p in PASSAGES]
    assert max(logits) == logits[0] > 3
    assert logits[1] < -5


async def test_a_logit_has_the_same_bits_alone_and_in_company(model: CrossEncoder, pool: PairPool) -> None:
    question = model.tokens(QUESTION)
    pairs = [model.pair(question, p) for p in PASSAGES]
    alone = np.array([model.logit(p) for p in pairs]).tobytes()
    together = await pool.map(model.logit, pairs * 5, cost=lambda p: p.tokens_read)
    for start in range(0, len(together), len(pairs)):
        assert np.array(together[start : start + len(pairs)]).tobytes() == alone


def test_a_long_passage_is_cut_to_the_setting(model: CrossEncoder) -> None:
    passage = "The quay was built in stone. " * 40 + "The lock opens at noon."
    pair = model.pair(model.tokens(QUESTION), passage)
    assert (pair.tokens_read, model.info.max_tokens) == (96, 96)
    assert pair.tokens_present > 250
    head = model.pair(model.tokens(QUESTION), "The quay was built in stone. " * 40)
    assert model.logit(pair) > model.logit(head) + 2, "the stretch that answers is the one that is read"
