"""How is lexical-index put together and started?"""

import sys

from services.lexical_index.analysis import english
from services.lexical_index.service import LexicalIndexing, LexicalStage
from services.lexical_index.settings import SERVICE, LexicalSettings
from services.lexical_index.store import PostingsFormat
from shared.index_rpc import index_offer
from shared.index_store import IndexStore
from shared.server import serve
from shared.stage_rpc import stage_offer
from shared.starting import run_service


async def run(settings: LexicalSettings) -> None:
    analysis = english(stemming=settings.lexical_stemming, stop_words=settings.lexical_stop_words)
    store = IndexStore(
        settings.index_path, PostingsFormat(analysis.name), max_staged_chunks=settings.max_staged_chunks
    )
    stage = LexicalStage(
        store, analysis.tokenizer, threads=settings.query_threads, queue=settings.query_queue
    )
    indexing = LexicalIndexing(analysis.tokenizer)

    async def stop() -> None:
        store.close()

    await serve(SERVICE, settings, [stage_offer([stage]), index_offer(store, indexing)], on_stop=stop)


if __name__ == "__main__":
    sys.exit(run_service(SERVICE, LexicalSettings, run))
