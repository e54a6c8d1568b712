"""What is a stage? Anything that takes a query and candidates and returns a ranking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from shared.candidate import Candidate, ScoreType
from shared.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """The model behind a stage: name, sha256 of weights and tokenizer, usable tokens, vector width."""

    name: str
    digest: str
    tokenizer_digest: str = ""
    max_tokens: int = 0
    dimensions: int = 0


@dataclass(frozen=True, slots=True)
class StageInfo:
    """How a stage describes itself; `kind` is retrieve, fuse, rerank or select."""

    name: str
    label: str
    kind: str
    score_type: ScoreType
    max_candidates: int
    max_query_characters: int
    model: ModelInfo | None = None
    pointwise: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A question put to a stage, in one workspace at one visible generation."""

    text: str
    workspace: str
    generation: int


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Tokens that were there against tokens that the model read; an empty `chunk_id` is the query."""

    chunk_id: str
    present: int
    read: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a stage returns: a list whose order is the ranking, notes in words, and the truncation ledger."""

    candidates: tuple[Candidate, ...]
    notes: tuple[str, ...] = ()
    token_counts: tuple[TokenCount, ...] = ()


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Limit (0: the stage's own maximum), named parameters and the time allowed for one run."""

    limit: int = 0
    params: Mapping[str, str] = field(default_factory=dict)
    deadline_s: float = 10.0


def require_question_fits(info: StageInfo, question: str) -> None:
    """Raises InvalidInput for a question longer than the stage takes."""
    if len(question) > info.max_query_characters:
        raise InvalidInput(
            f"The question has {len(question)} characters; "
            f"stage {info.name} takes {info.max_query_characters}."
        )


class Stage(Protocol):
    """A stage, in process or at the far end of a wire."""

    @property
    def info(self) -> StageInfo: ...

    async def run(self, query: Query, candidates: Sequence[Candidate], options: RunOptions) -> Ranking:
        """A ranking with this stage's evidence appended; the input is left as it is.

        Raises InvalidInput for an unknown parameter or a query over the limit, UnknownGeneration for a
        generation that the stage does not hold.
        """
        ...
