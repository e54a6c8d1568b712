"""How is ingest called in a test: over the wire, by a small client?"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc

from shared.channel import translated
from shared.pb import ingest_pb2, ingest_pb2_grpc

WAIT_S = 60.0
TEXT = "# Tides\n\nHigh water comes twice a day; ünïcödé 🌊 stays whole.\n\n## Moon\n\nThe moon pulls.\n"


class Client:
    """The calls as tests make them; failures are SightlineErrors."""

    def __init__(self, channel: grpc.aio.Channel, folder: Path, indexes: list[Any]) -> None:
        self._stub = ingest_pb2_grpc.IngestStub(channel)
        self.folder = folder
        self.indexes = indexes

    async def call(self, name: str, request: Any) -> Any:
        try:
            return await getattr(self._stub, name)(request, timeout=WAIT_S)
        except grpc.aio.AioRpcError as error:
            raise translated(error) from error

    async def submit(
        self, name: str, *pieces: bytes, workspace: str = "", header: bool = True
    ) -> ingest_pb2.SubmitReply:
        async def requests() -> AsyncIterator[ingest_pb2.SubmitRequest]:
            if header:
                yield ingest_pb2.SubmitRequest(header=ingest_pb2.SubmitHeader(workspace=workspace, name=name))
            for piece in pieces:
                yield ingest_pb2.SubmitRequest(data=piece)

        try:
            return await self._stub.Submit(requests(), timeout=WAIT_S)
        except grpc.aio.AioRpcError as error:
            raise translated(error) from error

    async def watch(self, job_id: str) -> list[ingest_pb2.Job]:
        return [
            job async for job in self._stub.WatchJob(ingest_pb2.JobRequest(job_id=job_id), timeout=WAIT_S)
        ]

    async def add(self, name: str, content: bytes) -> ingest_pb2.SubmitReply:
        """Upload and wait until it is ready."""
        reply = await self.submit(name, content)
        jobs = await self.watch(reply.job_id)
        assert jobs[-1].state == "done", jobs[-1]
        return reply

    async def original(self, document_id: str) -> bytes:
        try:
            pieces = self._stub.GetOriginal(document(document_id), timeout=WAIT_S)
            return b"".join([piece.data async for piece in pieces])
        except grpc.aio.AioRpcError as error:
            raise translated(error) from error

    def files(self) -> list[str]:
        """The stored originals and spooled uploads."""
        folders = (self.folder / "ingest" / name for name in ("originals", "spool"))
        return [path.name for folder in folders for path in folder.rglob("*") if path.is_file()]


def document(document_id: str) -> ingest_pb2.DocumentRequest:
    return ingest_pb2.DocumentRequest(document_id=document_id)


def pdf_of(*pages: str) -> bytes:
    """A PDF with one line of text a page, in 20 points, 100 points from the left and 80 from the top."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    bodies = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        stream = f"BT /F1 20 Tf 100 700 Td ({text}) Tj ET"
        bodies.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        bodies.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(bodies, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    return (
        out
        + (
            f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n{table}"
            f"trailer\n<< /Size {len(bodies) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
        ).encode()
    )
