"""What can a newcomer ask at once? A small corpus, loaded through the gateway like any client's files."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import httpx

from services.local.settings import REPOSITORY

FOLDER = REPOSITORY / "samples"
SUFFIXES = (".md", ".txt", ".csv", ".html", ".docx", ".pdf")
EXAMPLE_QUESTION = "Why does the oxygen reading sink when the probe is held still?"
FINAL_STATES = ("done", "failed")


class SampleFailed(Exception):
    """The corpus could not be loaded; the message says why."""


def sample_files() -> list[Path]:
    """The documents of the sample corpus, by name."""
    return sorted(path for path in FOLDER.iterdir() if path.suffix in SUFFIXES and path.name != "README.md")


async def load(url: str, deadline_s: float) -> int:
    """The number of documents uploaded, once all can be searched. SampleFailed otherwise."""
    files = await asyncio.to_thread(lambda: [(path.name, path.read_bytes()) for path in sample_files()])
    try:
        async with asyncio.timeout(deadline_s), httpx.AsyncClient(base_url=url, timeout=deadline_s) as http:
            reply = await http.post("/v1/documents", files=[("file", file) for file in files])
            if reply.status_code != httpx.codes.ACCEPTED:
                raise SampleFailed(f"the gateway answered {reply.status_code}: {reply.text}")
            await _settle(http, reply.json()["documents"])
    except TimeoutError:
        raise SampleFailed(f"it was not ready within {deadline_s:g} s") from None
    except httpx.HTTPError as error:
        raise SampleFailed(f"the gateway did not answer: {error!r}") from error
    return len(files)


async def _settle(http: httpx.AsyncClient, entries: Sequence[dict[str, object]]) -> None:
    for entry in entries:
        if entry["error"]:
            raise SampleFailed(f"{entry['name']} was refused: {entry['error']}")
        while entry["job_id"]:
            job = (await http.get(f"/v1/jobs/{entry['job_id']}")).json()
            if job.get("state") == "failed":
                raise SampleFailed(f"{entry['name']} failed: {job['error']}")
            if job.get("state") in FINAL_STATES:
                break
            await asyncio.sleep(0.2)
