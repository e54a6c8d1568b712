"""Which words does a text hold, alike for every parser?"""

import re
import unicodedata

_WORD = re.compile(r"(?:(?<!\w)[-−+±](?=\d))?[^\W_]+(?:[.,:/'’‑–-][^\W_]+)*[%‰°]?")
_SOFT_HYPHEN = "\u00ad"


def words_of(text: str) -> list[str]:
    """The words in order, NFKC-folded, case kept: letters and digits, marks inside (9.5, 05:40), signs."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).replace(_SOFT_HYPHEN, ""))
