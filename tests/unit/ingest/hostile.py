"""Which files would harm a careless reader? Small ones, made here, that ask for a lot."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

MIB = 1024 * 1024
_NS = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
    'officeDocument" Target="word/document.xml"/></Relationships>'
)


def word_file(
    body: str = "<w:p><w:r><w:t>Words</w:t></w:r></w:p>",
    *,
    doctype: str = "",
    more: Mapping[str, bytes] = MappingProxyType({}),
) -> bytes:
    """A DOCX of this body; `more` are members of the package by name."""
    document = f"<?xml version='1.0'?>{doctype}<w:document {_NS}><w:body>{body}</w:body></w:document>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("[Content_Types].xml", _TYPES)
        package.writestr("_rels/.rels", _RELATIONS)
        package.writestr("word/document.xml", document)
        for name, data in more.items():
            package.writestr(name, data)
    return out.getvalue()


def zip_bomb(unpacked_bytes: int) -> bytes:
    return word_file(more={"bomb": bytes(unpacked_bytes)})


def lying_zip_bomb(unpacked_bytes: int) -> bytes:
    """Its directory says that the large member holds ten bytes."""
    data = zip_bomb(unpacked_bytes)
    return data.replace(struct.pack("<I", unpacked_bytes), struct.pack("<I", 10))


def many_members(count: int) -> bytes:
    return word_file(more={f"part{number}": b"" for number in range(count)})


def nested_zip_bomb(unpacked_bytes: int, depth: int) -> bytes:
    data = zip_bomb(unpacked_bytes)
    for level in range(depth):
        data = word_file(more={f"inner{level}.docx": data})
    return data


def billion_laughs() -> bytes:
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    doctype = f'<!DOCTYPE w:document [<!ENTITY a0 "laugh">{entities}]>'
    return word_file("<w:p><w:r><w:t>&a9;</w:t></w:r></w:p>", doctype=doctype)


def nested_page(depth: int) -> bytes:
    return b"<html><body>" + b"<div>" * depth + b"words in the middle" + b"</div>" * depth + b"</body></html>"


def encrypted_pdf() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, encrypt=StandardEncryption("secret", canPrint=0))
    canvas.drawString(100, 700, "Nobody may read this")
    canvas.save()
    return out.getvalue()


def raw_pdf(objects: Sequence[bytes]) -> bytes:
    """A PDF of these objects, numbered from 1; the first is its catalog."""
    out = io.BytesIO()
    out.write(b"%PDF-1.7\n")
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % offset for offset in offsets))
    out.write(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start))
    return out.getvalue()


def stream(data: bytes, entries: bytes = b"") -> bytes:
    packed = zlib.compress(data)
    return b"<< /Length %d /Filter /FlateDecode %s >>\nstream\n%s\nendstream" % (len(packed), entries, packed)


def one_page(content: bytes, *more: bytes, resources: bytes = b"", box: bytes = b"0 0 600 800") -> bytes:
    """A PDF of one page; font 4 is Helvetica, `more` are the objects from 6 on."""
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [%s] /Contents 5 0 R"
            b" /Resources << /Font << /F1 4 0 R >> %s >> >>" % (box, resources),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            content,
            *more,
        ]
    )


WORDS = b"BT /F1 12 Tf 100 700 Td (The tide turns) Tj ET "


def busy_page(seconds: float) -> bytes:
    """One that keeps a reader busy for about so long, at some twenty thousand operators a second."""
    return one_page(stream(WORDS + b"q 1 0 0 1 0 0 cm Q " * int(seconds * 20_000)))


def vast_page() -> bytes:
    return one_page(stream(WORDS), box=b"0 0 1000000000 1000000000")


def image_bomb() -> bytes:
    image = stream(
        bytes(MIB),
        b"/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 8"
        b" /ColorSpace /DeviceRGB",
    )
    return one_page(
        stream(WORDS + b"q 600 0 0 800 0 0 cm /I1 Do Q"), image, resources=b"/XObject << /I1 6 0 R >>"
    )


def recursive_forms() -> bytes:
    """Two forms that draw each other twice."""
    entries = b"/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /XObject << /X %d 0 R >> >>"
    return one_page(
        stream(WORDS + b"/X Do"),
        stream(b"/X Do /X Do", entries % 7),
        stream(b"/X Do /X Do", entries % 6),
        resources=b"/XObject << /X 6 0 R >>",
    )


def font_bomb() -> bytes:
    """A font whose table of characters spans four thousand million codes."""
    ranges = b"<00000000> <ffffffff> <0041>"
    cmap = (
        b"1 begincodespacerange <00000000> <ffffffff> endcodespacerange 1 beginbfrange %s endbfrange" % ranges
    )
    font = (
        b"<< /Type /Font /Subtype /Type0 /BaseFont /Bomb /Encoding /Identity-H /ToUnicode 7 0 R"
        b" /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Bomb /W [0 4000000000 500] >>]"
        b" >>"
    )
    return one_page(
        stream(WORDS + b"BT /F2 12 Tf 100 600 Td <0041> Tj ET"),
        font,
        stream(cmap),
        resources=b"/Font << /F1 4 0 R /F2 6 0 R >>",
    )


def circular_pages() -> bytes:
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 2 /Kids [2 0 R 2 0 R] /Parent 2 0 R >>",
        ]
    )


def paged(count: int, *, line: str = "Page {} of the log") -> bytes:
    """A PDF of so many pages with a line of text on each."""

    def objects() -> Iterator[bytes]:
        yield b"<< /Type /Catalog /Pages 2 0 R >>"
        kids = b" ".join(b"%d 0 R" % (4 + 2 * number) for number in range(count))
        yield b"<< /Type /Pages /Count %d /Kids [%s] >>" % (count, kids)
        yield b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
        for number in range(count):
            yield (
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R"
                b" /Resources << /Font << /F1 3 0 R >> >> >>" % (5 + 2 * number)
            )
            content = b"BT /F1 12 Tf 100 700 Td (%s) Tj ET" % line.format(number + 1).encode()
            yield b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)

    return raw_pdf(list(objects()))
