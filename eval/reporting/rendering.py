"""Do tables and figures in the documentation stand there as measured, each from a result that it names?"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eval.reporting.cells import markdown
from eval.reporting.tables import TABLES

RESULTS = Path(__file__).resolve().parents[1] / "results"
_BLOCK = re.compile(
    r"(?P<open><!-- table: (?P<file>[\w-]+) (?P<table>[\w-]+) -->\n)"
    r"(?:(?!<!-- ).)*"
    r"(?P<close><!-- /table -->)",
    re.DOTALL,
)
# Such as `<!-- figure: golden-development rows.rerank.metrics.ndcg@10.mean .2f -->0.66<!-- /figure -->`.
_FIGURE = re.compile(
    r"(?P<open><!-- figure: (?P<file>[\w-]+) (?P<path>\S+) (?P<format>\S+) -->)"
    r"[^<\n]*"
    r"(?P<close><!-- /figure -->)"
)
_OPENING = re.compile(r"<!-- */?(?:table|figure)\b.*")
_CODE = re.compile(r"```.*?```|`[^`\n]*`|<!--.*?-->|\]\([^)]*\)|https?://\S+", re.DOTALL)
# What looks measured: a number with decimals, a percentage, or a number of milliseconds, seconds or MiB.
_UNIT = r"\s?(?:%|ms\b|s\b|MiB\b)"
_MEASURED = re.compile(rf"(?<![\w.,])[-+−]?\d+(?:,\d{{3}})*(?:\.\d+(?:{_UNIT}|(?!\w|[.,]\d))|{_UNIT})")


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
    """The text with every table and every marked figure as the results have it.

    RenderingError for a result, table or figure that does not exist, and for a marker that no other closes.
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

    def figure(match: re.Match[str]) -> str:
        try:
            value = figure_at(results[match["file"]], match["path"])
            return f"{match['open']}{format(value, match['format'])}{match['close']}"
        except (LookupError, TypeError, ValueError) as error:
            place = f"line {_line(text, match.start())}"
            raise RenderingError(
                f"{place}: {match['file']} has no figure {match['path']}: {error}"
            ) from error

    stray = _OPENING.search(_FIGURE.sub(_blank, _BLOCK.sub(_blank, text)))
    if stray is not None:
        raise RenderingError(f"line {_line(text, stray.start())}: {stray.group()} begins or ends nothing")
    return _FIGURE.sub(figure, _BLOCK.sub(table, text))


def unmeasured(text: str) -> list[str]:
    """What looks measured in prose and names no result, with its line.

    Prose is what is no table, marked figure, code, comment or address; settings and formulas stand in code.
    """
    prose = _CODE.sub(_blank, _FIGURE.sub(_blank, _BLOCK.sub(_blank, text)))
    return [
        f"line {_line(prose, match.start())}: {match.group().strip()}" for match in _MEASURED.finditer(prose)
    ]


def figure_at(result: Any, path: str) -> float:
    """The number at a dotted path, where a member of a list goes by its `name` or `format`.

    LookupError or TypeError where there is none.
    """
    value = result
    for step in path.split("."):
        if isinstance(value, list):
            value = {m.get("name", m.get("format")): m for m in value}[step]
        else:
            value = value[step]
    return float(value)


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())
