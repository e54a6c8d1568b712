"""Which words of a chunk are read by models and counted as terms? Title and path, then the text unmarked."""

import re

# A heading's marks say nothing to a model, and moved a passage's vector away from its question.
_HEADING_MARKS = re.compile(r"^#{1,6}[ \t]+", re.MULTILINE)


def indexed_text(prefix: str, text: str) -> str:
    """What both indexes read of a chunk; ingest counts its tokens. The stored text stays as it is."""
    unmarked = _HEADING_MARKS.sub("", text)
    return f"{prefix}\n{unmarked}" if prefix else unmarked
