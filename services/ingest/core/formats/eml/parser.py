"""How is a mail read? Its subject, who wrote it to whom and when, its words once, and its files beside it."""

import email
import email.policy
import re
from email.message import Message

from services.ingest.core.document import HEADING, PARAGRAPH, ParsedDocument
from services.ingest.core.formats.eml.headers import header
from services.ingest.core.formats.eml.parts import content_of, payload
from services.ingest.core.formats.encoding import decode
from services.ingest.core.formats.html.blocks import BlockWalker
from services.ingest.core.formats.html.parser import decoded_page
from services.ingest.core.formats.html.tags import words_of
from services.ingest.core.formats.html.tree import tree_of
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits
from services.ingest.core.formats.plain.blocks import plain_blocks
from services.ingest.core.text import TextBuilder, one_line, visible
from services.ingest.core.title import MAX_CHARACTERS, readable_stem
from shared.errors import InvalidDocument

MEDIA_TYPE = "message/rfc822"
_ENVELOPE = ("From", "To", "Cc", "Date")
_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
_QUOTE = re.compile(r"[ \t]?(?:>[ \t]?)+")
_TAGS = re.compile(r"<[^>]*>")


def parse(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    try:
        message = email.message_from_bytes(data.lstrip(b"\xef\xbb\xbf\r\n"), policy=email.policy.compat32)
        content = content_of(message, _length, limits)
    except RecursionError as error:
        raise InvalidDocument(
            "The mail nests its parts too deeply: save its attachments on their own."
        ) from error
    builder = TextBuilder()
    subject = header(message, "Subject")
    builder.add(HEADING, subject, level=1)
    envelope = ((key, header(message, key)) for key in _ENVELOPE)
    builder.add(PARAGRAPH, "\n".join(f"{key}: {value}" for key, value in envelope if value))
    for part in content.bodies:
        if part.get_content_type() == "text/html":
            BlockWalker(builder, headings_below=1).walk(tree_of(_page(part)))
        else:
            _add_words(builder, _words(part))
    warnings = list(content.warnings)
    if content.inline_images:
        warnings.append(f"Images in the mail are not read: {', '.join(content.inline_images[:20])}.")
    text, blocks = builder.finish()
    title = subject[:MAX_CHARACTERS] if visible(subject) else readable_stem(name)
    return ParsedDocument(
        text, title, blocks, (), None, tuple(warnings), MEDIA_TYPE, tuple(content.attachments)
    )


def _length(part: Message) -> int:
    """How much a body says, about; tags and what is only layout do not count."""
    if part.get_content_type() != "text/html":
        words = _words(part)
        return 0 if words.lstrip().lower().startswith(("<html", "<!doctype")) else len(one_line(words))
    try:
        return len(one_line(words_of(tree_of(_page(part)))))
    except InvalidDocument:
        return 0


def _charset(part: Message) -> str | None:
    try:
        return part.get_content_charset()
    except (ValueError, LookupError, TypeError, AttributeError):
        return None


def _page(part: Message) -> str:
    return decoded_page(payload(part), declared=_charset(part))


def _words(part: Message) -> str:
    """The text of a plain part, lines that were only broken to be sent (format=flowed) joined again."""
    if part.is_multipart():  # a delivery report: blocks of headers
        inner = part.get_payload()
        groups = inner if isinstance(inner, list) else []
        text = "\n\n".join(str(group) for group in groups)
        return text.encode("utf-8", "replace").decode()
    text = decode(payload(part), declared=_charset(part))[0]
    if part.get_content_type() == "text/enriched":
        text = _TAGS.sub("", text)
    if str(part.get_param("format", "")).lower() == "flowed":
        spacing = "" if str(part.get_param("delsp", "")).lower() == "yes" else " "
        text = re.sub(r"(?<!\n--) \n(?![>\s]|-- \n)", spacing, text)
    return text


def _add_words(builder: TextBuilder, text: str) -> None:
    """Paragraphs, lists and tables; what is quoted stands in paragraphs of its own, with its marks."""
    for quoted, lines in _runs(text.split("\n")):
        if quoted:
            for paragraph in _BLANK_LINES.split(
                "\n".join(line if _QUOTE.sub("", line) else "" for line in lines)
            ):
                builder.add(PARAGRAPH, paragraph)
            continue
        run = "\n".join(lines)
        for block in plain_blocks(run, headings=False):
            builder.add(
                block.kind,
                run[block.start : block.end],
                level=block.level,
                header_lines=block.header_lines,
            )


def _runs(lines: list[str]) -> list[tuple[bool, list[str]]]:
    """Stretches of lines that are all quoted or all not; blank ones go with what is above them."""
    runs: list[tuple[bool, list[str]]] = []
    for line in lines:
        quoted = line.lstrip(" ").startswith(">")
        if runs and (runs[-1][0] == quoted or not line.strip()):
            runs[-1][1].append(line)
        else:
            runs.append((quoted, [line]))
    return runs
