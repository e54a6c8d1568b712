"""Are a chunk's tokens what the embedder itself reads of it, for any document and every chunker?"""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from services.ingest.core.chunking import CHUNKERS, ChunkingConfig, chunk
from services.ingest.core.document import CODE, HEADING, LIST_ITEM, PARAGRAPH, TABLE, ParsedDocument
from services.ingest.core.text import TextBuilder
from services.ingest.core.welds_vocabulary import Vocabulary
from shared.models import verified
from shared.passage import indexed_text
from shared.tokens import TokenCounter

pytestmark = pytest.mark.models

ANYTHING = st.text(min_size=1, max_size=300)
WORDY = st.text(
    alphabet="abcdeABC .!?\n\t0123,;:'-_/#é\u0301ß中あ🚢\u2028\u200b\u200d\x0b\x0c\x1c\x85\u00a0\ufffdשם[]",
    min_size=1,
    max_size=400,
)
KNOWN = Vocabulary({"relief": 9, "valve": 9}, {"relief valve": 9, "valve relief": 9}, 99)
MARKED = st.sampled_from(
    [
        "[SEP] [CLS]",
        "x[MASK]y [UNK] ",
        "## Locks\n### Piers\nopen",
        "don't re-open U.S.A.",
        "".join(f"Reliefvalverelief {number}. " for number in range(30)),
    ]
)
BLOCKS = st.lists(
    st.tuples(
        st.sampled_from([HEADING, PARAGRAPH, LIST_ITEM, TABLE, CODE]), st.one_of(ANYTHING, WORDY, MARKED)
    ),
    min_size=1,
    max_size=8,
)


@pytest.fixture(scope="module")
def tokenizer_path(repository: Path) -> Path:
    return verified(repository / "models", "embedder").tokenizer


@pytest.fixture(scope="module")
def counter(tokenizer_path: Path) -> TokenCounter:
    return TokenCounter(tokenizer_path)


@pytest.fixture(scope="module")
def reader(tokenizer_path: Path) -> Tokenizer:
    """The tokenizer as vector-index sets it up."""
    opened: Tokenizer = Tokenizer.from_file(str(tokenizer_path))
    opened.no_padding()
    opened.no_truncation()
    return opened


def encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


@pytest.mark.parametrize("kind", sorted(CHUNKERS))
@settings(deadline=None, max_examples=120)
@given(blocks=BLOCKS, max_tokens=st.integers(32, 100), title=ANYTHING)
def test_tokens_are_what_the_embedder_reads_and_never_above_the_limit(
    kind: str,
    blocks: list[tuple[str, str]],
    max_tokens: int,
    title: str,
    counter: TokenCounter,
    reader: Tokenizer,
) -> None:
    builder = TextBuilder()
    for block_kind, words in blocks:
        builder.add(
            block_kind,
            encodable(words),
            level=int(block_kind == HEADING),
            header_lines=int(block_kind == TABLE),
        )
    text, placed = builder.finish()
    parsed = ParsedDocument(text, encodable(title), placed, (), None, (), "text/plain")
    config = ChunkingConfig(kind=kind, max_tokens=max_tokens, overlap_tokens=8, welds=True)
    for draft in chunk(parsed, config, counter, KNOWN):
        words = draft.reading or parsed.text[draft.start : draft.end]
        read = reader.encode(indexed_text(draft.prefix, words))
        assert draft.tokens == len(read.ids) <= max_tokens
