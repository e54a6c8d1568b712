"""Does every extractor of text give a document that holds together, or a sentence, for any bytes?"""

import io
import time
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.ingest.core.formats.registry import parse
from shared.errors import SightlineError
from tests.unit.ingest.test_texts_epub import CHAPTER, CONTAINER, NAV, OPF

MAX_SECONDS = 20.0  # generous: the machine may be busy
PIECES = {
    "text/html": (
        *(
            "<table>",
            "<tr><td rowspan=9 colspan=0>",
            "</td></table>",
            "<ul><li>",
            "<ol start=7>",
            "<dl><dt>",
            "<dd>",
        ),
        *(
            "<pre>x\n y",
            "<main>",
            "<nav><a href=x>",
            "<footer>",
            "<h1>A",
            "<h3>",
            "<br>",
            "&nbsp;&#0;&#x110000;",
        ),
        *("<?xml version='1.0'?>", "<![CDATA[x]]>", "<!--", "-->", "<body hidden>", "<template>", "words "),
    ),
    "text/markdown": (
        *(
            "# A\n",
            "- x\n",
            "  - y\n",
            "| a | b |\n|---|---|\n",
            "```\n",
            "> ",
            "---\n",
            "[a]: b\n",
            "<div>\n",
        ),
        *("title: x\n", "***", "1. ", "\n\n", "\t", "words "),
    ),
    "text/x-rst": (
        *(
            "Title\n=====\n\n",
            "* x\n\n  * y\n",
            ".. note:: z\n\n   w\n",
            "+---+---+\n",
            "| a | b |\n",
            "=== ===\n",
        ),
        *(
            "::\n\n    code\n",
            ":ref:`a <b>`",
            ".. role:: q\n",
            ".. |s| replace:: t\n",
            "|s|",
            "[1]_ ",
            ".. [1] n\n",
        ),
        *(".. unknown:: a\n   :opt: b\n\n   c\n", "`", "**", "\n", "   ", "words "),
    ),
    "message/rfc822": (
        *(
            "From: a@b\n",
            "Subject: =?utf-8?b?w6k=?=\n",
            "Subject: =?x?q?=ff?=\n",
            "MIME-Version: 1.0\n",
            "\n",
            "\n\n",
        ),
        *(
            'Content-Type: multipart/alternative; boundary="b"\n',
            "Content-Type: text/html; charset=\0\n",
            "--b\n",
        ),
        *("--b--\n", "Content-Type: message/rfc822\n", "Content-Transfer-Encoding: base64\n", "> quoted\n"),
        *("Content-Disposition: attachment; filename*=utf-8''a%ff\n", "<html><p>x", "words "),
    ),
    "text/csv": ('"', ",", ";", "\t", "\n", "\r", "name", "1,5", "sep=;\n", '""', " ", "é", "\0"),
    "text/tab-separated-values": ('"', "\t", "\n", "a\tb\n", "1\t2\n", "|", ","),
    "text/plain": (
        *(
            "name  units\n",
            "Ada      12\n",
            "----  ---\n",
            "=====\n",
            "a\tb\n",
            "| a | b |\n",
            "+--+--+\n",
            "- x\n",
        ),
        *(
            "  * y\n",
            "1. Scope\n",
            "2.1 Part\n",
            "CAPITALS\n",
            "\n",
            "\n\n",
            "  ",
            "words ",
            "\x0c",
            "\u2028",
        ),
    ),
}


def holds(media_type: str, data: bytes) -> None:
    """A document whose blocks cover its text (its own checks see to that), or our error with a sentence."""
    began = time.monotonic()
    refusal, parsed = "", None
    try:
        parsed = parse("name", data, media_type)
    except SightlineError as error:
        refusal = str(error)
    if parsed is None:
        assert refusal.endswith(".")
    else:
        parsed.text.encode()
        assert parsed.title
        assert not {"\r", "\0"} & set(parsed.text)
        assert all(0 <= block.header_lines <= 1 + parsed.text.count("\n") for block in parsed.blocks)
    assert time.monotonic() - began < MAX_SECONDS


@pytest.mark.parametrize("media_type", [*PIECES, "application/epub+zip"])
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(media_type: str, data: bytes) -> None:
    holds(media_type, data)


@pytest.mark.parametrize("media_type", PIECES)
@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_markup_is_read_or_refused(media_type: str, data: st.DataObject) -> None:
    pieces = st.lists(st.sampled_from(PIECES[media_type]) | st.text(max_size=5), max_size=30)
    holds(media_type, "".join(data.draw(pieces)).encode("utf-8", "surrogatepass"))


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    chapter=st.lists(st.sampled_from(PIECES["text/html"]), max_size=10).map("".join),
    opf=st.sampled_from(
        [OPF, OPF.replace("itemref", "item"), "<package/>", "", "<?xml version='1.0'?><!DOCTYPE x>"]
    ),
    cut=st.integers(0, 60),
)
def test_any_book_is_read_or_refused(chapter: str, opf: str, cut: int) -> None:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as package:
        package.writestr("META-INF/container.xml", CONTAINER)
        package.writestr("OPS/book.opf", opf.replace("{more}", ""))
        package.writestr("OPS/nav.xhtml", NAV.replace("{more}", chapter))
        package.writestr("OPS/text/one.xhtml", CHAPTER.format(chapter))
    data = written.getvalue()
    holds("application/epub+zip", data[: len(data) - cut] if cut > 30 else data)
