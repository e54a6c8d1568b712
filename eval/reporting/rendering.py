"""Do tables in the documentation stand there as measured, and is every figure in prose in a result?"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from eval.reporting.tables import TABLES, markdown

RESULTS = Path(__file__).resolve().parents[1] / "results"
_BLOCK = re.compile(
    r"(?P<open><!-- table: (?P<file>[\w-]+) (?P<table>[\w-]+) -->\n)"
    r"(?:(?!<!-- ).)*"
    r"(?P<close><!-- /table -->)",
    re.DOTALL,
)
_OPENING = re.compile(r"<!-- */?table\b.*")
_CODE = re.compile(r"```.*?```|`[^`\n]*`|<!--.*?-->|\]\([^)]*\)|https?://\S+", re.DOTALL)
# A measured figure in prose: a fraction, a percentage, or a number of milliseconds, seconds or MiB.
_FIGURE = re.compile(
    r"(?<![\w.,])(?P<number>[-+−]?\d+(?:,\d{3})*(?:\.\d+)?)\s?(?P<unit>%|ms\b|s\b|MiB\b)?(?![\w]|[.,]\d)"
)

# Members of which almost any figure is one: values of single questions, and points of a curve.
_UNQUOTED = frozenset({"values", "graded", "let_through", "turned_away", "failed", "curve"})


class RenderingError(Exception):
    """A table that cannot be rendered, and where."""


def load_results(folder: Path = RESULTS) -> dict[str, Any]:
    """Every result by the name of its file. RenderingError for one that cannot be read."""
    results = {}
    for path in sorted(folder.glob("*.json")):
        try:
            results[path.stem] = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise RenderingError(f"{path} is no result: {error}") from error
    return results


def rendered(text: str, results: Mapping[str, Any]) -> str:
    """The text with every table as the results have it.

    RenderingError for a result or table that does not exist, and for a marker that no other closes.
    """

    def table(match: re.Match[str]) -> str:
        place = f"line {_line(text, match.start())}"
        if match["file"] not in results:
            raise RenderingError(f"{place}: there is no result {match['file']!r}")
        if match["table"] not in TABLES:
            raise RenderingError(
                f"{place}: there is no table {match['table']!r}; there is {', '.join(TABLES)}"
            )
        try:
            cells = TABLES[match["table"]](results[match["file"]])
        except (LookupError, TypeError) as error:
            raise RenderingError(
                f"{place}: the result {match['file']} has nothing for the table {match['table']}"
            ) from error
        return f"{match['open']}\n{markdown(cells)}\n\n{match['close']}"

    stray = _OPENING.search(_BLOCK.sub(_blank, text))
    if stray is not None:
        raise RenderingError(f"line {_line(text, stray.start())}: {stray.group()} begins or ends no table")
    return _BLOCK.sub(table, text)


def unmeasured(text: str, results: Mapping[str, Any]) -> list[str]:
    """Figures of the prose, with their line, that are in no result when rounded to as many digits.

    Prose is what is no table, code, comment or address. A figure is a number with decimals, a percentage, or
    one with a unit of time or memory; settings and formulas stand in code spans.
    """
    known = tuple(numbers_in(results))
    prose = _CODE.sub(_blank, _BLOCK.sub(_blank, text))
    return [
        f"line {_line(prose, match.start())}: {match.group().strip()}"
        for match in _FIGURE.finditer(prose)
        if ("." in match["number"] or match["unit"])
        and not _measured(match["number"], match["unit"] or "", known)
    ]


def numbers_in(value: Any) -> Iterator[float]:
    """Every number in parsed JSON, less those of single questions and of curves."""
    if isinstance(value, Mapping):
        value = [member for key, member in value.items() if key not in _UNQUOTED]
    if isinstance(value, bool | str) or value is None:
        return
    if isinstance(value, int | float):
        yield float(value)
        return
    for member in value:
        yield from numbers_in(member)


def _measured(number: str, unit: str, known: Iterable[float]) -> bool:
    digits = len(number.partition(".")[2])
    sought = abs(float(number.replace(",", "").replace("−", "-").lstrip("+-")))
    scales = {"%": (100.0,), "s": (1.0, 0.001)}.get(unit, (1.0,))
    return any(round(abs(value) * scale, digits) == sought for value in known for scale in scales)


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())
