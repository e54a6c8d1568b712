"""How does a PDF become a document?"""

from services.ingest.core.document import ParsedDocument
from shared.errors import InvalidDocument

MEDIA_TYPE = "application/pdf"


def parse(name: str, data: bytes) -> ParsedDocument:
    raise InvalidDocument("not yet")
