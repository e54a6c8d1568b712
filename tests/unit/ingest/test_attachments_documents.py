"""Do the files inside a file become documents with it, change with it and go with it?"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from services.ingest.core.document import Attachment
from services.ingest.core.formats.limits import Limits
from services.ingest.enclosed import enclosed_files
from services.ingest.identity import document_id
from shared.errors import NotFound
from shared.pb import ingest_pb2
from tests.unit.ingest.calling import WAIT_S, Client, document, pdf_of

NOTES = b"The lock opens at noon.\n\nIt shuts at six."


def mail(
    *files: tuple[str, bytes], subject: str = "Tide tables", words: str = "Please find them here."
) -> bytes:
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = subject, "a@example.org", "b@example.org"
    message.set_content(words)
    for name, data in files:
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


@dataclass(frozen=True)
class Parent:
    work: Path
    name: str = "mail.eml"
    workspace: str = "default"
    document_id: str = "doc_1"
    limits: Limits = field(default_factory=lambda: Limits(max_attachments=4))
    max_attached_bytes: int = 1000


async def listed(client: Client) -> dict[str, ingest_pb2.Document]:
    reply = await client.call("ListDocuments", ingest_pb2.PageRequest(limit=100))
    return {each.name: each for each in reply.documents}


async def settled(client: Client) -> dict[str, ingest_pb2.Document]:
    """The documents once no job is unfinished."""
    async with asyncio.timeout(WAIT_S):
        while True:
            jobs = await client.call("ListJobs", ingest_pb2.PageRequest(limit=100))
            if all(job.state in ("done", "failed") for job in jobs.jobs):
                return await listed(client)
            await asyncio.sleep(0.05)


def held(client: Client) -> set[str]:
    """The documents that either index holds at its last generation."""
    last = [index.generations["default"] for index in client.indexes]
    return {each for generations in last for each in generations[max(generations)]}


async def test_attachments_of_a_mail_are_documents_with_a_parent(client: Client) -> None:
    added = await client.add("mail.eml", mail(("report.pdf", pdf_of("High water")), ("notes.txt", NOTES)))
    documents = await settled(client)
    assert set(documents) == {"mail.eml", "mail.eml – report.pdf", "mail.eml – notes.txt"}
    assert {each.status for each in documents.values()} == {"ready"}
    assert documents["mail.eml"].parent_id == ""
    report = documents["mail.eml – report.pdf"]
    assert report.parent_id == added.document_id
    assert report.media_type == "application/pdf"
    assert await client.original(report.id) == pdf_of("High water")


async def test_upload_named_like_an_attachment_is_another_document(client: Client) -> None:
    await client.add("mail.eml", mail(("notes.txt", NOTES)))
    await client.add("mail.eml – notes.txt", b"Words of my own.")
    reply = await client.call("ListDocuments", ingest_pb2.PageRequest(limit=100))
    await settled(client)
    same = [each for each in reply.documents if each.name == "mail.eml – notes.txt"]
    assert len({each.id for each in same}) == len(same) == 2


async def test_same_mail_again_is_a_duplicate_and_adds_nothing(client: Client) -> None:
    data = mail(("notes.txt", NOTES))
    await client.add("mail.eml", data)
    before = await settled(client)
    assert (await client.submit("mail.eml", data)).duplicate
    assert await settled(client) == before


async def test_new_version_replaces_what_was_attached(client: Client) -> None:
    await client.add("mail.eml", mail(("old.txt", NOTES), ("same.txt", NOTES), ("new.txt", b"One word.")))
    before = await settled(client)
    await client.add("mail.eml", mail(("same.txt", NOTES), ("new.txt", b"Two words."), words="Once more."))
    after = await settled(client)
    assert set(after) == {"mail.eml", "mail.eml – same.txt", "mail.eml – new.txt"}
    assert after["mail.eml – same.txt"] == before["mail.eml – same.txt"]
    assert after["mail.eml – new.txt"].version == 2
    assert {each.sha256 for each in after.values()} <= set(client.files())
    async with asyncio.timeout(WAIT_S):
        while True:
            if held(client) == {each.id for each in after.values()}:
                break
            await asyncio.sleep(0.05)


async def test_deleting_a_mail_deletes_what_came_in_it(client: Client) -> None:
    inner = mail(("deep.txt", NOTES), subject="Inside")
    added = await client.add("mail.eml", mail(("inner.eml", inner), ("notes.txt", NOTES)))
    documents = await settled(client)
    assert "mail.eml – inner.eml – deep.txt" in documents
    reply = await client.call("DeleteDocument", document(added.document_id))
    assert reply.finished
    assert await settled(client) == {}
    assert client.files() == []
    assert held(client) == set()
    with pytest.raises(NotFound):
        await client.call("GetDocument", document(documents["mail.eml – notes.txt"].id))


async def test_attachment_that_cannot_be_read_is_a_warning_of_its_mail(client: Client) -> None:
    broken = b"%PDF-1.7 and nothing more"
    await client.add(
        "mail.eml", mail(("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(40)), ("broken.pdf", broken))
    )
    documents = await settled(client)
    assert set(documents) == {"mail.eml"}
    warnings = "\n".join(documents["mail.eml"].warnings)
    assert "photo.png" in warnings
    assert "The attachment broken.pdf is not read. The PDF is damaged" in warnings
    assert len(client.files()) == 1


async def test_files_deeper_than_the_setting_are_left_out_with_a_warning(serving: Callable[..., Any]) -> None:
    client: Client = await serving(max_attachment_depth=1)
    inner = mail(("deep.txt", NOTES), subject="Inside")
    await client.add("mail.eml", mail(("inner.eml", inner)))
    documents = await settled(client)
    assert set(documents) == {"mail.eml", "mail.eml – inner.eml"}
    (warning,) = documents["mail.eml – inner.eml"].warnings
    assert "deep.txt" in warning
    assert "SIGHTLINE_MAX_ATTACHMENT_DEPTH" in warning


async def test_more_files_than_one_upload_may_bring_are_left_out(serving: Callable[..., Any]) -> None:
    client: Client = await serving(max_upload_files=2)
    inner = mail(("a.txt", b"First."), ("b.txt", b"Second."), subject="Inside")
    await client.add("mail.eml", mail(("inner.eml", inner)))
    documents = await settled(client)
    assert set(documents) == {"mail.eml", "mail.eml – inner.eml", "mail.eml – inner.eml – a.txt"}
    assert "SIGHTLINE_MAX_UPLOAD_FILES" in documents["mail.eml – inner.eml"].warnings[0]


async def test_files_that_are_there_already_are_no_more_than_an_upload_may_bring(
    serving: Callable[..., Any],
) -> None:
    client: Client = await serving(max_upload_files=3)
    files = [(f"{number}.txt", b"Tide %d." % number) for number in range(3)]
    await client.add("mail.eml", mail(*files))
    before = set(await settled(client))
    await client.add("mail.eml", mail(*files, words="Once more."))
    after = await settled(client)
    assert set(after) == before
    assert len(after) == 4
    assert after["mail.eml"].version == 2
    assert list(after["mail.eml"].warnings) == []
    others = [(f"other {name}", data) for name, data in files]
    await client.add("mail.eml", mail(*others))
    last = await settled(client)
    assert set(last) == {"mail.eml", *(f"mail.eml – {name}" for name, _ in others)}


def test_attachment_above_the_size_of_an_upload_is_left_out(tmp_path: Path) -> None:
    files, refusals = enclosed_files(
        [Attachment("a.txt", NOTES * 40), Attachment("b.txt", NOTES)], Parent(tmp_path)
    )
    assert [file.name for file in files] == ["mail.eml – b.txt"]
    assert refusals == ("The attachment a.txt has more than 1000 bytes (SIGHTLINE_MAX_UPLOAD_BYTES).",)


def test_two_attachments_of_one_name_get_two_names(tmp_path: Path) -> None:
    raw = ["a/notes.txt", "b/notes.txt", "\0", "notes"]
    files, refusals = enclosed_files(
        [Attachment(name, NOTES) for name in [*raw, "fifth.txt", "sixth.txt"]], Parent(tmp_path)
    )
    assert [file.name for file in files] == [
        "mail.eml – notes.txt",
        "mail.eml – notes (2).txt",
        "mail.eml – attachment",
        "mail.eml – notes",
    ]
    assert refusals == ("2 more attachments are left out (SIGHTLINE_MAX_ATTACHMENTS).",)
    assert len({file.document_id for file in files}) == 4
    assert files[0].document_id != document_id("default", files[0].name)
    assert [file.path.read_bytes() for file in files] == [NOTES] * 4
