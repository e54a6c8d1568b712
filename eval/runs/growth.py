"""What does a growing corpus cost: how long does each stage take, and how much memory is held?"""

import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from eval.corpus.build import Written
from eval.measures.latency import latency_of
from eval.runs.collection import ingest
from eval.runs.progress import Progress
from eval.runs.provenance import machine, versions
from eval.runs.stack import IngestConfig, running_stack
from services.orchestrator.core.trace_reading import trace_from_json

SEED = 7
VOCABULARY = 20_000
SECTIONS = 250  # passages in one document
SECTION_WORDS = (30, 70)
QUESTION_WORDS = (3, 7)
WARM_UP = 10
# Words are drawn as in natural text (Zipf): the n-th most frequent about 1 / n as often as the first.
_WEIGHTS = tuple(accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))
# Synthetic vectors: what is measured is search, not the embedder, whose time does not grow with the corpus.
SYNTHETIC = IngestConfig(embedder="hash")
ASKED = {"rerank": {"kind": "none"}}


def grown(sizes: Sequence[int], queries: int, today: str, progress: Progress) -> dict[str, Any]:
    """Latency per stage in milliseconds and memory in MiB at each size, on one stack that grows."""
    words = vocabulary()
    steps: list[dict[str, Any]] = []
    with (
        tempfile.TemporaryDirectory(prefix="sightline-growth-") as folder,
        running_stack(Path(folder) / "data", SYNTHETIC) as stack,
    ):
        written = chunks = 0
        for number, size in enumerate(sorted(sizes)):
            share = number / len(sizes)
            started = time.perf_counter()
            more = _grown_by(words, written, size)
            chunks += ingest(stack.gateway, more, lambda *_: None).chunk_count
            written = size
            ingest_s = time.perf_counter() - started
            progress(share + 0.8 / len(sizes), f"asking {queries} questions of {chunks} passages")
            traces = [
                trace_from_json(stack.gateway.search_json(question, ASKED))
                for question in questions(words, queries + WARM_UP)
            ][WARM_UP:]
            steps.append(
                {
                    "chunks": chunks,
                    "ingest_s": round(ingest_s, 1),
                    "latency_ms": latency_of(traces),
                    "memory_mib": stack.memory_mib(),
                }
            )
            progress((number + 1) / len(sizes), f"{chunks} passages measured")
    return {"date": today, "queries": queries, "versions": versions(), "machine": machine(), "steps": steps}


def vocabulary() -> tuple[str, ...]:
    """Words that can be said, the most frequent first; alike on every run."""
    random_words = random.Random(SEED)
    syllables = [
        a + b for a in "bdfghklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "il", "os", "un")
    ]
    found: dict[str, None] = {}
    while len(found) < VOCABULARY:
        found["".join(random_words.choices(syllables, k=random_words.randint(1, 4)))] = None
    return tuple(found)


def document(words: Sequence[str], number: int, sections: int) -> Written:
    """A Markdown document of so many sections, one passage each."""
    drawn = random.Random(f"{SEED} document {number}")
    parts = [f"# Volume {number}"]
    for section in range(sections):
        size = drawn.randint(*SECTION_WORDS)
        parts += [f"## Part {section}", " ".join(_drawn(drawn, words, size)) + "."]
    return Written(f"volume-{number:04}.md", "\n\n".join(parts).encode(), "")


def questions(words: Sequence[str], count: int) -> Iterator[str]:
    """Questions of a few words, drawn like those of the documents."""
    drawn = random.Random(f"{SEED} questions")
    for _ in range(count):
        yield " ".join(_drawn(drawn, words, drawn.randint(*QUESTION_WORDS))) + "?"


def _grown_by(words: Sequence[str], written: int, size: int) -> list[Written]:
    """The documents that bring so many passages to as many as wanted."""
    return [document(words, first, min(SECTIONS, size - first)) for first in range(written, size, SECTIONS)]


def _drawn(source: random.Random, words: Sequence[str], size: int) -> list[str]:
    return source.choices(words, cum_weights=_WEIGHTS, k=size)
