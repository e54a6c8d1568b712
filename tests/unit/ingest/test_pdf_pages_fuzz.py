"""Is a damaged PDF either read with spans that hold, or refused with our own error?"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.ingest.core.formats.limits import Limits
from services.ingest.core.formats.pdf import parse
from shared.errors import SightlineError
from tests.unit.ingest.drawing import Sheet, pdf, prose

LIMITS = Limits(max_pages=50)


def sound() -> bytes:
    sheets = []
    for page in range(3):
        sheet = Sheet()
        sheet.write(50, 50, "Harbour handbook", size=18)
        sheet.column(50, 100, prose(8, mark=f"p{page}"))
        for row in range(4):
            for column in range(3):
                sheet.write(50 + 120 * column, 300 + 14 * row, f"{row}{column}")
        sheet.write(300, 770, str(page + 1))
        sheets.append(sheet)
    return pdf(*sheets, catalog="/PageLabels << /Nums [0 << /S /r >>] >>", info="/Title (Harbour handbook)")


WHOLE = sound()
CHANGES = st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), max_size=30)


def check(data: bytes) -> None:
    try:
        parsed = parse("a.pdf", data, limits=LIMITS)
    except SightlineError:
        return
    assert parsed.text.strip()
    assert parsed.words is not None
    ends = zip(parsed.words.start, parsed.words.end, strict=True)
    position = 0
    for start, end in ends:
        assert position <= start < end <= len(parsed.text)
        position = end
    for block in parsed.blocks:
        assert parsed.text[block.start : block.end].strip()


def test_sound_document_is_read() -> None:
    assert len(parse("a.pdf", WHOLE, limits=LIMITS).pages) == 3


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(CHANGES, st.integers(0, len(WHOLE)), st.booleans())
@pytest.mark.filterwarnings("ignore")
def test_changed_or_cut_bytes_are_read_or_refused(
    changes: list[tuple[int, int]], length: int, cut: bool
) -> None:
    data = bytearray(WHOLE)
    for position, value in changes:
        data[position] = value
    check(bytes(data[:length] if cut else data))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, len(WHOLE)), st.binary(max_size=40), st.integers(0, 200))
@pytest.mark.filterwarnings("ignore")
def test_bytes_put_in_or_taken_out_are_read_or_refused(position: int, put_in: bytes, taken_out: int) -> None:
    check(WHOLE[:position] + put_in + WHOLE[position + taken_out :])
