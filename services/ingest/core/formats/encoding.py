"""In which encoding is this text written? Byte order mark, then UTF-8, then statistics."""

import codecs

from charset_normalizer import from_bytes

from services.ingest.core.text import clean

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES = 64 * 1024
_WESTERN = "cp1252"
_OLD_ENCODINGS = (
    *(_WESTERN, "cp1250", "cp1254", "cp1257", "cp1251", "koi8_r", "cp1253", "cp1255", "cp1256"),
    *("shift_jis", "euc_jp", "gb18030", "big5", "euc_kr"),
)
_PIECE_BYTES = 1024 * 1024
_PROPER_FOR_EACH_BROKEN = 20
_NOT_FOR_FILES = frozenset(("punycode", "idna", "unicode_escape", "raw_unicode_escape", "undefined"))
# What stands before the first character of its own in text that is else ASCII.
_ESCAPED = ((b"\x1b$B", "iso2022_jp"), (b"\x1b$@", "iso2022_jp"), (b"\x1b$)C", "iso2022_kr"))
_WIDE = ("utf-16", "utf-32")
_SHIFTED = ("iso2022", "utf-7", "hz", *_WIDE)
_FEW_HIGH_BYTES = 6
_COHERENCE_SLACK = 0.05
_TEXT_CONTROLS = frozenset(b"\t\n\r\x0b\x0c\x08\x1b\x1a")


def marked_encoding(data: bytes) -> str | None:
    """The encoding that a byte order mark names, else None."""
    return next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)


def looks_like_text(data: bytes) -> bool:
    """Whether the first 64 KiB could be text in some encoding."""
    sample = data[:_SAMPLE_BYTES]
    if marked_encoding(data) or _unmarked_utf16(sample):
        return True
    if b"\0" in sample:
        return False
    controls = sum(byte < 32 and byte not in _TEXT_CONTROLS for byte in sample)
    return controls <= 1 + len(sample) / 100


def decode(data: bytes, *, declared: str | None = None) -> tuple[str, tuple[str, ...]]:
    """The clean text and warnings. A declared encoding is believed after a mark and after valid UTF-8."""
    encoding, warnings = encoding_of(data, declared=declared)
    return clean(data.decode(encoding, errors="replace")), warnings


def encoding_of(data: bytes, *, declared: str | None = None) -> tuple[str, tuple[str, ...]]:
    """The name of the encoding to decode with, replacing what does not fit, and warnings."""
    marked = marked_encoding(data)
    if marked:
        return marked, ()
    if declared is not None and _is_shifted(data, declared):
        return declared, ()
    sample = data[:_SAMPLE_BYTES]
    wide = _unmarked_utf16(sample)
    if wide:
        return wide, ()
    escaped = next((name for mark, name in _ESCAPED if mark in sample and _is_shifted(data, name)), None)
    if escaped:
        return escaped, ()
    broken, proper, first_bad = _tried_as_utf8(data)
    if not broken:
        return "utf-8", ()
    if proper > _PROPER_FOR_EACH_BROKEN * broken:
        return "utf-8", (
            f"Some bytes are not valid UTF-8 (the first at byte {first_bad}); they are shown as \ufffd.",
        )
    known = _known(declared)
    if known:
        return known, ()
    known = _known(_detected(data))
    if known:
        return known, (
            f"The encoding ({known}) was told by the letters alone: if names look wrong, save it as UTF-8.",
        )
    return _WESTERN, ("The encoding could not be told; Western European was assumed.",)


def _is_shifted(data: bytes, declared: str) -> bool:
    """Whether this is text in the declared encoding, whose bytes would also pass for ASCII or for none."""
    try:
        name = codecs.lookup(declared).name
        if not name.startswith(_SHIFTED) or (name.startswith(_WIDE) and _is_utf8(data)):
            return False
        data.decode(declared)
    except (LookupError, ValueError):
        return False
    return True


def _is_utf8(data: bytes) -> bool:
    """Whether this is text in UTF-8, in which none of the NULs of wider encodings stands."""
    return b"\0" not in data and not _tried_as_utf8(data)[0]


def _known(encoding: str | None) -> str | None:
    """The encoding under the name to decode with; None for one that is unknown or no way to write text."""
    if not encoding:
        return None
    try:
        name = codecs.lookup(encoding).name
        b"".decode(encoding)
    except (LookupError, ValueError):
        return None
    if name in _NOT_FOR_FILES:
        return None
    # Browsers read ISO-8859-1 as its superset, and so do the writers of such pages.
    return _WESTERN if name in ("iso8859-1", "ascii") else encoding


def _tried_as_utf8(data: bytes) -> tuple[int, int, int]:
    """How many places are broken as UTF-8, how many characters beyond ASCII are not, the first bad byte."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    broken = proper = 0
    for start in range(0, len(data), _PIECE_BYTES):
        piece = data[start : start + _PIECE_BYTES]
        text = decoder.decode(piece, final=start + _PIECE_BYTES >= len(data))
        if not text.isascii():
            found = text.count("\ufffd")
            broken += found
            proper += sum(character > "\x7f" for character in text) - found
    if not broken:
        return 0, proper, 0
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return broken, proper, error.start
    return 0, proper + broken, 0  # the replacement character was written in the file


def _detected(data: bytes) -> str | None:
    """Among the encodings that files are found in; Western European where it explains the letters too."""
    sample = _sample(data)
    if len(sample) - sum(byte < 0x80 for byte in sample) < _FEW_HIGH_BYTES:
        return _WESTERN  # too few to tell anything from
    if _looks_hebrew(sample):
        return "cp1255"
    matches = from_bytes(sample, cp_isolation=list(_OLD_ENCODINGS))
    best = matches.best()
    if best is None:
        return None
    western = best if _WESTERN in best.could_be_from_charset else None
    western = next((match for match in matches if match.encoding == _WESTERN), western)
    return _WESTERN if western and western.coherence >= best.coherence - _COHERENCE_SLACK else best.encoding


def _sample(data: bytes) -> bytes:
    """The first 64 KiB, to the end of a line, lest a character be cut in two."""
    if len(data) <= _SAMPLE_BYTES:
        return data
    newline = data.rfind(b"\n", 0, _SAMPLE_BYTES)
    return data[: newline + 1] if newline >= 0 else data[:_SAMPLE_BYTES]


def _looks_hebrew(sample: bytes) -> bool:
    """Letters only where Hebrew has its 27; Russian there would also have capitals, or ы, э, ю and я."""
    high = [byte for byte in sample if byte >= 0xC0]
    letters = sum(0xE0 <= byte <= 0xFA for byte in high)
    latin = sum(chr(byte).isalpha() for byte in sample if byte < 0x80)
    return len(high) >= 8 and letters > 0.95 * len(high) and max(high) <= 0xFE and letters > latin


def _unmarked_utf16(sample: bytes) -> str | None:
    """UTF-16 without a mark: nearly every second byte is NUL in text that is mostly ASCII."""
    pairs = len(sample) // 2
    if pairs < 4:
        return None
    even, odd = sample[0 : 2 * pairs : 2].count(0), sample[1 : 2 * pairs : 2].count(0)
    if odd > 0.7 * pairs and even < 0.05 * pairs:
        return "utf-16-le"
    if even > 0.7 * pairs and odd < 0.05 * pairs:
        return "utf-16-be"
    return None
