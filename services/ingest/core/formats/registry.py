"""Which kind of file is this, and which extractor reads it?"""

from services.ingest.core.document import ParsedDocument


def sniff(name: str, data: bytes) -> str:
    """The media type, from the bytes first and the name's ending second.

    Raises UnsupportedType for what no extractor reads, InvalidDocument for an empty or plainly corrupt file.
    """
    raise NotImplementedError


def parse(name: str, data: bytes, media_type: str) -> ParsedDocument:
    """The parsed document. Raises InvalidDocument with a sentence that says what to do."""
    raise NotImplementedError
