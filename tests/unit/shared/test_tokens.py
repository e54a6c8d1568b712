"""Does counting word by word give what encoding the whole text gives?"""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer, ByteLevel, PreTokenizer

from shared.tokens import TokenCounter

VOCABULARY = [
    "[UNK]",
    "[CLS]",
    *"abcdefgh",
    *(f"##{letter}" for letter in "abcdefgh"),
    "the",
    "##lock",
    "-",
    ".",
    "中",
    "e",
]


def saved(folder: Path, pre_tokenizer: PreTokenizer) -> Path:
    tokenizer = Tokenizer(WordPiece({piece: at for at, piece in enumerate(VOCABULARY)}, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.enable_truncation(4)
    tokenizer.enable_padding(length=64)
    path = folder / "tokenizer.json"
    tokenizer.save(str(path))
    return path


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("tokens"), BertPreTokenizer())


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet="abcdefgh the-.\n\t中é\u0301🚢\u2028\u00a0\u200bZ", max_size=200))
def test_words_give_what_the_whole_gives(path: Path, text: str) -> None:
    whole = Tokenizer.from_file(str(path))
    whole.no_padding()
    whole.no_truncation()
    encoding = whole.encode(text, add_special_tokens=False)
    counter = TokenCounter(path)
    assert counter.count(text) == len(encoding.ids)
    assert counter.offsets(text) == list(encoding.offsets)


def test_padding_and_truncation_of_the_file_are_left_aside(path: Path) -> None:
    assert TokenCounter(path).count("a b c d e f g h") == 8


def test_offsets_are_code_points(path: Path) -> None:
    assert TokenCounter(path).offsets("🚢 the-a") == [(0, 1), (2, 5), (5, 6), (6, 7)]


def test_tokenizer_whose_words_depend_on_their_neighbours_encodes_the_whole(tmp_path: Path) -> None:
    path = saved(tmp_path, ByteLevel(add_prefix_space=False))
    whole = Tokenizer.from_file(str(path))
    whole.no_padding()
    whole.no_truncation()
    text = "the lock - a. b  c"
    assert TokenCounter(path).count(text) == len(whole.encode(text, add_special_tokens=False).ids)
    assert TokenCounter(path).offsets(text) == list(whole.encode(text, add_special_tokens=False).offsets)
