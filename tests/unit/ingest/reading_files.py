"""How is a file read in a test: told by its bytes, then parsed?"""

from services.ingest.core.document import (
    ParsedDocument,
)
from services.ingest.core.formats.registry import parse, sniff

FRENCH = "L'été était très chaud cette année. J'ai acheté un café au lait, c'était délicieux ! " * 3


def read(name: str, data: bytes | str) -> ParsedDocument:
    raw = data.encode() if isinstance(data, str) else data
    return parse(name, raw, sniff(name, raw))


def blocks(parsed: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, parsed.text[block.start : block.end]) for block in parsed.blocks]
