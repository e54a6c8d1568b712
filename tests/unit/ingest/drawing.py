"""How is a PDF drawn in a test: sheets of words at places?"""

from collections.abc import Sequence
from itertools import pairwise

from services.ingest.core.document import ParsedDocument
from services.ingest.core.formats.pdf import parse

SENTENCE = (
    "the harbour master opens the lock at noon and shuts it again at six whenever the tide allows "
    "ships to pass between the outer mole and the basin behind the old customs house"
)
PROSE = SENTENCE.split()


class Sheet:
    """A page as a content stream; y counts from the top of a page of 600 by 800 points."""

    def __init__(self, *, extra: str = "") -> None:
        self.extra = extra
        self.operators: list[str] = []

    def write(
        self, x: float, y: float, text: str, *, size: float = 10, bold: bool = False, turn: str = "1 0 0 1"
    ) -> None:
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        font = "F2" if bold else "F1"
        self.operators.append(f"BT /{font} {size} Tf {turn} {x} {800 - y} Tm ({escaped}) Tj ET")

    def column(self, x: float, y: float, lines: Sequence[str]) -> None:
        for number, line in enumerate(lines):
            self.write(x, y + 12 * number, line)


def pdf(
    *sheets: Sheet,
    catalog: str = "",
    trailer: str = "",
    info: str = "",
    fonts: str = "",
    objects_after: Sequence[str] = (),
) -> bytes:
    """A PDF of these pages in Helvetica; `fonts` names further ones, `objects_after` follow the pages."""
    count = len(sheets)
    pages = [5 + 2 * number for number in range(count)]
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        f"<< /Type /Pages /Count {count} /Kids [{' '.join(f'{number} 0 R' for number in pages)}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    for number, sheet in zip(pages, sheets, strict=True):
        stream = "\n".join(sheet.operators)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {number + 1} 0 R "
            f"/Resources << /Font << /F1 3 0 R /F2 4 0 R {fonts} >> >> {sheet.extra} >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects += objects_after
    objects.append(f"<< {info} >>")
    body, offsets = "%PDF-1.7\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R "
    return (body + end + f"/Info {len(objects)} 0 R {trailer} >>\nstartxref\n{len(body)}\n%%EOF\n").encode(
        "latin-1"
    )


def prose(lines: int, *, words: int = 7, mark: str = "") -> list[str]:
    """Lines of running text, numbered by a marked word so that their order can be asserted."""
    return [
        f"{mark}{chr(97 + line // 26)}{chr(97 + line % 26)} "
        + " ".join(PROSE[(line + at) % len(PROSE)] for at in range(words))
        for line in range(lines)
    ]


def read(*sheets: Sheet, catalog: str = "") -> ParsedDocument:
    return parse("a.pdf", pdf(*sheets, catalog=catalog))


def kinds(parsed: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, parsed.text[block.start : block.end]) for block in parsed.blocks]


def assert_order(text: str, marks: Sequence[str]) -> None:
    positions = [text.index(mark) for mark in marks]
    assert all(left < right for left, right in pairwise(positions)), list(zip(marks, positions, strict=True))
