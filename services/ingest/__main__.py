"""Run the ingest service until it is told to stop."""

import asyncio
import sys

from pydantic import ValidationError

from services.ingest.indexes import Deadlines, IndexClient
from services.ingest.service import ingest_offer
from services.ingest.settings import IngestSettings
from services.ingest.wiring import LEXICAL, VECTOR, running
from shared.channel import open_channel
from shared.errors import SightlineError
from shared.models import verified_tokenizer
from shared.server import serve
from shared.telemetry import configure_logging


def main() -> int:
    """The exit code: 0 after a stop that was asked for, 1 when it could not start, 2 for a wrong setting."""
    try:
        settings = IngestSettings()
    except ValidationError as error:
        first = error.errors()[0]
        print(f"The setting {first['loc'][0]} is wrong: {first['msg']}.", file=sys.stderr)
        return 2
    configure_logging("ingest", settings.log_level)
    try:
        asyncio.run(_run(settings))
    except (SightlineError, OSError) as error:
        print(f"ingest cannot start: {error}", file=sys.stderr)
        return 1
    return 0


async def _run(settings: IngestSettings) -> None:
    tokenizer = verified_tokenizer(settings.models, "embedder")
    deadlines = Deadlines(
        settings.upsert_deadline_s, settings.publish_deadline_s, settings.manifest_deadline_s
    )
    async with (
        open_channel(settings.lexical_address, max_message_bytes=settings.max_message_bytes) as lexical,
        open_channel(settings.vector_address, max_message_bytes=settings.max_message_bytes) as vector,
    ):
        indexes = [IndexClient(LEXICAL, lexical, deadlines), IndexClient(VECTOR, vector, deadlines)]
        async with running(settings, tokenizer, indexes) as servicer:
            await serve("ingest", settings, [ingest_offer(servicer)])


if __name__ == "__main__":
    sys.exit(main())
