"""Remote embedders speak their server's wire format and refuse what does not fit the index."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import pytest

from services.vector_index.core.embedding import TextKind
from services.vector_index.embedders.ollama import OllamaEmbedding
from services.vector_index.embedders.openai import OpenAIEmbedding
from services.vector_index.embedders.opening import open_embedder
from services.vector_index.embedders.remote import Prefixes, open_remote
from services.vector_index.settings import VectorIndexSettings
from shared.errors import InvalidInput, Unavailable

Answer = Callable[[httpx.Request], httpx.Response]


class Server:
    """Records what it is asked; answers as the test says."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.bodies: list[dict[str, Any]] = []
        self.paths: list[str] = []

    def client(self, base: str) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=base, transport=httpx.MockTransport(self._handle))

    def _handle(self, request: httpx.Request) -> httpx.Response:
        self.paths.append(request.url.path)
        if request.content:
            self.bodies.append(json.loads(request.content))
        return self.answer(request)


def ollama_answer(request: httpx.Request) -> httpx.Response:
    if request.url.path == "/api/tags":
        return httpx.Response(200, json={"models": [{"name": "nomic:latest", "digest": "0a1b"}]})
    texts = json.loads(request.content)["input"]
    vectors = [[float(len(text)), 3.0, 4.0] for text in texts]
    return httpx.Response(
        200, json={"model": "nomic", "embeddings": vectors, "prompt_eval_count": 7 * len(texts)}
    )


def openai_answer(request: httpx.Request) -> httpx.Response:
    texts = json.loads(request.content)["input"]
    data = [
        {"object": "embedding", "index": n, "embedding": [float(len(text)), 0.0]}
        for n, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": 5, "total_tokens": 5}
    return httpx.Response(200, json={"object": "list", "data": data[::-1], "model": "small", "usage": usage})


@pytest.fixture
def ollama() -> Server:
    return Server(ollama_answer)


def ollama_api(server: Server) -> OllamaEmbedding:
    return OllamaEmbedding(server.client("http://ollama:11434"), "nomic")


async def test_ollama_embeds_under_the_prefix_of_the_kind_and_never_cuts(ollama: Server) -> None:
    embedder = await open_remote(ollama_api(ollama), "nomic", Prefixes("document: ", "query: "))
    (question,) = await embedder.embed(["a"], kind=TextKind.QUERY)
    await embedder.embed(["b", "c"], kind=TextKind.DOCUMENT)
    assert [body["input"] for body in ollama.bodies[1:]] == [["query: a"], ["document: b", "document: c"]]
    assert all(body["truncate"] is False and body["model"] == "nomic" for body in ollama.bodies)
    assert np.linalg.norm(question.vector) == pytest.approx(1.0)
    assert (question.tokens_present, question.tokens_read) == (7, 7)
    assert embedder.model.dimensions == 3
    await embedder.close()


async def test_many_texts_are_sent_in_batches_and_come_back_in_order(ollama: Server) -> None:
    embedder = await open_remote(ollama_api(ollama), "nomic", Prefixes())
    found = await embedder.embed(["x" * n for n in range(40)], kind=TextKind.DOCUMENT)
    assert [len(body["input"]) for body in ollama.bodies[1:]] == [16, 16, 8]
    ratios = [float(e.vector[0] / e.vector[1]) for e in found]
    assert ratios == pytest.approx([n / 3 for n in range(40)], abs=1e-5)


async def test_openai_sorts_by_index_and_keeps_the_base_path() -> None:
    server = Server(openai_answer)
    api = OpenAIEmbedding(server.client("http://llm:8000/v1"), "small")
    embedder = await open_remote(api, "small", Prefixes())
    found = await embedder.embed(["a", "bb"], kind=TextKind.DOCUMENT)
    assert set(server.paths) == {"/v1/embeddings"}
    assert [e.vector.tolist() for e in found] == [[1.0, 0.0], [1.0, 0.0]]
    assert (await api.vectors(["a", "bbb"])).vectors == [[1.0, 0.0], [3.0, 0.0]]


async def test_a_model_that_changes_underneath_is_refused(ollama: Server) -> None:
    embedder = await open_remote(ollama_api(ollama), "nomic", Prefixes())
    ollama.answer = lambda _: httpx.Response(200, json={"model": "other", "embeddings": [[1.0, 2.0, 3.0]]})
    with pytest.raises(Unavailable, match=r"'other'.*'nomic'"):
        await embedder.embed(["a"], kind=TextKind.QUERY)


@pytest.mark.parametrize(
    ("vectors", "reason"),
    [
        ([[1.0, 2.0]], "2 dimensions, but the index holds 3"),
        ([], "0 vectors for 1 texts"),
        ([[0.0, 0.0, 0.0]], "cannot be used"),
    ],
)
async def test_vectors_that_do_not_fit_are_refused(
    ollama: Server, vectors: list[list[float]], reason: str
) -> None:
    embedder = await open_remote(ollama_api(ollama), "nomic", Prefixes())
    ollama.answer = lambda _: httpx.Response(200, json={"model": "nomic", "embeddings": vectors})
    with pytest.raises(Unavailable, match=reason):
        await embedder.embed(["a"], kind=TextKind.QUERY)


@pytest.mark.parametrize(
    ("reply", "error", "reason"),
    [
        (
            httpx.Response(400, json={"error": "the input length exceeds the context length"}),
            InvalidInput,
            "too long",
        ),
        (httpx.Response(404, json={"error": "model 'nomic' not found"}), Unavailable, "404"),
        (
            httpx.Response(401, json={"error": {"message": "no such key", "type": "auth"}}),
            Unavailable,
            "no such key",
        ),
        (httpx.Response(200, text="<html>"), Unavailable, "does not answer"),
        (httpx.Response(200, json=[1]), Unavailable, "JSON object"),
    ],
)
async def test_a_failing_server_becomes_one_of_our_errors(
    ollama: Server, reply: httpx.Response, error: type[Exception], reason: str
) -> None:
    embedder = await open_remote(ollama_api(ollama), "nomic", Prefixes())
    ollama.answer = lambda _: reply
    with pytest.raises(error, match=reason):
        await embedder.embed(["a"], kind=TextKind.QUERY)


async def test_a_server_that_is_away_is_unavailable() -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    with pytest.raises(Unavailable, match="Ollama does not answer"):
        await open_remote(ollama_api(Server(refuse)), "nomic", Prefixes())


async def test_a_model_that_ollama_lacks_is_named_with_what_to_do() -> None:
    api = OllamaEmbedding(Server(ollama_answer).client("http://ollama:11434"), "mxbai")
    with pytest.raises(Unavailable, match=r"it has nomic:latest.*ollama pull mxbai"):
        await open_remote(api, "mxbai", Prefixes())


async def test_another_prefix_or_digest_is_another_identity(ollama: Server) -> None:
    plain = await open_remote(ollama_api(ollama), "nomic", Prefixes())
    prefixed = await open_remote(ollama_api(ollama), "nomic", Prefixes(document="passage: "))
    renewed_server = Server(
        lambda r: (
            httpx.Response(200, json={"models": [{"name": "nomic", "digest": "ffff"}]})
            if r.url.path == "/api/tags"
            else ollama_answer(r)
        )
    )
    renewed = await open_remote(ollama_api(renewed_server), "nomic", Prefixes())
    assert len({plain.identity, prefixed.identity, renewed.identity}) == 3


@pytest.mark.parametrize(
    ("settings", "missing"),
    [
        (VectorIndexSettings(embedder="ollama"), "SIGHTLINE_EMBEDDER_URL"),
        (VectorIndexSettings(embedder="openai", embedder_url="http://llm"), "SIGHTLINE_EMBEDDER_MODEL"),
    ],
)
async def test_a_missing_setting_is_named(settings: VectorIndexSettings, missing: str) -> None:
    with pytest.raises(InvalidInput, match=missing):
        await open_embedder(settings)
