"""How is a stage served, and called from afar? Both ends of one wire."""

import asyncio
from collections.abc import Sequence
from typing import Any

import grpc

from shared.candidate import Candidate, reranked_shards
from shared.channel import call
from shared.codec import (
    candidates_from_pb,
    query_from_pb,
    ranking_from_pb,
    ranking_to_pb,
    run_request,
    stage_info_from_pb,
    stage_info_to_pb,
)
from shared.errors import NotFound
from shared.pb import stage_pb2, stage_pb2_grpc
from shared.server import Offer
from shared.stage import Query, Ranking, RunOptions, Stage, StageInfo, require_question_fits

# Enough shards that three replicas share a shortlist of 20; the calls cost little beside the pairs.
SHARD_SIZE = 4


class StageServicer(stage_pb2_grpc.StageServicer):
    """Serves a catalogue of stages by name."""

    def __init__(self, stages: Sequence[Stage]) -> None:
        self._stages = {stage.info.name: stage for stage in stages}

    async def Describe(self, request: stage_pb2.DescribeRequest, context: Any) -> stage_pb2.DescribeReply:
        return stage_pb2.DescribeReply(
            stages=[stage_info_to_pb(stage.info) for stage in self._stages.values()]
        )

    async def Run(self, request: stage_pb2.RunRequest, context: Any) -> stage_pb2.RunReply:
        stage = self._stages.get(request.stage)
        if stage is None:
            raise NotFound(f"there is no stage {request.stage!r} here; there is {', '.join(self._stages)}")
        require_question_fits(stage.info, request.query.text)
        left_s = context.time_remaining()
        options = RunOptions(
            limit=min(request.limit or stage.info.max_candidates, stage.info.max_candidates),
            params=dict(request.params),
            deadline_s=left_s if left_s is not None else RunOptions().deadline_s,
        )
        candidates = candidates_from_pb(request.candidates)
        return ranking_to_pb(await stage.run(query_from_pb(request.query), candidates, options))


def stage_offer(stages: Sequence[Stage]) -> Offer:
    """What a service passes to `serve` to offer its stages."""
    servicer = StageServicer(stages)
    return Offer(
        stage_pb2.DESCRIPTOR.services_by_name["Stage"].full_name,
        lambda server: stage_pb2_grpc.add_StageServicer_to_server(servicer, server),
    )


async def describe(channel: grpc.aio.Channel, deadline_s: float) -> list[StageInfo]:
    """The catalogue of the service at the channel's far end."""
    reply = await call(
        stage_pb2_grpc.StageStub(channel).Describe, stage_pb2.DescribeRequest(), deadline_s=deadline_s
    )
    return [stage_info_from_pb(info) for info in reply.stages]


class RemoteStage:
    """A stage in another process. A pointwise one is split in fixed shards, which replicas share."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        info: StageInfo,
        *,
        shard_size: int = SHARD_SIZE,
        try_deadline_s: float | None = None,
    ) -> None:
        self._stub = stage_pb2_grpc.StageStub(channel)
        self._info = info
        self._shard_size = shard_size
        self._try_deadline_s = try_deadline_s

    @property
    def info(self) -> StageInfo:
        return self._info

    async def run(self, query: Query, candidates: Sequence[Candidate], options: RunOptions) -> Ranking:
        """As `Stage.run`; also Unavailable and DeadlineExceeded. The limit holds for the joined shards."""
        if not self._info.pointwise or len(candidates) <= self._shard_size:
            return await self._call(query, candidates, options)
        shards = [candidates[i : i + self._shard_size] for i in range(0, len(candidates), self._shard_size)]
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._call(query, shard, options)) for shard in shards]
        except BaseExceptionGroup as failures:  # the first failure speaks for all
            raise failures.exceptions[0] from failures
        rankings = [task.result() for task in tasks]
        joined = reranked_shards(self._info.name, self._info.score_type, [r.candidates for r in rankings])
        return Ranking(
            candidates=tuple(joined[: options.limit or None]),
            notes=tuple(dict.fromkeys(note for r in rankings for note in r.notes)),
            token_counts=tuple(dict.fromkeys(count for r in rankings for count in r.token_counts)),
        )

    async def _call(self, query: Query, candidates: Sequence[Candidate], options: RunOptions) -> Ranking:
        request = run_request(
            self._info.name, query, candidates, limit=options.limit, params=dict(options.params)
        )
        reply = await call(
            self._stub.Run, request, deadline_s=options.deadline_s, try_deadline_s=self._try_deadline_s
        )
        return ranking_from_pb(reply)
