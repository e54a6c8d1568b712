"""How does the cross-encoder say how well a passage answers a question? One pair at a time, on ONNX."""

from collections.abc import Sequence

from tokenizers import Tokenizer

from services.rerank.core.pairs import Pair, Specials, pair_of
from shared.models import ModelFiles
from shared.onnx import OnnxModel
from shared.stage import ModelInfo


class CrossEncoder:
    """Stateless; every method may be called from several threads at once."""

    def __init__(self, files: ModelFiles, max_tokens: int) -> None:
        self._graph = OnnxModel(files.weights)
        # The file asks for padding to 512 and for truncation; a padded pair costs as much as the longest.
        self._tokenizer: Tokenizer = Tokenizer.from_file(str(files.tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        # [CLS] and [SEP], as the tokenizer's own template puts them around a text.
        cls, sep = self._tokenizer.encode("").ids
        self._specials = Specials(cls, sep)
        self._info = ModelInfo(
            name=files.name,
            digest=files.weights_sha256,
            tokenizer_digest=files.tokenizer_sha256,
            max_tokens=min(max_tokens, files.max_tokens),
        )

    @property
    def info(self) -> ModelInfo:
        return self._info

    def tokens(self, text: str) -> tuple[int, ...]:
        """Token ids without special tokens."""
        return tuple(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def pair(self, question: Sequence[int], passage: str) -> Pair:
        return pair_of(question, self.tokens(passage), self._info.max_tokens, self._specials)

    def logit(self, pair: Pair) -> float:
        """Around -11 to 11; the same bits whatever else is being scored."""
        return float(self._graph.run(pair.token_ids, pair.type_ids)[0])
