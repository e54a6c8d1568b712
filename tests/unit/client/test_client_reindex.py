"""Does the command line ask for reindexing and say what comes of it?"""

import httpx
import pytest

from tests.unit.client.test_client_commands import command


def test_reindex_says_how_many_documents_are_read_again(capsys: pytest.CaptureFixture[str]) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert (request.method, request.url.path) == ("POST", "/v1/reindex")
        return httpx.Response(202, json={"documents": 7, "vocabulary": 2})

    assert command(["reindex"], answer) == 0
    assert capsys.readouterr().out == "7 documents are read again, with vocabulary 2\n"
