"""How do the parts of the orchestrator fit together, and in which order do they start and stop?"""

import time
import tomllib
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import grpc
from fastapi import FastAPI

from services.orchestrator.budget import Limits
from services.orchestrator.core.pipeline import Pipeline, pipeline_of
from services.orchestrator.engine import Engine
from services.orchestrator.eval_child import EvalChild
from services.orchestrator.eval_cleaning import Empty, emptied
from services.orchestrator.eval_store import EvalStore
from services.orchestrator.evaluation import EvalLimits, Evaluation
from services.orchestrator.gateway.app import create_app
from services.orchestrator.gateway.parts import DEFAULT_WORKSPACE, assembled
from services.orchestrator.ingest_client import IngestClient
from services.orchestrator.providers.ollama import OllamaOptions, OllamaProvider
from services.orchestrator.providers.openai import OpenAIOptions, OpenAIProvider
from services.orchestrator.providers.provider import ChatProvider
from services.orchestrator.searching import EngineParts
from services.orchestrator.settings import OrchestratorSettings, environment_for_evaluations
from services.orchestrator.stages import ServedStage
from services.orchestrator.traces import TraceStore
from shared.channel import open_channel

PIPELINE = Path(__file__).resolve().parent / "pipeline.toml"
PROBE_S = 2.0
# Where `eval` is found, as it stands beside `services`.
CODE = Path(__file__).resolve().parents[2]


def read_pipeline(path: Path = PIPELINE) -> Pipeline:
    """The pipeline as described. ValueError if the description is wrong."""
    return pipeline_of(tomllib.loads(path.read_text(encoding="utf-8")))


@asynccontextmanager
async def running(settings: OrchestratorSettings) -> AsyncIterator[FastAPI]:
    """The application over all that it needs; peers need not be up yet. Everything ends with the block."""
    pipeline = read_pipeline()
    traces = TraceStore(
        settings.data / "orchestrator" / "traces.sqlite", time.time, keep=settings.keep_traces
    )
    async with AsyncExitStack() as stack:
        await traces.open()
        stack.push_async_callback(traces.close)

        async def channel(address: str) -> grpc.aio.Channel:
            return await stack.enter_async_context(
                open_channel(address, max_message_bytes=settings.max_message_bytes)
            )

        ingest = IngestClient(await channel(settings.ingest_address))
        stages = {
            "lexical": ServedStage("lexical", await channel(settings.lexical_address)),
            "vector": ServedStage("vector", await channel(settings.vector_address)),
            "rerank": ServedStage(
                "rerank", await channel(settings.rerank_address), try_deadline_s=settings.rerank_try_s
            ),
        }

        async def ingest_answers() -> str:
            generation = await ingest.generation(DEFAULT_WORKSPACE, deadline_s=PROBE_S)
            return f"generation {generation} is visible"

        engine = Engine(
            EngineParts(
                pipeline=pipeline,
                stages=stages,
                texts=ingest,
                traces=traces,
                clock=time.time,
                new_id=random_id,
                providers=providers_of(settings),
                probes={
                    "ingest": ingest_answers,
                    "lexical-index": stages["lexical"].look,
                    "vector-index": stages["vector"].look,
                    "rerank": stages["rerank"].look,
                },
                limits=limits_of(settings),
            )
        )
        evaluation = await stack.enter_async_context(evaluating(settings, partial(emptied, ingest, traces)))
        yield create_app(assembled(settings, engine, ingest, traces, evaluation))


@asynccontextmanager
async def evaluating(settings: OrchestratorSettings, empty: Empty) -> AsyncIterator[Evaluation]:
    """Evaluations as the settings say; the one under way ends with the block. `empty` empties a workspace."""
    folder = (settings.data / "orchestrator").absolute()
    store = EvalStore(folder / "evaluation.sqlite", keep=settings.keep_runs)
    child = EvalChild(
        command=settings.eval_command,
        # Its lines are read as they are written; its own folder lasts from run to run.
        environment=environment_for_evaluations()
        | {"PYTHONUNBUFFERED": "1", "SIGHTLINE_EVAL_FOLDER": str(folder / "eval")},
        cwd=CODE,
        stop_s=settings.eval_stop_s,
    )
    limits = EvalLimits(
        max_waiting=settings.max_waiting_runs, run_s=settings.eval_timeout_s, leaving_s=settings.drain_s + 2
    )
    await store.open()
    evaluation = Evaluation(store, child, folder / "eval-runs", time.time, limits, empty=empty)
    try:
        await evaluation.start()
        yield evaluation
    finally:
        await evaluation.stop()
        await store.close()


def providers_of(settings: OrchestratorSettings) -> tuple[ChatProvider, ...]:
    """The chat providers that are set up, in the order in which they are tried."""
    providers: list[ChatProvider] = []
    if settings.ollama_url:
        providers.append(
            OllamaProvider(
                OllamaOptions(
                    url=settings.ollama_url,
                    model=settings.ollama_model,
                    pull=settings.ollama_pull,
                    keep_alive=settings.ollama_keep_alive,
                    silence_s=settings.provider_silence_s,
                )
            )
        )
    if settings.openai_url:
        providers.append(
            OpenAIProvider(
                OpenAIOptions(
                    url=settings.openai_url,
                    model=settings.openai_model,
                    api_key=settings.openai_api_key.get_secret_value(),
                    silence_s=settings.provider_silence_s,
                )
            )
        )
    return tuple(providers)


def limits_of(settings: OrchestratorSettings) -> Limits:
    """Time limits as the settings have them."""
    return Limits(
        search_s=settings.search_budget_s,
        read_s=settings.read_deadline_s,
        retrieve_s=settings.retrieve_deadline_s,
        rerank_s=settings.rerank_deadline_s,
        extract_s=settings.extract_deadline_s,
    )


def random_id(prefix: str) -> str:
    """A new id: the prefix and 20 hexadecimal digits."""
    return f"{prefix}{uuid.uuid4().hex[:20]}"
