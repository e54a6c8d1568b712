"""Has anything become worse since the committed result? By statistics, or to the last bit."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eval.measures.statistics import Comparison, Pair, Verdict, compare, holm
from eval.parsing.others import OURS
from eval.runs.ablation import DECISIVE, SEED
from eval.runs.parser_scores import worse_than
from eval.runs.rows import SHIPPED

Result = Mapping[str, Any]
ALPHA = 0.05
# What is held of the answers, each a value by question: 1 as it should be, 0 not.
ANSWERS: Mapping[str, str] = {
    "graded": "answers that pass",
    "let_through": "answerable questions let through",
    "turned_away": "unanswerable questions turned away",
}


class NotComparable(Exception):
    """Two results that are not of the same questions over the same documents."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether the gate stays open, and the lines that say why."""

    passed: bool
    lines: tuple[str, ...]


def statistical(now: Result, before: Result) -> Judgement:
    """Shut by a significant loss, or by a row that is gone.

    Asked in a fixed order, each family by itself: the row of the defaults; the answers (Holm over their
    three shares); every other row (Holm over those). One-sided: under sign flips half the two-sided p.
    NotComparable as it says.
    """
    require_alike(now, before)
    lines: list[str] = []
    lost = False
    for family in _families(now, before):
        compared = compare(family, metric=DECISIVE, seed=SEED)
        adjusted = holm({name: _one_sided(c) for name, c in compared.items()})
        lost |= any(p < ALPHA for p in adjusted.values())
        lines.extend(_line(name, c, adjusted[name]) for name, c in compared.items())
    gone = _gone(now, before)
    return Judgement(not lost and not gone, (*lines, *gone))


def _families(now: Result, before: Result) -> list[dict[str, Pair]]:
    earlier = {row["name"]: row for row in before["rows"]}
    rows = {
        row["name"]: Pair(*_columns(row["values"], earlier[row["name"]]["values"]))
        for row in now["rows"]
        if row["name"] in earlier
    }
    shipped = {name: pair for name, pair in rows.items() if name == SHIPPED}
    answers = {
        words: Pair(*_alike(now.get(key, {}), before.get(key, {})))
        for key, words in ANSWERS.items()
        if key in now or key in before
    }
    others = {name: pair for name, pair in rows.items() if name != SHIPPED}
    return [family for family in (shipped, answers, others) if family]


def _one_sided(c: Comparison) -> float:
    """The probability of so great a loss by chance."""
    return c.p / 2 if c.difference.mean < 0 else 1 - c.p / 2


def kept(now: Result, before: Result) -> Judgement:
    """Shut by any question that was answered rightly and no longer is: for a suite of past failures."""
    require_alike(now, before)
    right, was_right = _alike(now["graded"], before["graded"])
    ids = sorted(now["graded"])
    lost = [i for i, is_right, was in zip(ids, right, was_right, strict=True) if was and not is_right]
    lines = tuple(f"{question}: was right, and is no longer" for question in lost)
    return Judgement(not lost, lines or (f"what was right is right: {int(sum(was_right))} of {len(ids)}",))


def exact(now: Result, before: Result) -> Judgement:
    """Shut by any question of any row whose figures or whose ranking differ in a bit."""
    require_alike(now, before)
    lines = _gone(now, before)
    earlier = {row["name"]: row for row in before["rows"]}
    for row in now["rows"]:
        was = earlier.get(row["name"])
        if was is None:
            lines.append(f"{row['name']}: is not in the committed result")
            continue
        if differing := row["orders"].keys() ^ was["orders"].keys():
            raise NotComparable("the questions differ: " + _some(differing))
        moved = [
            question
            for question in sorted(row["orders"])
            if row["orders"][question] != was["orders"][question]
            or row["values"].get(question) != was["values"].get(question)
        ]
        lines.extend(f"{row['name']}: {question} is ranked otherwise than before" for question in moved)
    return Judgement(not lines, tuple(lines) or ("every ranking is what it was, to the last rank",))


def parsers(now: Result, before: Result) -> Judgement:
    """Shut by any figure of any document that our own parser reads worse: what others read is not held."""
    require_alike(now, before, ("suite", "corpus_digest"))
    lines = worse_than(*([d for d in r["documents"] if d["parser"] == OURS] for r in (now, before)))
    return Judgement(not lines, tuple(lines) or ("no document is read worse than before",))


GATES: Mapping[str, Callable[[Result, Result], Judgement]] = {
    "statistical": statistical,
    "exact": exact,
    "kept": kept,
    "parsers": parsers,
}


def require_alike(
    now: Result,
    before: Result,
    keys: Sequence[str] = ("suite", "split", "questions_digest", "corpus_digest"),
) -> None:
    """NotComparable, saying what differs, for results of other questions or documents."""
    for key in keys:
        if key not in now or key not in before:
            raise NotComparable(f"the {key.replace('_', ' ')} is not named: this is no result of a suite")
        if now[key] != before[key]:
            raise NotComparable(
                f"the {key.replace('_', ' ')} is {now[key]}, in the committed result {before[key]}: "
                "measure both versions anew, or accept this result with `python -m eval accept`"
            )


def _columns(now: Mapping[str, Any], before: Mapping[str, Any]) -> tuple[list[float], list[float]]:
    return _alike({q: v[DECISIVE] for q, v in now.items()}, {q: v[DECISIVE] for q, v in before.items()})


def _alike(now: Mapping[str, float], before: Mapping[str, float]) -> tuple[list[float], list[float]]:
    if differing := now.keys() ^ before.keys():
        raise NotComparable("the questions differ: " + _some(differing))
    return [now[q] for q in sorted(now)], [before[q] for q in sorted(now)]


def _gone(now: Result, before: Result) -> list[str]:
    names = {row["name"] for row in now["rows"]}
    return [f"{row['name']}: is missing" for row in before["rows"] if row["name"] not in names]


def _some(question_ids: Iterable[str]) -> str:
    return ", ".join(sorted(question_ids)[:5])


def _line(name: str, c: Comparison, p: float) -> str:
    if not c.moved_up and not c.moved_down:
        return f"{name}: {c.value:.4f}, no question moved"
    d = c.difference
    seen = f"; a change of {c.mde:.3f} would have shown" if c.mde is not None and math.isfinite(c.mde) else ""
    unsure = "underpowered" if c.verdict is Verdict.UNDERPOWERED else "within noise"
    return (
        f"{name}: {c.baseline:.4f} -> {c.value:.4f} ({d.mean:+.4f} [{d.low:+.4f}, {d.high:+.4f}], "
        f"{c.moved_up} up, {c.moved_down} down, one-sided p {p:.3f}): {'LOST' if p < ALPHA else unsure}{seen}"
    )
