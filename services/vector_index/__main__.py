"""How is vector-index put together and started?"""

import sys
import time

from services.vector_index.core.payload import VectorFormat
from services.vector_index.embedders.cached import CachedEmbedder
from services.vector_index.embedders.opening import open_embedder
from services.vector_index.service import Limits, VectorIndexing, VectorStage, embedder_offer
from services.vector_index.settings import VectorIndexSettings
from shared import cpu
from shared.cache import open_cache
from shared.index_rpc import index_offer
from shared.index_store import IndexStore
from shared.server import serve
from shared.stage_rpc import stage_offer
from shared.starting import run_service

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
        index_offer(store, VectorIndexing(embedder, layout, store.payloads)),
        embedder_offer(embedder, limits.max_embed_texts),
    ]
    await serve(SERVICE, settings, offers, on_stop=stop)


if __name__ == "__main__":
    sys.exit(run_service(SERVICE, VectorIndexSettings, run))
