"""What do the headers of a mail say, however they are written?"""

import re
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message

from services.ingest.core.formats.encoding import decode
from services.ingest.core.text import clean, one_line

_NAME_LINE = re.compile(rb"([!-9;-~]{1,76}):")
_HEADER_WITHIN_BYTES = 16 * 1024
_OF_ANY_MAIL = frozenset((b"to", b"date", b"subject", b"cc", b"content-type", b"reply-to", b"sender"))
_OF_SENT_MAIL = frozenset((b"message-id", b"received", b"mime-version", b"return-path", b"delivered-to"))


def looks_like_mail(data: bytes, *, sent: bool = False) -> bool:
    """Whether the first lines are a mail's header; with `sent`, one that only mail programs write."""
    names = set()
    for number, line in enumerate(data[:_HEADER_WITHIN_BYTES].lstrip(b"\xef\xbb\xbf").splitlines()):
        found = _NAME_LINE.match(line)
        if found:
            names.add(found.group(1).lower())
        elif not line.strip():
            break
        elif line[:1] not in b" \t" and not (number == 0 and line.startswith(b"From ")):
            return False
    proofs = names & _OF_SENT_MAIL
    if sent:
        return b"from" in names and bool(proofs)
    return bool(proofs) or (b"from" in names and len(names & _OF_ANY_MAIL) >= 2)


def header(message: Message, name: str) -> str:
    """The first header of that name in plain words on one line; empty where there is none.

    Read from the source: the library's structured headers raise on some that are found in the wild.
    """
    wanted = name.lower()
    for key, value in message.raw_items():
        if key.lower() == wanted:
            return plain_words(value)
    return ""


def plain_words(value: str) -> str:
    """A header's value with its encoded words (RFC 2047) and stray bytes decoded, on one line."""
    raw = str(value).encode("utf-8", "surrogateescape")
    text = decode(raw)[0] if not raw.isascii() else raw.decode()
    try:
        parts = decode_header(text.replace("\n", ""))
    except (HeaderParseError, ValueError):
        return one_line(clean(text))
    return one_line(clean("".join(_decoded(part, charset) for part, charset in parts)))


def _decoded(part: bytes | str, charset: str | None) -> str:
    if isinstance(part, str):
        return part
    if charset is None:
        return part.decode("raw-unicode-escape", "replace")  # as decode_header has encoded it
    return decode(part, declared=charset)[0]
