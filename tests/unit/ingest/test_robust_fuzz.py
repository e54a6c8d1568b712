"""Does every extractor return a document whose spans hold, or a reason why not, whatever bytes it gets?"""

from datetime import timedelta
from email.message import EmailMessage

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.ingest.core.document import ParsedDocument
from services.ingest.core.formats.limits import Limits
from services.ingest.core.formats.registry import PARSERS, parse, sniff
from shared.errors import SightlineError
from tests.unit.ingest import hostile
from tests.unit.ingest.calling import pdf_of

LIMITS = Limits(max_unpacked_bytes=1_000_000, max_member_bytes=1_000_000, max_pages=20)
FUZZED = settings(
    max_examples=40,
    deadline=timedelta(seconds=20),
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TEXTS = (
    b"# Tides\n\n- one\n  - two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n",
    b"name;value\ntide;12\nmoon;13\n",
    b"name\tvalue\ntide\t12\n",
    b"<html><head><title>T</title></head><body><h1>A</h1><p>b <table><tr><th>c<td>d</table></body></html>",
    b"Title\n=====\n\n.. note:: x\n\n+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+\n",
    b"\xff\xfeT\0i\0d\0e\0s\0",
)


def mail() -> bytes:
    message = EmailMessage()
    message["Subject"] = "Tides"
    message.set_content("High water at noon.")
    message.add_attachment("words", filename="a.txt")
    return message.as_bytes()


def table_page() -> bytes:
    cells = b"".join(
        b"BT /F1 10 Tf %d %d Td (c%d%d) Tj ET " % (80 + 90 * c, 700 - 15 * r, r, c)
        for r in range(5)
        for c in range(4)
    )
    return hostile.one_page(hostile.stream(hostile.WORDS + cells))


SAMPLES = (*TEXTS, mail(), pdf_of("High water", "Low water"), table_page(), hostile.word_file())


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A sample in which some bytes are changed, cut out or doubled."""
    data = bytearray(draw(st.sampled_from(SAMPLES)))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, max(len(data) - 1, 0)))
        end = min(len(data), start + draw(st.integers(0, 30)))
        data[start:end] = draw(st.one_of(st.binary(max_size=20), st.just(bytes(data[start:end]) * 2)))
    return bytes(data)


def assert_holds(parsed: ParsedDocument) -> None:
    """What is built in, and what blocks, pages, words and headings promise beyond that."""
    text = parsed.text
    assert parsed.title
    assert all(text[block.start : block.end].strip() for block in parsed.blocks)
    assert all(block.header_lines <= text[block.start : block.end].count("\n") + 1 for block in parsed.blocks)
    if parsed.words is not None:
        starts, ends = parsed.words.start.tolist(), parsed.words.end.tolist()
        assert all(0 <= start < end <= len(text) for start, end in zip(starts, ends, strict=True))
        assert starts == sorted(starts)
        assert set(parsed.words.page.tolist()) <= {page.number for page in parsed.pages}


def is_sentence(refusal: str) -> bool:
    return refusal[:1].isupper() and refusal.endswith(".")


def check(media_type: str, data: bytes) -> None:
    try:
        parsed = parse("file", data, media_type, limits=LIMITS)
    except SightlineError as error:
        refusal = str(error)
    else:
        assert_holds(parsed)
        assert parse("file", data, media_type, limits=LIMITS).text == parsed.text
        return
    assert is_sentence(refusal)


@pytest.mark.parametrize("media_type", sorted(PARSERS))
@FUZZED
@given(data=st.binary(max_size=400))
def test_extractor_given_any_bytes_returns_a_document_or_a_reason(media_type: str, data: bytes) -> None:
    check(media_type, data)


@pytest.mark.parametrize("media_type", sorted(PARSERS))
@FUZZED
@given(data=mutated())
def test_extractor_given_a_damaged_file_returns_a_document_or_a_reason(media_type: str, data: bytes) -> None:
    check(media_type, data)


@FUZZED
@given(name=st.text(max_size=20), data=st.one_of(st.binary(max_size=200), mutated()))
def test_any_file_is_of_a_kind_that_is_read_or_refused_with_a_reason(name: str, data: bytes) -> None:
    try:
        media_type = sniff(name, data)
    except SightlineError as error:
        media_type, refusal = "", str(error)
    assert media_type in PARSERS or is_sentence(refusal)
