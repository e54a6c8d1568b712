"""Which other parser may read PDFs instead of ours, for comparison? A package each, none of them required."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol

from services.ingest.core.back_ends.docling_items import from_docling
from services.ingest.core.back_ends.marker_blocks import from_marker
from services.ingest.core.document import ParsedDocument
from shared.errors import InvalidDocument, InvalidInput

GEOMETRY = "geometry"  # ours
_UNREADABLE = "{} cannot read the PDF ({}): export it anew and upload it again."


class BackEnd(Protocol):
    """A parser of PDFs that is not ours; `package` is what pip installs, in a version that is known here."""

    @property
    def package(self) -> str: ...

    @property
    def requirement(self) -> str: ...

    def parse(self, path: Path, name: str) -> ParsedDocument:
        """The document in our types. Raises InvalidDocument for a file that the parser cannot read."""
        ...


@dataclass(frozen=True)
class Docling:
    """docling: layout and table structure by models, which it fetches when it first runs."""

    package: str = "docling"
    requirement: str = "docling>=2.143,<3"

    def parse(self, path: Path, name: str) -> ParsedDocument:
        from docling.datamodel.base_models import DocumentStream
        from docling.exceptions import ConversionError
        from docling_core.types.doc import ContentLayer

        try:
            result = self._converter.convert(
                DocumentStream(name="file.pdf", stream=io.BytesIO(path.read_bytes()))
            )
        except ConversionError as error:
            raise InvalidDocument(_UNREADABLE.format(self.package, error)) from error
        return from_docling(result.document, {ContentLayer.BODY, ContentLayer.FURNITURE}, name)

    @cached_property
    def _converter(self) -> Any:
        from docling.document_converter import DocumentConverter

        return DocumentConverter()


@dataclass(frozen=True)
class Marker:
    """marker: layout, reading order and recognition by models, which it fetches when it first runs."""

    package: str = "marker-pdf"
    requirement: str = "marker-pdf>=2,<3"

    def parse(self, path: Path, name: str) -> ParsedDocument:
        try:
            output = self._converter(str(path))
        except (ValueError, RuntimeError) as error:
            raise InvalidDocument(_UNREADABLE.format(self.package, error)) from error
        return from_marker(output.model_dump(), name)

    @cached_property
    def _converter(self) -> Any:
        from marker.config.parser import ConfigParser
        from marker.converters.pdf import PdfConverter
        from marker.models import create_model_dict

        config = ConfigParser({"output_format": "json"})
        return PdfConverter(
            config=config.generate_config_dict(),
            artifact_dict=create_model_dict(),
            processor_list=config.get_processors(),
            renderer=config.get_renderer(),
        )


BACK_ENDS: Mapping[str, BackEnd] = {"docling": Docling(), "marker": Marker()}


def parser_version(pdf_parser: str) -> str:
    """Name and version of the parser, part of what decides the chunks; empty for ours.

    Raises InvalidInput, with the command that helps, for one that is not installed.
    """
    if pdf_parser == GEOMETRY:
        return ""
    back_end = BACK_ENDS[pdf_parser]
    try:
        return f"{back_end.package} {version(back_end.package)}"
    except PackageNotFoundError:
        raise InvalidInput(
            f"PDFs are to be read by {pdf_parser} (SIGHTLINE_PDF_PARSER), which is not installed: run "
            f"`pip install '{back_end.requirement}'`, or leave the setting at {GEOMETRY}."
        ) from None
