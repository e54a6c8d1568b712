"""Which decisions are measured? One row each, against the row that it differs from by that decision alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from eval.runs.stack import IngestConfig

SHIPPED = "rerank"  # the row of the defaults


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A configuration with the words for its decision.

    `config` is what the gateway takes; `stage` the list that is judged, the final one if empty; a `live` row
    is asked anew, as what it reads was not recorded for another; answers are graded where a row of an ingest
    configuration is `graded`.
    """

    name: str
    words: str
    against: str = ""
    config: Mapping[str, Any] = field(default_factory=dict)
    ingest: IngestConfig = field(default_factory=IngestConfig)
    stage: str = ""
    live: bool = False
    graded: bool = False

    @property
    def reads(self) -> bool:
        """Whether a model reads the passages."""
        return bool(self.config.get("rerank", {}).get("kind") != "none")


NO_RERANK = {"rerank": {"kind": "none"}}
KEYWORDS_ONLY = {"vector": {"enabled": False}}
VECTORS_ONLY = {"lexical": {"enabled": False}}

QUICK: tuple[Row, ...] = (
    Row(name="keywords", words="BM25 alone", config={**KEYWORDS_ONLY, **NO_RERANK}),
    Row(name="vectors", words="vectors alone", against="keywords", config={**VECTORS_ONLY, **NO_RERANK}),
    Row(name="rrf", words="both lists, fused by reciprocal rank", against="keywords", config=NO_RERANK),
    Row(
        name="rrf-k-10",
        words="the same with k 10 for 60",
        against="rrf",
        config={**NO_RERANK, "fusion": {"k": 10}},
    ),
    Row(
        name="rrf-vectors-double",
        words="the same with vectors weighing double",
        against="rrf",
        config={**NO_RERANK, "fusion": {"weights": {"vector": 2.0}}},
    ),
    Row(
        name="weighted",
        words="scaled scores added instead of ranks",
        against="rrf",
        config={**NO_RERANK, "fusion": {"kind": "weighted"}},
    ),
    Row(
        name="weighted-quarter",
        words="the same with keywords weighing a quarter",
        against="weighted",
        config={**NO_RERANK, "fusion": {"kind": "weighted", "weights": {"lexical": 0.25}}},
    ),
    Row(
        name="rerank-alone", words="the first 20 as the cross-encoder has them", against="rrf", stage="rerank"
    ),
    Row(name=SHIPPED, words="both orders fused (as shipped)", against="rrf", graded=True),
    Row(
        name="rerank-10",
        words="reading 10 passages",
        against=SHIPPED,
        config={"rerank": {"depth": 10}},
    ),
)

FULL: tuple[Row, ...] = (
    *QUICK,
    Row(
        name="keywords-rerank",
        words="BM25 and the cross-encoder",
        against="keywords",
        config=KEYWORDS_ONLY,
        live=True,
    ),
    Row(
        name="vectors-rerank",
        words="vectors and the cross-encoder",
        against="vectors",
        config=VECTORS_ONLY,
        live=True,
    ),
    Row(
        name="rerank-40",
        words="reading 40 passages",
        against=SHIPPED,
        config={"rerank": {"depth": 40}},
        live=True,
    ),
    Row(
        name="no-prefix",
        words="no title or section above what is embedded",
        against=SHIPPED,
        ingest=IngestConfig(chunk_prefix=False),
    ),
    Row(
        name="chunks-256",
        words="chunks of at most 256 tokens",
        against=SHIPPED,
        ingest=IngestConfig(chunk_max_tokens=256),
        graded=True,
    ),
    Row(
        name="chunks-128",
        words="chunks of at most 128 tokens",
        against=SHIPPED,
        ingest=IngestConfig(chunk_max_tokens=128),
        graded=True,
    ),
    Row(
        name="fixed-448",
        words="windows of 448 tokens across headings",
        against=SHIPPED,
        ingest=IngestConfig(chunk_kind="fixed"),
    ),
    Row(
        name="records",
        words="each record of a log or minutes by itself",
        against=SHIPPED,
        ingest=IngestConfig(chunk_kind="records"),
    ),
    Row(
        name="no-welds",
        words="words that are run together left as they are",
        against=SHIPPED,
        ingest=IngestConfig(welds=False),
    ),
)

# Without a model: what decides is arithmetic, and every machine must agree to the last rank.
HASH: tuple[Row, ...] = tuple(
    Row(
        name=row.name,
        words=row.words,
        against=row.against,
        config=row.config,
        ingest=IngestConfig(embedder="hash"),
    )
    for row in QUICK
    if not row.reads
)
