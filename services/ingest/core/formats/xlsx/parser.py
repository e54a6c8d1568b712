"""How is a workbook read? Each sheet is a page, each row of a table a line that reads alone."""

import io
import zipfile
from dataclasses import dataclass

from services.ingest.core.document import HEADING, PARAGRAPH, ParsedDocument
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits, check_characters
from services.ingest.core.formats.office_xml import (
    READING_ERRORS,
    counted,
    declared_title,
    refuse_declarations,
)
from services.ingest.core.formats.package import check_package
from services.ingest.core.formats.paged_text import PagedText
from services.ingest.core.formats.xlsx.cells import Grid, read_grid
from services.ingest.core.formats.xlsx.tables import pieces
from services.ingest.core.formats.xlsx.workbook import Sheet, Workbook, read_workbook
from services.ingest.core.text import one_line
from services.ingest.core.title import title_of
from shared.errors import InvalidDocument, TooLarge

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_DAMAGED = (
    "The workbook is damaged: open it in a spreadsheet program, save it anew as XLSX and upload it again."
)
_MAX_NAMES_SAID = 5


def parse(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    check_package(data, limits)
    refuse_declarations(data, _DAMAGED)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return _parsed(name, package, limits)
    except READING_ERRORS as error:
        raise InvalidDocument(_DAMAGED) from error


def _parsed(name: str, package: zipfile.ZipFile, limits: Limits) -> ParsedDocument:
    workbook = read_workbook(package, _DAMAGED)
    if len(workbook.sheets) > limits.max_pages:
        raise TooLarge(f"The workbook has more than {limits.max_pages} sheets: split it into several files.")
    findings = _Findings()
    sheets = [_sheet_pieces(package, sheet, workbook, findings, limits=limits) for sheet in workbook.sheets]
    text = PagedText()
    for sheet, found in zip(workbook.sheets, sheets, strict=True):
        if any(sheets):
            text.add(HEADING, one_line(sheet.name), level=1)
        for kind, words in found:
            text.add(kind, words)
        text.end_page(sheet.name)
    canonical, blocks, pages = text.finish()
    notes = [words for found in sheets for kind, words in found[:1] if kind == PARAGRAPH]
    title = title_of([declared_title(package), *(note.split("\n", 1)[0] for note in notes[:1])], name)
    warnings = findings.warnings([sheet.name for sheet in workbook.sheets if sheet.hidden])
    return ParsedDocument(canonical, title, blocks, pages, None, warnings, MEDIA_TYPE)


@dataclass(slots=True)
class _Findings:
    """What is said in warnings, counted over all sheets."""

    cells: int = 0
    characters: int = 0
    hidden_rows: int = 0
    hidden_columns: int = 0
    formulas_without_value: int = 0

    def count(self, grid: Grid) -> None:
        self.cells += grid.cells
        self.hidden_rows += grid.hidden_rows
        self.hidden_columns += grid.hidden_columns
        self.formulas_without_value += grid.formulas_without_value

    def warnings(self, hidden_sheets: list[str]) -> tuple[str, ...]:
        said = []
        if hidden_sheets:
            names = ", ".join(f"“{name}”" for name in hidden_sheets[:_MAX_NAMES_SAID])
            more = ", …" if len(hidden_sheets) > _MAX_NAMES_SAID else ""
            said.append(f"{counted(len(hidden_sheets), 'hidden sheet')} read all the same: {names}{more}.")
        if self.hidden_rows:
            said.append(f"{counted(self.hidden_rows, 'hidden row')} read all the same.")
        if self.hidden_columns:
            said.append(f"{counted(self.hidden_columns, 'hidden column')} read all the same.")
        if self.formulas_without_value:
            said.append(
                f"{counted(self.formulas_without_value, 'formula')} without a stored result left out: "
                "open the workbook in a spreadsheet program, save it and upload it again."
            )
        return tuple(said)


def _sheet_pieces(
    package: zipfile.ZipFile, sheet: Sheet, workbook: Workbook, findings: _Findings, *, limits: Limits
) -> list[tuple[str, str]]:
    """The sheet's blocks. Raises TooLarge as soon as the workbook is beyond a limit."""
    if not sheet.part:
        return []
    left = limits.max_cells - findings.cells
    grid = read_grid(package, sheet.part, workbook, max_cells=left)
    findings.count(grid)
    found = []
    for kind, words in pieces(grid, max_cells=left, max_characters=limits.max_characters):
        findings.characters += len(words)
        check_characters(findings.characters, limits)
        found.append((kind, words))
    return found
