"""How is plain text read? Kept as it is, its headings, lists and tables found by how they are typed."""

import json
import re

from services.ingest.core.document import CODE, Block, ParsedDocument
from services.ingest.core.formats.encoding import decode
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits, check_characters
from services.ingest.core.formats.plain.blocks import plain_blocks
from services.ingest.core.formats.plain.lines import stanzas
from services.ingest.core.title import first_headings, title_of

MEDIA_TYPE = "text/plain"
PROSE_ENDINGS = ("", "txt", "text", "log", "tex", "org", "adoc", "asciidoc", "srt", "vtt")
SOURCE_ENDINGS = (
    *("json", "jsonl", "xml", "yaml", "yml", "toml", "ini", "cfg", "conf", "properties", "sql", "css", "sh"),
    *("py", "js", "ts", "java", "kt", "c", "h", "cpp", "hpp", "cs", "go", "rs", "rb", "php", "r", "lua"),
)

_JSON_ENDINGS = (".json", ".jsonl")
# A run of escapes at a time, since halves of a character may stand in two; an escaped backslash begins none.
_ESCAPES = re.compile(r"\\\\|(?:\\u[0-9a-fA-F]{4})+")
_TO_BE_KEPT = re.compile(r'[\x00-\x1f"\\\x7f-\x9f\ud800-\udfff]')


def parse(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    text, warnings = decode(data)
    if name.lower().endswith(_JSON_ENDINGS):
        text = _ESCAPES.sub(_unescaped, text)
    check_characters(len(text), limits)
    is_source = name.lower().endswith(tuple(f".{ending}" for ending in SOURCE_ENDINGS))
    blocks = _source_blocks(text) if is_source else plain_blocks(text)
    title = title_of(first_headings(blocks, text), name)
    return ParsedDocument(text, title, blocks, (), None, warnings, MEDIA_TYPE)


def _unescaped(escapes: re.Match[str]) -> str:
    """The characters that escapes stand for, where they can be read as they are: `Gr\\u00fcn` is Grün."""
    written = escapes.group()
    if written == r"\\":
        return written
    read = str(json.loads(f'"{written}"'))
    return written if _TO_BE_KEPT.search(read) else read


def _source_blocks(text: str) -> tuple[Block, ...]:
    """What stands between blank lines; the indent of its first line is part of it."""
    return tuple(Block(CODE, lines[0].start, lines[-1].end) for lines in stanzas(text))
