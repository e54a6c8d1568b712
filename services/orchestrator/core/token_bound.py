"""How many tokens can a text be at most, for a model whose tokenizer is not at hand?"""

import re

_PIECE = re.compile(r"(?P<word>[A-Za-z][a-z]*)|(?P<space>[ ])|(?P<other>.)", re.DOTALL)


def token_bound(text: str) -> int:
    """An upper bound of the tokens that a byte-level or byte-falling-back vocabulary makes of the text.

    No such tokenizer makes more tokens than there are UTF-8 bytes. Words of Latin letters are counted as one
    token for every two letters, which vocabularies of today's chat models keep well under; a single space
    belongs to the word after it; everything else counts by its bytes.
    """
    total = 0
    for match in _PIECE.finditer(text):
        if match.lastgroup == "word":
            total += (len(match.group()) + 1) // 2
        elif match.lastgroup == "other":
            total += len(match.group().encode("utf-8", "replace"))
    return total + _extra_spaces(text)


def _extra_spaces(text: str) -> int:
    return sum(len(run) - 1 for run in re.findall(r"  +", text))
