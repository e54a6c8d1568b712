"""How is rerank put together and started?"""

import sys
import time

from services.rerank.model import CrossEncoder
from services.rerank.pool import PairPool
from services.rerank.service import RerankStage
from services.rerank.settings import RerankSettings
from shared import cpu
from shared.cache import open_cache
from shared.models import verified
from shared.server import serve
from shared.stage_rpc import stage_offer
from shared.starting import run_service

SERVICE = "rerank"


async def run(settings: RerankSettings) -> None:
    model = CrossEncoder(verified(settings.models, "reranker"), settings.rerank_max_tokens)
    pool = PairPool(cpu.threads(settings.cpu_threads), settings.rerank_queue)
    stage = RerankStage(
        model,
        pool,
        open_cache(settings, "pairs", time.time),
        max_candidates=settings.rerank_max_candidates,
        max_query_characters=settings.rerank_max_query_characters,
    )

    async def stop() -> None:
        pool.close()

    await serve(SERVICE, settings, [stage_offer([stage])], on_stop=stop)


if __name__ == "__main__":
    sys.exit(run_service(SERVICE, RerankSettings, run))
