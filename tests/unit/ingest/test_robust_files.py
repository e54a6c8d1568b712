"""Does ingest refuse every hostile file with a reason, in bounded time, and leave nothing of it behind?"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from shared.errors import SightlineError
from shared.pb import ingest_pb2
from tests.unit.ingest import hostile
from tests.unit.ingest.calling import WAIT_S, Client, pdf_of
from tests.unit.ingest.hostile import MIB

TIMEOUT_S = 4
LIMITS = {
    "max_unpacked_bytes": 8 * MIB,
    "max_member_bytes": 8 * MIB,
    "max_members": 500,
    "max_pages": 300,
    "max_upload_bytes": 8 * MIB,
    "parse_timeout_s": TIMEOUT_S,
    "parse_memory_bytes": 400 * MIB,
}
READY = "ready"
# What becomes of each: ready, or a reason that holds these words.
PACKAGES: dict[str, tuple[Callable[[], bytes], str]] = {
    "bomb.docx": (lambda: hostile.zip_bomb(32 * MIB), "unpacks to far more"),
    "lying.docx": (lambda: hostile.lying_zip_bomb(32 * MIB), "damaged|unpacks to far more"),
    "nested.docx": (lambda: hostile.nested_zip_bomb(32 * MIB, 3), READY),
    "many.docx": (lambda: hostile.many_members(2_000), "parts; at most 500"),
    "laughs.docx": (hostile.billion_laughs, "damaged"),
    "half.docx": (lambda: hostile.word_file()[:400], "damaged"),
    "deep.html": (lambda: hostile.nested_page(100_000), "too deeply"),
    "large.csv": (lambda: b"name,value\n" + b"tide,12\n" * (2 * MIB), "SIGHTLINE_MAX_UPLOAD_BYTES"),
    "blank.txt": (lambda: b" \n" * 1000, "empty"),
    "words.txt": (lambda: b"High water at noon.", READY),
}
PDFS: dict[str, tuple[Callable[[], bytes], str]] = {
    "encrypted.pdf": (hostile.encrypted_pdf, "password"),
    "half.pdf": (lambda: hostile.vast_page()[:300], "damaged"),
    "circle.pdf": (hostile.circular_pages, "damaged"),
    "vast.pdf": (hostile.vast_page, READY),
    "image.pdf": (hostile.image_bomb, READY),
    "forms.pdf": (hostile.recursive_forms, READY),
    "log.pdf": (lambda: hostile.paged(301), "SIGHTLINE_MAX_PAGES"),
    "endless.log": (lambda: b"a" * (4 * MIB), READY),
    "one.pdf": (lambda: pdf_of("High water at noon"), READY),
}
SLOW: dict[str, tuple[Callable[[], bytes], str]] = {
    "font.pdf": (hostile.font_bomb, "takes more than 4 s|crash|memory|damaged"),
    "busy.pdf": (lambda: hostile.busy_page(60), "takes more than 4 s"),
    "one.pdf": (lambda: pdf_of("High water at noon"), READY),
}


async def outcome(client: Client, name: str, data: bytes) -> str:
    """READY, or the reason why not."""
    try:
        pieces = [data[at : at + MIB] for at in range(0, len(data), MIB)]
        reply = await client.submit(name, *pieces)
    except SightlineError as error:
        return str(error)
    if reply.status == "failed":
        return str(reply.problem.detail)
    last = (await client.watch(reply.job_id))[-1]
    return READY if last.state == "done" else str(last.error.detail)


@pytest.mark.parametrize("files", [PACKAGES, PDFS, SLOW], ids=["packages", "pdfs", "slow"])
async def test_hostile_files_are_refused_with_a_reason_and_harm_nobody(
    serving: Callable[..., Any], files: dict[str, tuple[Callable[[], bytes], str]]
) -> None:
    client: Client = await serving(**LIMITS)
    contents = {name: make() for name, (make, _) in files.items()}
    began = time.monotonic()
    outcomes = dict(
        zip(
            contents,
            await asyncio.gather(*(outcome(client, name, data) for name, data in contents.items())),
            strict=True,
        )
    )
    assert time.monotonic() - began < WAIT_S
    wrong = {
        name: outcomes[name]
        for name, (_, expected) in files.items()
        if not any(part in outcomes[name] for part in expected.split("|"))
    }
    assert wrong == {}
    ready = {name for name, (_, expected) in files.items() if expected == READY}
    listed = await client.call("ListDocuments", ingest_pb2.PageRequest(limit=100))
    assert {each.name for each in listed.documents} == ready
    assert len(client.files()) == len(ready)
    assert list((client.folder / "ingest" / "work").iterdir()) == []


async def test_file_of_as_many_pages_as_the_setting_allows_is_read_with_progress(
    serving: Callable[..., Any],
) -> None:
    client: Client = await serving(**LIMITS, whole_pages=4)
    reply = await client.submit("log.pdf", hostile.paged(300))
    jobs = await client.watch(reply.job_id)
    assert jobs[-1].state == "done"
    parsing = [job.progress for job in jobs if job.stage == "parse"]
    assert parsing == sorted(parsing)
    assert len(set(parsing)) > 10
    one = await client.call("GetDocument", ingest_pb2.DocumentRequest(document_id=reply.document_id))
    assert [page.number for page in one.pages] == list(range(1, 301))


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("تقرير المد.txt", "تقرير المد.txt"),
        ("潮汐 🌊.md", "潮汐 🌊.md"),
        ("invoice\u202etxt.exe.txt", "invoicetxt.exe.txt"),
        ("a\0b.txt", "ab.txt"),
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\temp\\CON.txt", "CON.txt"),
        ("e\u0301te\u0301.txt", "été.txt"),
        ("a" * 4096 + ".txt", None),
        ("नमस्ते\n\r\t.txt", "नमस्ते.txt"),
    ],
)
async def test_file_of_any_name_keeps_what_is_readable_of_it(
    client: Client, raw: str, kept: str | None
) -> None:
    reply = await client.add(raw, b"High water at noon.")
    assert reply.name == kept or (kept is None and len(reply.name) <= 200 and reply.name.endswith(".txt"))
    listed = await client.call("ListDocuments", ingest_pb2.PageRequest(limit=10))
    assert [each.name for each in listed.documents] == [reply.name]
    assert all(len(name) == 64 for name in client.files())


@pytest.mark.parametrize("raw", ["", ".", "..", "folder/", "\0\0", "\u202e"])
async def test_file_without_a_usable_name_is_refused(client: Client, raw: str) -> None:
    reply = await client.submit(raw, b"High water at noon.")
    assert reply.status == "failed"
    assert "name" in reply.problem.detail
    assert client.files() == []
