"""How is reStructuredText read? By docutils, which may open no other file and run nothing."""

import io

from docutils import nodes
from docutils.core import publish_doctree
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.parsers.rst.languages import en
from docutils.utils import new_document

from services.ingest.core.document import ParsedDocument
from services.ingest.core.formats.encoding import decode
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits, check_characters
from services.ingest.core.formats.plain.blocks import plain_blocks
from services.ingest.core.formats.rst.blocks import TreeReader
from services.ingest.core.formats.rst.unknown import register_unknown
from services.ingest.core.text import TextBuilder
from services.ingest.core.title import first_headings, title_of

MEDIA_TYPE = "text/x-rst"
_ERRORS, _NEVER = 3, 6  # docutils' levels: what it could not read is kept from errors upwards, nothing halts
_UNREADABLE = "The markup could not be read as reStructuredText: the file is read as plain text."


def parse(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    source, warnings = decode(data)
    check_characters(len(source), limits)
    builder = TextBuilder()
    try:
        TreeReader(builder).read(_tree(source))
        text, blocks = builder.finish()
    except (
        ArithmeticError,
        AssertionError,
        AttributeError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ):
        # docutils raises these on some sources that are no markup; their words are still to be found.
        text, blocks = source, plain_blocks(source)
        warnings += (_UNREADABLE,)
    title = title_of(first_headings(blocks, text), name)
    return ParsedDocument(text, title, blocks, (), None, warnings, MEDIA_TYPE)


def _tree(source: str) -> nodes.document:
    overrides = {
        "_disable_config": True,
        "input_encoding": "unicode",
        "file_insertion_enabled": False,
        "raw_enabled": False,
        "report_level": _ERRORS,
        "halt_level": _NEVER,
        "warning_stream": io.StringIO(),
        "syntax_highlight": "none",
        "smart_quotes": False,
        "docinfo_xform": False,
        "toc_backlinks": False,
        "line_length_limit": max(10_000, len(source) + 1),
    }
    settings = get_default_settings(Parser)
    settings.report_level, settings.halt_level, settings.warning_stream = _NEVER, _NEVER, io.StringIO()
    register_unknown(source, new_document("source", settings), en)
    return publish_doctree(source, settings_overrides=overrides)
