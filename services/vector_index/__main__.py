"""How is vector-index put together and started?"""

import asyncio
import sys
import time

from pydantic import ValidationError

from services.vector_index.core.payload import VectorFormat
from services.vector_index.embedders.cached import CachedEmbedder
from services.vector_index.embedders.opening import open_embedder
from services.vector_index.service import Limits, VectorIndexing, VectorStage, embedder_offer
from services.vector_index.settings import VectorIndexSettings
from shared import cpu
from shared.cache import open_cache
from shared.errors import SightlineError
from shared.index_rpc import index_offer
from shared.index_store import IndexStore
from shared.server import serve
from shared.stage_rpc import stage_offer
from shared.telemetry import configure_logging

SERVICE = "vector-index"


async def run(settings: VectorIndexSettings) -> None:
    embedder = CachedEmbedder(await open_embedder(settings), open_cache(settings, "vectors", time.time))
    layout = VectorFormat(embedder.identity, embedder.model.dimensions)
    # Another embedder finds the index empty: the store drops what another layout wrote, and ingest sees in
    # the manifest that everything is to be indexed anew.
    store = IndexStore(
        settings.data / SERVICE / "index.sqlite3", layout, max_staged_chunks=settings.max_staged_chunks
    )
    limits = Limits(settings.max_candidates, settings.max_query_characters, settings.max_embed_texts)
    stage = VectorStage(store, embedder, limits, threads=cpu.threads(settings.cpu_threads))

    async def stop() -> None:
        await embedder.close()
        store.close()

    offers = [
        stage_offer([stage]),
        index_offer(store, VectorIndexing(embedder, layout)),
        embedder_offer(embedder, limits.max_embed_texts),
    ]
    await serve(SERVICE, settings, offers, on_stop=stop)


def main() -> int:
    """The exit code: 0 after a stop that was asked for, 1 when it could not start, 2 for a wrong setting."""
    try:
        settings = VectorIndexSettings()
    except ValidationError as error:
        first = error.errors()[0]
        print(f"The setting {first['loc'][0]} is wrong: {first['msg']}.", file=sys.stderr)
        return 2
    configure_logging(SERVICE, settings.log_level)
    try:
        asyncio.run(run(settings))
    except (SightlineError, OSError) as error:
        print(f"{SERVICE} cannot start: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
