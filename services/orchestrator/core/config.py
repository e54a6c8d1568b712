"""What can be configured for one question, within which bounds, and what does this version not do yet?"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from annotated_types import Ge, Le

from shared.candidate import ScoreType
from shared.errors import InvalidInput

# Read by whoever validates these classes: unknown keys are errors, the strings under fields describe them.
_STRICT: Mapping[str, object] = {"extra": "forbid", "use_attribute_docstrings": True}

MAX_LIST = 200
MAX_BUDGET_TOKENS = 1_000_000

# Measured with the default models, best score of the shortlist per question (sigmoid; logit in brackets).
# Cross-encoder: ten questions about nothing in 500 cranfield abstracts 0.000015..0.00004 (-11.1..-10.2), in
# a handbook of a few pages up to 0.00014 (-8.9); 25 cranfield questions from 0.02 (-3.8) on, a question in
# quite other words than the handbook's 0.0006 (-7.4). Cosine of bge-small: 0.40..0.55 against 0.65 and more,
# and 0.57 and more for questions in German, French and Spanish about the English handbook.
DEFAULT_THRESHOLDS: Mapping[ScoreType, float] = {ScoreType.CROSS_ENCODER: 0.0003, ScoreType.COSINE: 0.57}

ListLimit = Annotated[int, Ge(1), Le(MAX_LIST)]
Weight = Annotated[float, Ge(0), Le(1000)]
Threshold = Annotated[float, Ge(-1000), Le(1000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListConfig:
    """One retrieved list."""

    __pydantic_config__: ClassVar[Mapping[str, object]] = _STRICT
    enabled: bool = True
    """Whether this list is retrieved."""
    limit: ListLimit = 50
    """How many passages it may return."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionConfig:
    """Something that is on or off."""

    __pydantic_config__: ClassVar[Mapping[str, object]] = _STRICT
    enabled: bool = False
    """Whether it is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpansionConfig:
    """Further phrasings of the question."""

    __pydantic_config__: ClassVar[Mapping[str, object]] = _STRICT
    kind: Literal["none", "multi_query", "hyde", "decompose"] = "none"
    """How the question is rewritten before searching."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionConfig:
    """How several lists become one."""

    __pydantic_config__: ClassVar[Mapping[str, object]] = _STRICT
    kind: Literal["rrf", "weighted"] = "rrf"
    """Reciprocal ranks, or scores scaled to 0..1 per list and added."""
    k: Annotated[int, Ge(0), Le(10_000)] = 60
    """Constant of reciprocal rank fusion: the larger, the less the first ranks stand out."""
    weights: Mapping[str, Weight] = field(default_factory=dict)
    """Weight of a list by its stage name; 1 where none is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankConfig:
    """A closer look at the head of the fused list."""

    __pydantic_config__: ClassVar[Mapping[str, object]] = _STRICT
    kind: Literal["none", "cross_encoder", "llm", "adaptive"] = "cross_encoder"
    """Who reads the passages again."""
    depth: ListLimit = 20
    """How many passages are read; the rest stay below in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateConfig:
    """When a question is refused before any model is asked to answer."""

    __pydantic_config__: ClassVar[Mapping[str, object]] = _STRICT
    enabled: bool = True
    """Whether a question without a good enough passage is refused."""
    thresholds: Mapping[ScoreType, Threshold] = field(default_factory=lambda: dict(DEFAULT_THRESHOLDS))
    """Least best score per score type; a type that is left out keeps its default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectConfig:
    """What is kept of the ranking, and how much of it is put before the answering model."""

    __pydantic_config__: ClassVar[Mapping[str, object]] = _STRICT
    limit: ListLimit = 8
    """How many passages are kept."""
    budget_tokens: Annotated[int, Ge(1), Le(MAX_BUDGET_TOKENS)] = 3000
    """Tokens that the passages put before the answering model may take together."""
    neighbours: bool = False
    """Whether the passages beside a kept one come along."""
    summaries: bool = False
    """Whether what did not fit is summed up in single lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerConfig:
    """Who writes the answer."""

    __pydantic_config__: ClassVar[Mapping[str, object]] = _STRICT
    provider: Literal["auto", "ollama", "openai", "extractive"] = "auto"
    """`auto` takes the first that is available; `extractive` quotes whole sentences without a model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryConfig:
    """Everything that may differ from question to question; every key is optional."""

    __pydantic_config__: ClassVar[Mapping[str, object]] = _STRICT
    lexical: ListConfig = field(default_factory=ListConfig)
    vector: ListConfig = field(default_factory=ListConfig)
    entity: OptionConfig = field(default_factory=OptionConfig)
    identifier: OptionConfig = field(default_factory=OptionConfig)
    expansion: ExpansionConfig = field(default_factory=ExpansionConfig)
    facets: OptionConfig = field(default_factory=OptionConfig)
    fusion: FusionConfig = field(default_factory=FusionConfig)
    rerank: RerankConfig = field(default_factory=RerankConfig)
    gate: GateConfig = field(default_factory=GateConfig)
    select: SelectConfig = field(default_factory=SelectConfig)
    tables: OptionConfig = field(default_factory=OptionConfig)
    answer: AnswerConfig = field(default_factory=AnswerConfig)
    verify: OptionConfig = field(default_factory=OptionConfig)


# Path and value of every option that this version knows by name only, and what to say of it.
NOT_YET: Mapping[tuple[str, object], str] = {
    ("entity.enabled", True): "no index of entities exists in this version",
    ("identifier.enabled", True): "no index of identifiers exists in this version",
    ("expansion.kind", "multi_query"): "questions are not rewritten in this version",
    ("expansion.kind", "hyde"): "questions are not rewritten in this version",
    ("expansion.kind", "decompose"): "questions are not rewritten in this version",
    ("facets.enabled", True): "compound questions are not split in this version",
    ("rerank.kind", "llm"): "reranking by a chat model does not exist in this version",
    ("rerank.kind", "adaptive"): "adaptive reranking does not exist in this version",
    ("select.neighbours", True): "neighbouring passages are not added in this version",
    ("select.summaries", True): "passages are not summed up in this version",
    ("tables.enabled", True): "tables are not computed in this version",
    ("verify.enabled", True): "answers are not verified in this version",
}


def value_at(config: QueryConfig, path: str) -> object:
    """The value under a dotted path such as `fusion.kind`. AttributeError for a path that does not exist."""
    value: object = config
    for name in path.split("."):
        value = getattr(value, name)
    return value


def require_supported(config: QueryConfig) -> None:
    """Raises InvalidInput, naming the field, for an option that does nothing in this version."""
    for (path, value), reason in NOT_YET.items():
        if value_at(config, path) == value:
            raise InvalidInput(
                f"config.{path}: {value!r} cannot be used, as {reason}; leave it at its default"
            )


def thresholds_of(config: GateConfig) -> Mapping[ScoreType, float]:
    """The thresholds in force: those given, over the defaults."""
    return {**DEFAULT_THRESHOLDS, **config.thresholds}
