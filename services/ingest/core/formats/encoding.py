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
_SHIFTED = ("iso2022", "utf-7", "hz", "utf-16", "utf-32")
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
    marked = marked_encoding(data)
    if marked:
        return clean(data.decode(marked, errors="replace")), ()
    shifted = _shifted(data, declared)
    if shifted is not None:
        return clean(shifted), ()
    wide = _unmarked_utf16(data[:_SAMPLE_BYTES])
    if wide:
        return clean(data.decode(wide, errors="replace")), ()
    try:
        return clean(data.decode("utf-8")), ()
    except UnicodeDecodeError as error:
        mostly_utf8 = _mostly_utf8(data)
        first_bad = error.start
    if mostly_utf8:
        return clean(data.decode("utf-8", errors="replace")), (
            f"Some bytes are not valid UTF-8 (the first at byte {first_bad}); they are shown as \ufffd.",
        )
    for encoding in (declared, _detected(data)):
        text = _decoded(data, encoding)
        if text is not None:
            return clean(text), ()
    return clean(data.decode("cp1252", errors="replace")), (
        "The encoding could not be told; Western European was assumed.",
    )


def _shifted(data: bytes, declared: str | None) -> str | None:
    """Text in a declared encoding whose bytes would also pass for ASCII or for none; None if it is not."""
    try:
        if declared is None or not codecs.lookup(declared).name.startswith(_SHIFTED):
            return None
        return data.decode(declared)
    except (LookupError, UnicodeError, ValueError):
        return None


def _decoded(data: bytes, encoding: str | None) -> str | None:
    if not encoding:
        return None
    try:
        # Browsers read ISO-8859-1 as its superset, and so do the writers of such pages.
        name = "cp1252" if codecs.lookup(encoding).name in ("iso8859-1", "ascii") else encoding
        return data.decode(name, errors="replace")
    except (LookupError, UnicodeError):
        return None


def _detected(data: bytes) -> str | None:
    """Among the encodings that files are found in; Western European where it explains the letters too."""
    sample = _sample(data)
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


def _mostly_utf8(data: bytes) -> bool:
    """A few broken bytes in a text whose other non-ASCII letters are proper UTF-8."""
    text = data.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    proper = sum(character > "\x7f" for character in text) - broken
    return proper > 20 * broken
