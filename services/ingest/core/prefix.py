"""What is said above a chunk when it is embedded: its title and section path."""

import re
from collections.abc import Sequence

from services.ingest.core.text import one_line
from services.ingest.core.token_map import Tokenizer

SPECIAL_TOKENS = 2  # what the embedder puts around every text
SEPARATOR = " > "
_MARKUP = re.compile(r"^[\s#*_>|=~`-]+")
_HEAD_CHARACTERS = 2_000


def prefix_of(title: str, section: Sequence[str], text: str) -> str:
    """Title and path, less the names that the text itself begins with."""
    rest = _bare(text[:_HEAD_CHARACTERS])
    kept: list[str] = []
    for name in dict.fromkeys(filter(None, map(one_line, (title, *section)))):
        bare = _bare(name)
        if bare and rest.startswith(bare):
            rest = _bare(rest[len(bare) :])
        else:
            kept.append(name)
    return SEPARATOR.join(kept)


def within(text: str, tokens: int, tokenizer: Tokenizer) -> str:
    """The text cut to so many tokens at its start, with what is nearest to the chunk, its end, kept."""
    spans = tokenizer.offsets(text)
    if len(spans) <= tokens and len(text) <= tokens * 16:
        return text
    start = spans[-tokens][0] if 0 < tokens < len(spans) else 0
    return text[max(start, len(text) - tokens * 16) :].lstrip(" >|") if tokens > 0 else ""


def _bare(words: str) -> str:
    """For comparing: one line, lower case, without the marks that open a heading in a source text."""
    return _MARKUP.sub("", one_line(words)).lower()
