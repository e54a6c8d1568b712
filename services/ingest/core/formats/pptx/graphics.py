"""What do the tables, charts and diagrams on a slide say?"""

from typing import Any

from services.ingest.core.formats.office_xml import local_name, tree_of
from services.ingest.core.formats.table_text import names_columns, table_lines
from services.ingest.core.formats.xlsx.number_format import number_shown
from services.ingest.core.text import one_line

_MAX_DEPTH = 20  # of a diagram's nodes
_DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"


def table_of(table: Any) -> tuple[list[str], int]:
    """A line for each row, and how many first ones name the columns; a cell merged downwards is repeated."""
    rows: list[list[str]] = []
    for row in table.rows:
        cells: list[str] = []
        for index, cell in enumerate(row.cells):
            down = cell._tc.get("vMerge") in ("1", "true")
            above = rows[-1][index] if rows and down and index < len(rows[-1]) else ""
            cells.append(above if cell.is_spanned else one_line(cell.text_frame.text))
        rows.append(cells)
    rows = [row for row in rows if any(row)]
    named = len(rows) > 1 and (bool(table.first_row) or names_columns(rows))
    return table_lines(rows, named=named), int(named)


def chart_of(chart_space: Any) -> tuple[str, list[str]]:
    """The titles of a chart and of its axes, and its data as a table with a header line."""
    titles = [_words(title) for title in chart_space.iter("{*}title")]
    series = list(chart_space.iter("{*}ser"))
    names, columns = [], []
    categories: dict[int, str] = {}
    for number, one in enumerate(series, start=1):
        parts = {local_name(part): part for part in one}
        names.append(_words(parts.get("tx")) or f"Series {number}")
        values = parts.get("val", parts.get("yVal"))
        columns.append(_points(values))
        for index, label in _points(parts.get("cat", parts.get("xVal"))).items():
            categories.setdefault(index, label)
    rows = [
        [categories.get(index, str(index + 1)), *(column.get(index, "") for column in columns)]
        for index in sorted({*categories, *(index for column in columns for index in column)})
    ]
    lines = table_lines([["Category", *names], *rows], named=True) if rows else []
    return "\n".join(filter(None, titles)), lines


def diagram_of(frame: Any) -> list[tuple[str, int]]:
    """(words, depth from 1) of a diagram's nodes, in order."""
    relation = next(
        (value for element in frame._element.iter("{*}relIds") for name, value in element.attrib.items()
         if name.endswith("}dm")), None,
    )  # fmt: skip
    if relation is None:
        return []
    tree = tree_of(frame.part.related_part(relation).blob)
    words = {
        point.get("modelId"): one_line(_words(point))
        for point in tree.iter(f"{{{_DIAGRAM}}}pt")
        if point.get("type") in (None, "node", "asst", "doc")
    }
    below: dict[str, list[tuple[int, str]]] = {}
    for link in tree.iter(f"{{{_DIAGRAM}}}cxn"):
        if link.get("type") in (None, "parOf"):
            place = link.get("srcOrd") or "0"
            below.setdefault(link.get("srcId"), []).append(
                (int(place) if place.isdecimal() else 0, link.get("destId"))
            )
    children = {child for links in below.values() for _, child in links}
    found: list[tuple[str, int]] = []
    seen: set[str] = set()
    stack = [(node, 0) for node in reversed(words) if node not in children]
    while stack:
        node, depth = stack.pop()
        if node in seen or node not in words or depth > _MAX_DEPTH:
            continue
        seen.add(node)
        if words[node]:
            found.append((words[node], max(1, depth)))
        stack += [(child, depth + 1) for _, child in sorted(below.get(node, []), reverse=True)]
    return found


def _words(element: Any) -> str:
    """The words of an element's paragraphs, or of the cell values that it shows."""
    if element is None:
        return ""
    texts = [t.text or "" for t in element.iter("{http://schemas.openxmlformats.org/drawingml/2006/main}t")]
    if not texts:
        texts = [value.text or "" for value in element.iter("{*}v")]
    return one_line("".join(texts))


def _points(element: Any) -> dict[int, str]:
    """Index -> what is shown there, from the values stored with the chart."""
    if element is None:
        return {}
    code = next((found.text for found in element.iter("{*}formatCode")), None) or "General"
    numeric = any(True for _ in element.iter("{*}numCache", "{*}numLit"))
    shown: dict[int, str] = {}
    for point in element.iter("{*}pt"):
        index = point.get("idx") or ""
        text = next((value.text or "" for value in point.iter("{*}v")), "")
        if index.isdecimal():
            label = _number(text, point.get("formatCode") or code) if numeric else one_line(text)
            # Further levels of a category stand around the first: Year above quarter.
            shown[int(index)] = f"{label} – {shown[int(index)]}" if int(index) in shown else label
    return shown


def _number(text: str, code: str) -> str:
    try:
        return number_shown(float(text), code)
    except ValueError:
        return one_line(text)
