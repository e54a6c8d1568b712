"""How is rerank put together and started?"""

import asyncio
import sys
import time

from pydantic import ValidationError

from services.rerank.model import CrossEncoder
from services.rerank.pool import PairPool
from services.rerank.service import RerankStage
from services.rerank.settings import RerankSettings
from shared import cpu
from shared.cache import open_cache
from shared.errors import SightlineError
from shared.models import verified
from shared.server import serve
from shared.stage_rpc import stage_offer
from shared.telemetry import configure_logging

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


def main() -> int:
    """The exit code: 0 after a stop that was asked for, 1 when it could not start, 2 for a wrong setting."""
    try:
        settings = RerankSettings()
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
