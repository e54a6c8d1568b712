"""Do annotations reach whoever reads the chunks, and does no document wait for a model that is away?"""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from shared.pb import ingest_pb2
from tests.unit.ingest.calling import TEXT

SAID = "Tides and the moon."


class Endpoint(BaseHTTPRequestHandler):
    """A chat model of one sentence."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert asked["model"] == "small"
        body = json.dumps({"choices": [{"message": {"content": SAID}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


async def test_chunks_carry_what_the_model_says_of_them(serving: Callable[..., Any], endpoint: str) -> None:
    client = await serving(annotate=True, annotate_url=endpoint, annotate_model="small")
    reply = await client.add("tides.md", TEXT.encode())
    listed = await client.call("ListChunks", ingest_pb2.DocumentPageRequest(document_id=reply.document_id))
    assert [chunk.annotation for chunk in listed.chunks] == [SAID] * len(listed.chunks)


async def test_model_that_is_away_leaves_a_warning_and_no_document_behind(
    serving: Callable[..., Any],
) -> None:
    client = await serving(annotate=True, annotate_url="http://127.0.0.1:1/v1", annotate_model="small")
    reply = await client.add("tides.md", TEXT.encode())
    found = await client.call("GetDocument", ingest_pb2.DocumentRequest(document_id=reply.document_id))
    assert found.status == "ready"
    assert "have no annotation" in found.warnings[-1]
