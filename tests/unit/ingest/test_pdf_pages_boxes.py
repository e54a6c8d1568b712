"""Does a span know its rectangles on every page that it touches, over the wire?"""

import pytest

from shared.errors import InvalidInput
from shared.pb import ingest_pb2
from tests.unit.ingest.calling import Client
from tests.unit.ingest.drawing import Sheet, pdf, prose


def three_pages() -> bytes:
    sheets = []
    for page in range(3):
        sheet = Sheet()
        sheet.column(50, 300, prose(6, mark=f"p{page}"))
        sheets.append(sheet)
    return pdf(*sheets)


async def test_span_over_three_pages_has_rectangles_on_all_three(client: Client) -> None:
    reply = await client.add("a.pdf", three_pages())
    text = (await client.call("GetText", ingest_pb2.TextRequest(document_id=reply.document_id))).text
    start, end = text.index("p0af"), text.index("p2aa") + 4
    request = ingest_pb2.RenderPageRequest(document_id=reply.document_id, start=start, end=end)
    boxes = (await client.call("GetPageBoxes", request)).boxes
    assert [box.page_number for box in boxes] == [1, 2, 2, 2, 2, 2, 2, 3]
    request.page_number = 2
    page = await client.call("GetPageBoxes", request)
    assert list(page.boxes) == [box for box in boxes if box.page_number == 2]
    assert (page.width, page.height) == (600, 800)


async def test_span_of_a_format_without_pages_has_no_rectangles(client: Client) -> None:
    reply = await client.add("a.md", b"# Words\n\nand more of them")
    request = ingest_pb2.RenderPageRequest(document_id=reply.document_id, start=0, end=5)
    with pytest.raises(InvalidInput, match="has no pages"):
        await client.call("GetPageBoxes", request)
