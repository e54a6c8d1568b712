"""How is this installation's text analysed, and by what name is that kept with the index?"""

import threading
from dataclasses import dataclass

import Stemmer

from services.lexical_index.core.stop_words import ENGLISH
from services.lexical_index.core.tokenizer import Tokenizer

# Raised whenever the same text would give other terms, so that old files are not read as new ones.
TOKENIZER_VERSION = 2


@dataclass(frozen=True, slots=True)
class Analysis:
    """A tokenizer, and a name for everything that its terms depend on."""

    name: str
    tokenizer: Tokenizer


class EnglishStemmer:
    """Snowball's English stemmer for any thread; the library's own objects belong to one thread each."""

    def __init__(self) -> None:
        self._local = threading.local()

    def __call__(self, word: str) -> str:
        stemmer = getattr(self._local, "stemmer", None)
        if stemmer is None:
            stemmer = self._local.stemmer = Stemmer.Stemmer("english")
        return str(stemmer.stemWord(word))


def english(*, stemming: bool, stop_words: bool) -> Analysis:
    """English words stemmed and stop words left out, either as wished; identifiers and CJK in any case."""
    name = f"postings/tokenizer={TOKENIZER_VERSION}/stem={'english' if stemming else 'none'}"
    name += f"/stop={'english' if stop_words else 'none'}"
    tokenizer = Tokenizer(EnglishStemmer() if stemming else None, ENGLISH if stop_words else frozenset())
    return Analysis(name, tokenizer)
