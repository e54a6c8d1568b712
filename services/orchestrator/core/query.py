"""What exactly is asked? A question made fit for searching, within limits."""

import re
import unicodedata

from shared.errors import InvalidInput

MAX_QUESTION_CHARACTERS = 8_000

_SPACE = re.compile(r"\s+")


def normalised(question: str) -> str:
    """The question in NFC on one line, without control characters and lone surrogates.

    Raises InvalidInput, naming the field, if nothing is left or it is longer than the limit.
    """
    visible = "".join(_visible(character) for character in question)
    text = unicodedata.normalize("NFC", _SPACE.sub(" ", visible)).strip()
    if not text:
        raise InvalidInput("question: it is empty; ask something")
    if len(text) > MAX_QUESTION_CHARACTERS:
        raise InvalidInput(
            f"question: it has {len(text)} characters; at most {MAX_QUESTION_CHARACTERS} are taken"
        )
    return text


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cs":
        return "\ufffd"  # cannot be written as UTF-8
    if category == "Cc":
        return " "
    return character
