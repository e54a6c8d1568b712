"""Which sheets, shared words and number formats does a workbook have?"""

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from openpyxl.styles.numbers import BUILTIN_FORMATS

from services.ingest.core.formats.office_xml import local_name, part_tree, related_parts, streamed
from shared.errors import InvalidDocument

_WORKBOOK = "xl/workbook.xml"
_DAY = "yyyy-mm-dd"
# Shown in whatever way the reader's own computer is set to; written here so that day and month stay apart.
_LOCAL_FORMATS = {14: _DAY, 22: f"{_DAY} h:mm", **dict.fromkeys((*range(27, 32), 36, *range(50, 59)), _DAY)}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of the workbook; `part` is empty where it holds no cells, as a chart sheet."""

    name: str
    hidden: bool
    part: str


@dataclass(frozen=True, slots=True)
class Style:
    """How a cell's value is shown, and whether its letters are bold."""

    code: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Workbook:
    """What all sheets share."""

    sheets: tuple[Sheet, ...]
    strings: Sequence[str]
    styles: Sequence[Style]
    from_1904: bool


def read_workbook(package: zipfile.ZipFile, damaged: str) -> Workbook:
    """Everything but the cells. Raises InvalidDocument when the workbook names no sheet."""
    part = _workbook_part(package)
    tree = part_tree(package, part)
    if tree is None:
        raise InvalidDocument(damaged)
    relations = related_parts(package, part)
    sheets: list[Sheet] = []
    from_1904 = False
    for element in tree.iter("{*}sheet", "{*}workbookPr"):
        if local_name(element) == "workbookPr":
            from_1904 = (element.get("date1904") or "").lower() in ("1", "true")
            continue
        kind, target = relations.get(_relation_id(element), ("", ""))
        sheets.append(
            Sheet(
                element.get("name") or f"Sheet {len(sheets) + 1}",
                (element.get("state") or "visible") != "visible",
                target if kind == "worksheet" else "",
            )
        )
    if not sheets:
        raise InvalidDocument(damaged)
    parts = dict(relations.values())
    strings = _strings(package, parts.get("sharedStrings", "xl/sharedStrings.xml"))
    styles = _styles(part_tree(package, parts.get("styles", "xl/styles.xml")))
    return Workbook(tuple(sheets), strings, styles, from_1904)


def string_of(item: Any) -> str:
    """The words of a shared or inline string, without the readings that stand above them."""
    return "".join(
        element.text or ""
        for element in item.iter("{*}t")
        if element.getparent() is None or local_name(element.getparent()) != "rPh"
    )


def _workbook_part(package: zipfile.ZipFile) -> str:
    for kind, target in related_parts(package, "").values():
        if kind == "officeDocument":
            return target
    return _WORKBOOK


def _relation_id(element: Any) -> str:
    for name, value in element.attrib.items():
        if name.startswith("{") and name.endswith("}id"):
            return str(value)
    return ""


def _strings(package: zipfile.ZipFile, part: str) -> list[str]:
    strings: list[str] = []
    if part not in package.namelist():
        return strings
    for element in streamed(package, part, ("si",)):
        strings.append(string_of(element))
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]
    return strings


def _styles(tree: Any) -> list[Style]:
    """By the number that cells carry. Only what decides how a value reads is looked at."""
    if tree is None:
        return []
    own = {
        element.get("numFmtId"): element.get("formatCode") or "General" for element in tree.iter("{*}numFmt")
    }
    fonts = [_is_bold(font) for group in tree.iter("{*}fonts") for font in group.iter("{*}font")]
    styles = []
    for group in tree.iter("{*}cellXfs"):
        for element in group.iter("{*}xf"):
            number = element.get("numFmtId") or "0"
            font = element.get("fontId") or ""
            bold = font.isdecimal() and int(font) < len(fonts) and fonts[int(font)]
            styles.append(Style(own.get(number) or _builtin(number), bold))
    return styles


def _builtin(number: str) -> str:
    if not number.isdecimal():
        return "General"
    return _LOCAL_FORMATS.get(int(number)) or BUILTIN_FORMATS.get(int(number), "General")


def _is_bold(font: Any) -> bool:
    return any((mark.get("val") or "1") not in ("0", "false") for mark in font.iter("{*}b"))
