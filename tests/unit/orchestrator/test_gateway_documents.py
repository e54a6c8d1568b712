"""Do files come in, show what became of each, and go everywhere at once?"""

import asyncio
import json

import pytest

from shared.errors import Unavailable
from tests.unit.orchestrator.gateway_fakes import gateway
from tests.unit.orchestrator.gateway_samples import TEXT


async def test_files_are_answered_in_their_order_with_their_own_results() -> None:
    stand = gateway()
    files = [("file", (name, name.encode(), "text/plain")) for name in ("b.txt", "empty.txt", "a.txt")]
    async with stand.client() as client:
        response = await client.post("/v1/documents", files=files)
    entries = response.json()["documents"]
    assert response.status_code == 202
    assert [(e["name"], e["status"]) for e in entries] == [
        ("b.txt", "queued"),
        ("empty.txt", "failed"),
        ("a.txt", "queued"),
    ]
    assert entries[1]["job_id"] is None
    assert entries[1]["error"]["status"] == 422
    assert entries[0]["error"] is None
    assert stand.ingest.stored["b.txt"] == b"b.txt"


async def test_single_refused_file_is_refused_with_its_status_and_reason() -> None:
    async with gateway().client() as client:
        response = await client.post("/v1/documents", files={"file": ("blob.bin", b"\0")})
    assert response.status_code == 415
    assert response.headers["content-type"] == "application/problem+json"
    assert "blob.bin is refused" in response.json()["detail"]
    assert len(response.json()["documents"]) == 1


async def test_files_refused_for_different_reasons_are_422_together() -> None:
    files = [("file", ("blob.bin", b"\0")), ("file", ("empty.txt", b""))]
    async with gateway().client() as client:
        response = await client.post("/v1/documents", files=files)
    assert response.status_code == 422
    assert [d["error"]["status"] for d in response.json()["documents"]] == [415, 422]


async def test_same_bytes_again_are_a_duplicate_without_a_job() -> None:
    async with gateway().client() as client:
        for expected in (False, True):
            response = await client.post("/v1/documents", files={"file": ("a.txt", b"same")})
            entry = response.json()["documents"][0]
            assert entry["duplicate"] is expected
            assert (entry["job_id"] is None) is expected


async def test_two_files_of_one_name_leave_the_later_one() -> None:
    stand = gateway()
    files = [("file", ("a.txt", str(n).encode())) for n in range(8)]
    async with stand.client() as client:
        await client.post("/v1/documents", files=files)
    assert stand.ingest.stored["a.txt"] == b"7"


@pytest.mark.parametrize(
    "name", ["Größe 🚚.md", "日本語.txt", "e\u0301.txt", 'quote".txt', "new\u2028line.txt"]
)
async def test_file_name_of_any_unicode_arrives(name: str) -> None:
    stand = gateway()
    async with stand.client() as client:
        response = await client.post("/v1/documents", files={"file": (name, b"x")})
    assert response.status_code == 202
    # Clients write a quotation mark as %22 (HTML standard, multipart form data).
    assert list(stand.ingest.stored) == [name.replace('"', "%22")]


async def test_large_file_arrives_whole() -> None:
    stand = gateway()
    data = bytes(range(256)) * 4 * 4096
    async with stand.client() as client:
        await client.post("/v1/documents", files={"file": ("big.txt", data)})
    assert stand.ingest.stored["big.txt"] == data


async def test_file_over_the_limit_is_refused_alone() -> None:
    stand = gateway(max_upload_bytes=10)
    files = [("file", ("small.txt", b"x" * 10)), ("file", ("large.txt", b"x" * 11))]
    async with stand.client() as client:
        both = (await client.post("/v1/documents", files=files)).json()["documents"]
        alone = await client.post("/v1/documents", files=files[1:])
    assert [d["status"] for d in both] == ["queued", "failed"]
    assert "max_upload_bytes" in both[1]["error"]["detail"]
    assert alone.status_code == 413


async def test_more_files_than_allowed_are_413() -> None:
    files = [("file", (f"{n}.txt", b"x")) for n in range(4)]
    async with gateway(max_files=3).client() as client:
        response = await client.post("/v1/documents", files=files)
    assert response.status_code == 413
    assert "max_files" in response.json()["detail"]


@pytest.mark.parametrize(
    ("content", "content_type", "status"),
    [
        (b"hello", "text/plain", 415),
        (b"", "", 415),
        (b"--x\r\n", "multipart/form-data; boundary=x", 422),
        (b"garbage", "multipart/form-data; boundary=x", 400),
        (b"garbage", "multipart/form-data", 400),
        (
            b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--x--\r\n',
            "multipart/form-data; boundary=x",
            422,
        ),
        (b"{}", "application/json", 422),
        (b"{", "application/json", 422),
        (b'{"url": 3}', "application/json", 422),
        (b'{"url": "https://example.org", "depth": 2}', "application/json", 422),
        (b'{"url": "file:///etc/passwd"}', "application/json", 422),
    ],
)
async def test_upload_that_is_no_upload_is_refused(content: bytes, content_type: str, status: int) -> None:
    async with gateway().client() as client:
        response = await client.post("/v1/documents", content=content, headers={"Content-Type": content_type})
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")
    assert status != 400 or "send each file as a part named file" in response.json()["detail"]


async def test_full_queue_of_ingest_is_waited_for() -> None:
    stand = gateway()
    stand.ingest.overloaded_times = 3
    async with stand.client() as client:
        response = await client.post("/v1/documents", files={"file": ("a.txt", b"x")})
    assert response.status_code == 202
    assert stand.ingest.stored == {"a.txt": b"x"}


async def test_queue_that_stays_full_is_503() -> None:
    stand = gateway(upload_patience_s=0.0)
    stand.ingest.overloaded_times = 1000
    async with stand.client() as client:
        response = await client.post("/v1/documents", files={"file": ("a.txt", b"x")})
    assert response.status_code == 503
    assert response.headers["retry-after"]


async def test_upload_without_ingest_is_503() -> None:
    stand = gateway()
    stand.ingest.failure = Unavailable("the ingest service does not answer")
    async with stand.client() as client:
        response = await client.post("/v1/documents", files={"file": ("a.txt", b"x")})
    assert response.status_code == 503


async def test_uploads_beyond_the_seats_are_turned_away() -> None:
    stand = gateway(max_uploads=1, max_waiting_uploads=0, upload_patience_s=1.0)
    stand.ingest.overloaded_times = 2
    async with stand.client() as client:
        first = asyncio.create_task(client.post("/v1/documents", files={"file": ("a.txt", b"x")}))
        await asyncio.sleep(0.05)
        second = await client.post("/v1/documents", files={"file": ("b.txt", b"x")})
        assert (await first).status_code == 202
    assert second.status_code == 503


async def test_document_and_list_have_the_fields_of_the_contract() -> None:
    async with gateway().client() as client:
        listed = (await client.get("/v1/documents")).json()
        one = (await client.get("/v1/documents/doc_1")).json()
        beyond = (await client.get("/v1/documents", params={"offset": 1})).json()
    assert listed == {"documents": [one], "total": 1}
    assert beyond["documents"] == []
    fields = ("id", "name", "media_type", "size", "sha256", "version", "status", "error", "characters")
    assert set(fields) | {"chunk_count", "pages", "warnings"} <= set(one)


async def test_text_is_cut_in_code_points() -> None:
    async with gateway().client() as client:
        whole = (await client.get("/v1/documents/doc_1/text")).json()["text"]
        part = (await client.get("/v1/documents/doc_1/text", params={"start": 15, "end": 16})).json()["text"]
    assert whole == TEXT
    assert part == "🚚"


async def test_chunk_has_its_span_beside_its_text() -> None:
    async with gateway().client() as client:
        chunks = (await client.get("/v1/documents/doc_1/chunks")).json()["chunks"]
    assert chunks == [
        {
            "chunk_id": "chk_1",
            "start": 0,
            "end": 5,
            "text": "Naïve",
            "section": ["A", "B"],
            "page_number": None,
            "page_label": "",
            "tokens": 3,
        }
    ]


async def test_page_image_is_asked_for_with_its_span() -> None:
    async with gateway().client() as client:
        response = await client.get("/v1/documents/doc_1/pages/3.png", params={"start": 4, "end": 9})
        boxes = (await client.get("/v1/documents/doc_1/pages/3/boxes")).json()
    assert (response.content, response.headers["content-type"]) == (b"png 3 4 9", "image/png")
    assert boxes == {"width": 612.0, "height": 792.0, "boxes": []}


async def test_span_over_three_pages_has_rectangles_on_all_three() -> None:
    async with gateway().client() as client:
        found = await client.get("/v1/documents/doc_1/boxes", params={"start": 4, "end": 9})
        backwards = await client.get("/v1/documents/doc_1/boxes", params={"start": 9, "end": 4})
    assert [box["page_number"] for box in found.json()["boxes"]] == [1, 2, 3]
    assert found.json()["boxes"][0] == {"page_number": 1, "x0": 4, "top": 10.0, "x1": 9, "bottom": 20.0}
    assert backwards.status_code == 422


async def test_original_html_cannot_run_in_our_origin() -> None:
    stand = gateway()
    stand.ingest.original_type = "text/html"
    async with stand.client() as client:
        response = await client.get("/v1/documents/doc_1/original")
    assert response.content == b"<script>alert(1)</script>"
    assert response.headers["content-type"] == "application/octet-stream"
    assert response.headers["content-disposition"].startswith("attachment;")
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in response.headers["content-security-policy"]


@pytest.mark.parametrize(
    "name", ['a"; b=c.txt', "a\r\nSet-Cookie: x=y.txt", "Größe 🚚.pdf", "a\\b.txt", "\ud800.txt"]
)
async def test_original_of_any_name_ends_no_header(name: str) -> None:
    stand = gateway()
    stand.ingest.original_name = name
    async with stand.client() as client:
        response = await client.get("/v1/documents/doc_1/original")
    value = response.headers["content-disposition"]
    assert response.status_code == 200
    assert "set-cookie" not in response.headers
    assert value.isascii()
    assert value.count('"') == 2
    assert "filename*=UTF-8''" in value
    assert "\r" not in value
    assert "\n" not in value


async def test_deleting_erases_the_document_from_traces() -> None:
    stand = gateway()
    async with stand.client() as client:
        response = await client.delete("/v1/documents/doc_1")
    assert response.status_code == 202
    assert stand.ingest.deleted == ["doc_1"]
    assert stand.traces.erased == ["doc_1"]


async def test_deleting_again_still_erases_what_a_crash_left_in_traces() -> None:
    stand = gateway()
    async with stand.client() as client:
        gone, never = "doc_" + "0" * 20, "doc_never"
        assert (await client.delete(f"/v1/documents/{gone}")).status_code == 404
        assert (await client.delete(f"/v1/documents/{never}")).status_code == 404
    assert stand.traces.erased == [gone]


async def test_job_is_watched_to_its_end() -> None:
    async with gateway().client() as client:
        response = await client.get("/v1/jobs/job_1/events")
    assert response.headers["content-type"].startswith("text/event-stream")
    data = [json.loads(line[5:]) for line in response.text.split("\n") if line.startswith("data:")]
    assert [d["state"] for d in data] == ["queued", "running", "done"]


async def test_jobs_are_listed() -> None:
    async with gateway().client() as client:
        listed = (await client.get("/v1/jobs")).json()
        one = (await client.get("/v1/jobs/job_1")).json()
    assert listed == {"jobs": [one], "total": 1}
    assert {"id", "document_id", "state", "stage", "progress", "error"} <= set(one)
