"""Which parts of a mail are its words, which are files of their own, and which are not read?"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.generator import BytesGenerator
from email.message import Message
from io import BytesIO

from services.ingest.core.document import Attachment
from services.ingest.core.formats.eml.headers import header, plain_words
from services.ingest.core.formats.limits import Limits
from services.ingest.core.text import one_line
from shared.errors import InvalidDocument

_STUB_CHARACTERS = 200  # of a plain part that may only say that the mail is to be read as HTML
_STUB_SHARE = 0.2
_TEXT_BODIES = ("text/plain", "text/html")


@dataclass(slots=True)
class Content:
    """What a mail holds: its bodies in order, its files, and sentences on what is left out."""

    bodies: list[Message] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    inline_images: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def content_of(message: Message, length_of: Callable[[Message], int], limits: Limits) -> Content:
    """Each thing once: of alternatives the plain words, or the HTML where those are a stub.

    `length_of` says how many characters a body has. Raises InvalidDocument for parts in parts without end.
    """
    content = Content()
    left_out = 0
    for part, is_body in _leaves(message, length_of, limits.max_nesting):
        if is_body:
            content.bodies.append(part)
        elif part.get_content_maintype() == "image" and _is_inline(part):
            content.inline_images.append(_name_of(part, len(content.inline_images) + 1))
        elif len(content.attachments) >= limits.max_attachments:
            left_out += 1
        else:
            _attach(content, part)
    if left_out:
        content.warnings.append(
            f"{left_out} more attachments are not read: at most {limits.max_attachments} are taken."
        )
    return content


def payload(part: Message) -> bytes:
    """The decoded bytes of a part that holds no others; empty where there are none."""
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _leaves(
    message: Message, length_of: Callable[[Message], int], max_nesting: int
) -> Iterator[tuple[Message, bool]]:
    """The parts that hold no others, each with whether it is read as words of this mail."""
    stack: list[tuple[Message, int, bool]] = [(message, 0, True)]
    while stack:
        part, depth, readable = stack.pop()
        if depth > max_nesting:
            raise InvalidDocument("The mail nests its parts too deeply: save its attachments on their own.")
        if part.get_content_maintype() != "multipart" or not part.is_multipart():
            yield part, readable and _is_body(part)
            continue
        children = _children(part)
        kind = part.get_content_subtype()
        chosen = set(range(len(children)))
        if kind == "alternative":
            chosen = {_best(children, length_of)}
        elif kind == "related":
            chosen = {0}
        for index in reversed(range(len(children))):
            child = children[index]
            read = readable and index in chosen
            # The words of the alternatives not chosen are said already; their files are not.
            if read or child.is_multipart() or kind == "related" or not _is_body(child):
                stack.append((child, depth + 1, read))


def _children(part: Message) -> list[Message]:
    found = part.get_payload()
    return [child for child in found if isinstance(child, Message)] if isinstance(found, list) else []


def _best(children: list[Message], length_of: Callable[[Message], int]) -> int:
    """The alternative to read: the plain one, but the HTML one where the plain is empty or a stub."""
    lengths: dict[str, tuple[int, int]] = {}
    for index, child in enumerate(children):
        bodies = [part for part in child.walk() if _is_body(part)]
        if bodies:
            kind = bodies[0].get_content_type()
            lengths.setdefault(kind, (index, sum(map(length_of, bodies))))
    plain, rich = lengths.get("text/plain"), lengths.get("text/html")
    if plain is None or rich is None:
        return (plain or rich or (max(0, len(children) - 1), 0))[0]
    is_stub = plain[1] < _STUB_CHARACTERS and plain[1] < _STUB_SHARE * rich[1]
    return rich[0] if is_stub or not plain[1] else plain[0]


def _is_body(part: Message) -> bool:
    if part.is_multipart() or part.get_content_disposition() == "attachment":
        return False
    kind = part.get_content_type()
    if kind in _TEXT_BODIES:
        return not part.get_filename() or part.get_content_disposition() == "inline"
    return kind in ("text/enriched", "message/delivery-status") and not part.get_filename()


def _is_inline(part: Message) -> bool:
    """Shown among the words, as a logo is; other programs call such a picture an attachment all the same."""
    return part.get_content_disposition() == "inline" or part.get("content-id") is not None


def _attach(content: Content, part: Message) -> None:
    name = _name_of(part, len(content.attachments) + 1)
    data = _mail_bytes(part) if part.get_content_maintype() == "message" else payload(part)
    if part.get_content_type() in ("application/pgp-signature", "application/pkcs7-signature"):
        return
    if part.get_content_type() in ("application/pkcs7-mime", "application/pgp-encrypted"):
        content.warnings.append(f"{name} is encrypted and not read: save the mail decrypted.")
    elif not data:
        content.warnings.append(f"Attachment {name} is empty.")
    else:
        content.attachments.append(Attachment(_unique(name, content.attachments), data))


def _mail_bytes(part: Message) -> bytes:
    """A mail inside this one, written out again."""
    inner = _children(part)
    if not inner:
        return payload(part)
    written = BytesIO()
    try:
        BytesGenerator(written, mangle_from_=False, maxheaderlen=0).flatten(inner[0])
    except (ValueError, LookupError, TypeError, AttributeError):
        return b""
    return written.getvalue()


def _name_of(part: Message, number: int) -> str:
    """The file's name without folders; a mail is called by its subject."""
    try:
        given = one_line(plain_words(part.get_filename() or ""))
    except (ValueError, LookupError, TypeError):
        given = ""
    given = given.replace("\\", "/").rstrip("/").rpartition("/")[2]
    if part.get_content_type() == "message/rfc822":
        inner = _children(part)
        subject = header(inner[0], "Subject").replace("/", "-") if inner else ""
        given = given or subject[:100] or f"message {number}"
        return given if given.lower().endswith(".eml") else f"{given}.eml"
    return given or f"part {number}{_ENDINGS.get(part.get_content_type(), '')}"


def _unique(name: str, taken: list[Attachment]) -> str:
    names = {attachment.name for attachment in taken}
    stem, dot, ending = name.rpartition(".") if "." in name else (name, "", "")
    number = 2
    unique = name
    while unique in names:
        unique = f"{stem} ({number}){dot}{ending}"
        number += 1
    return unique


_ENDINGS = {
    "application/pdf": ".pdf",
    "text/plain": ".txt",
    "text/html": ".html",
    "text/csv": ".csv",
    "text/calendar": ".ics",
    "image/png": ".png",
    "image/jpeg": ".jpg",
}
