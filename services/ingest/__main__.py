"""Run the ingest service until it is told to stop."""

import sys

from services.ingest.claim import claimed
from services.ingest.indexes import Deadlines, IndexClient
from services.ingest.service import ingest_offer
from services.ingest.settings import IngestSettings
from services.ingest.wiring import LEXICAL, VECTOR, running
from shared.channel import open_channel
from shared.models import verified_tokenizer
from shared.server import serve
from shared.starting import run_service


async def _run(settings: IngestSettings) -> None:
    tokenizer = verified_tokenizer(settings.models, "embedder")
    deadlines = Deadlines(
        settings.upsert_deadline_s, settings.publish_deadline_s, settings.manifest_deadline_s
    )
    with claimed(settings.data / "ingest"):
        async with (
            open_channel(settings.lexical_address, max_message_bytes=settings.max_message_bytes) as lexical,
            open_channel(settings.vector_address, max_message_bytes=settings.max_message_bytes) as vector,
        ):
            indexes = [IndexClient(LEXICAL, lexical, deadlines), IndexClient(VECTOR, vector, deadlines)]
            async with running(settings, tokenizer, indexes) as servicer:
                await serve("ingest", settings, [ingest_offer(servicer)])


if __name__ == "__main__":
    sys.exit(run_service("ingest", IngestSettings, _run))
