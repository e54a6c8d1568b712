"""How were the DOCX and the PDF of the sample corpus made? Run this to write both anew."""

from pathlib import Path

from docx import Document

FOLDER = Path(__file__).resolve().parent
WARRANTY: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "What is covered",
        (
            "The handset is covered for three years and the probe for one year from the day of purchase, "
            "against faults of material and workmanship.",
            "Sensor caps, electrolyte and buffers are used up by measuring and are not covered.",
        ),
    ),
    (
        "What is not covered",
        (
            "Broken glass, probes that have dried out, and damage by cleaners other than those named in "
            "the user guide.",
            "Opening the handset ends the warranty. Changing the battery through the lid does not.",
        ),
    ),
    (
        "How to claim",
        (
            "Write to service with the serial number and a picture of the display. You receive a return "
            "number within two working days.",
            "A repair takes ten working days. For longer repairs a meter is lent free of charge.",
        ),
    ),
)
PARTS = (
    ("TN-12", "probe cable, 4 m"),
    ("TN-22", "buffer set"),
    ("TN-31", "electrolyte"),
    ("TN-35", "oxygen cap"),
)
DATASHEET: tuple[tuple[str, ...], ...] = (
    (
        "Tern 3 data sheet",
        "Ranges and accuracy",
        "pH: 0 to 14, accuracy 0.02 pH after a two-point calibration.",
        "Conductivity: 0 to 60 mS/cm, accuracy 1 per cent of the reading.",
        "Dissolved oxygen: 0 to 20 mg/l, accuracy 0.1 mg/l below 8 mg/l and 0.2 mg/l above.",
        "Temperature: -5 to 50 degrees Celsius, accuracy 0.1 degrees.",
        "The optical oxygen cap answers to 90 per cent of a step within 40 seconds.",
    ),
    (
        "Handset and power",
        "The battery of 3,400 mAh lasts 30 hours with positioning and 50 hours without.",
        "The handset weighs 420 g, is tight to IP67, and floats.",
        "The log holds 9,000 readings with time and position.",
        "Depth of the probe: at most 20 metres on the 30-metre cable TN-13.",
    ),
)


def write_warranty(path: Path) -> None:
    document = Document()
    document.add_heading("Tern 3 warranty", level=0)
    for heading, paragraphs in WARRANTY:
        document.add_heading(heading, level=1)
        for paragraph in paragraphs:
            document.add_paragraph(paragraph)
    document.add_heading("Parts", level=1)
    table = document.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "part", "what it is"
    for part, meaning in PARTS:
        cells = table.add_row().cells
        cells[0].text, cells[1].text = part, meaning
    document.save(str(path))


def write_datasheet(path: Path) -> None:
    """A PDF of one text object a page, in the plainest form that the format allows."""
    font, first_page = 3, 4
    pages = [first_page + 2 * index for index in range(len(DATASHEET))]
    kids = " ".join(f"{page} 0 R" for page in pages)
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for page, lines in zip(pages, DATASHEET, strict=True):
        stream = "\n".join(_shown(line, row) for row, line in enumerate(lines))
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {page + 1} 0 R "
            f"/Resources << /Font << /F1 {font} 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    path.write_bytes(_file(objects))


def _shown(line: str, row: int) -> str:
    size = 18 if row == 0 else 11
    escaped = line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F1 {size} Tf 60 {770 - 26 * row} Td ({escaped}) Tj ET"


def _file(objects: list[str]) -> bytes:
    body, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n".encode("ascii")
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    return body + (
        f"xref\n0 {size}\n0000000000 65535 f \n{table}"
        f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    ).encode("ascii")


if __name__ == "__main__":
    write_warranty(FOLDER / "tern3-warranty.docx")
    write_datasheet(FOLDER / "tern3-datasheet.pdf")
