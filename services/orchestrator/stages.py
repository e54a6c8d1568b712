"""Where does a stage run? In a service that may not be up yet, and describes itself when first needed."""

from collections.abc import Sequence

import grpc

from shared.candidate import Candidate
from shared.errors import NotFound, Unavailable
from shared.stage import Query, Ranking, RunOptions, StageInfo
from shared.stage_rpc import RemoteStage, describe


class ServedStage:
    """A stage of a service by name, whose description is fetched once and again by `look`."""

    def __init__(
        self,
        name: str,
        channel: grpc.aio.Channel,
        *,
        describe_deadline_s: float = 2.0,
        try_deadline_s: float | None = None,
    ) -> None:
        self._name = name
        self._channel = channel
        self._describe_deadline_s = describe_deadline_s
        self._try_deadline_s = try_deadline_s
        self._remote: RemoteStage | None = None

    @property
    def info(self) -> StageInfo:
        """The description. Raises Unavailable while the service has not been reached."""
        if self._remote is None:
            raise Unavailable(f"the service of stage {self._name} has not been reached yet")
        return self._remote.info

    async def look(self) -> str:
        """What the service says of the stage now. Raises Unavailable, DeadlineExceeded or NotFound."""
        info = await self._described()
        if self._remote is None or self._remote.info != info:
            self._remote = RemoteStage(self._channel, info, try_deadline_s=self._try_deadline_s)
        return f"{info.name} with {info.model.name}" if info.model else info.name

    async def run(self, query: Query, candidates: Sequence[Candidate], options: RunOptions) -> Ranking:
        """As `Stage.run`; also Unavailable and DeadlineExceeded."""
        if self._remote is None:
            await self.look()
        assert self._remote is not None
        return await self._remote.run(query, candidates, options)

    async def _described(self) -> StageInfo:
        for info in await describe(self._channel, self._describe_deadline_s):
            if info.name == self._name:
                return info
        raise NotFound(f"the service does not offer a stage {self._name!r}")
