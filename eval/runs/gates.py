"""Has anything become worse since the committed result? By statistics, or to the last bit."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from eval.measures.statistics import Comparison, Pair, Verdict, compare
from eval.runs.ablation import DECISIVE, SEED

Result = Mapping[str, Any]
ANSWERS = "answers that pass"


class NotComparable(Exception):
    """Two results that are not of the same questions over the same documents."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether the gate stays open, and the lines that say why."""

    passed: bool
    lines: tuple[str, ...]


def statistical(now: Result, before: Result) -> Judgement:
    """Shut by a row, or the share of answers that pass, significantly worse than it was, or by a row gone.

    p is adjusted over all of them.

    A row that could not have shown a loss is called underpowered and passes. NotComparable as it says.
    """
    require_alike(now, before)
    earlier = {row["name"]: row for row in before["rows"]}
    pairs = {
        row["name"]: Pair(*_columns(row["values"], earlier[row["name"]]["values"]))
        for row in now["rows"]
        if row["name"] in earlier
    }
    if "graded" in now and "graded" in before:
        pairs[ANSWERS] = Pair(*_alike(now["graded"], before["graded"]))
    compared = compare(pairs, metric=DECISIVE, seed=SEED)
    worse = [name for name, c in compared.items() if c.verdict is Verdict.WORSE]
    gone = _gone(now, before)
    lines = (*(_line(name, c) for name, c in compared.items()), *gone)
    return Judgement(not worse and not gone, lines)


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


GATES: Mapping[str, Callable[[Result, Result], Judgement]] = {
    "statistical": statistical,
    "exact": exact,
    "kept": kept,
}


def require_alike(now: Result, before: Result) -> None:
    """NotComparable, saying what differs, for results of other questions or documents."""
    for key in ("suite", "split", "corpus_digest"):
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
    gone = [row["name"] for row in before["rows"] if row["name"] not in names]
    if "graded" in before and "graded" not in now:
        gone.append(ANSWERS)
    return [f"{name}: is missing" for name in gone]


def _some(question_ids: Iterable[str]) -> str:
    return ", ".join(sorted(question_ids)[:5])


def _line(name: str, c: Comparison) -> str:
    d = c.difference
    shown = f"a change of {c.mde:.3f}" if math.isfinite(c.mde) else "with so few questions no change"
    return (
        f"{name}: {c.baseline:.4f} -> {c.value:.4f} ({d.mean:+.4f} [{d.low:+.4f}, {d.high:+.4f}], "
        f"p {c.p_adjusted:.3f}, {c.moved_up} up, {c.moved_down} down): {c.verdict}; "
        f"{shown} would have shown"
    )
