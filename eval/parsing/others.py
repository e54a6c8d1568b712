"""What do other parsers read from a PDF: pdfplumber's flat text, pdftotext with its layout, pypdfium2?"""

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

import pdfplumber
import pypdfium2

from eval.parsing.view import ParsedPage, ParsedView, Refused

OURS = "sightline"
# Which labels each parser offers: those of the file's tree, those printed on the pages.
LABELS_OF: Mapping[str, frozenset[str]] = {
    OURS: frozenset({"tree_labels", "printed_labels"}),
    "pdfplumber": frozenset({"tree_labels"}),
    "pdftotext -layout": frozenset(),
    "pypdfium2": frozenset({"tree_labels"}),
}
_PDFTOTEXT = "pdftotext"
_PDFTOTEXT_TIMEOUT_S = 120.0
_RELEASE = re.compile(r"version (\S+)")


def flat_pdfplumber(path: Path) -> ParsedView:
    """`extract_text()` of what every page shows, with the labels of the file's tree. Refused as it says.

    Uncropped it would also give what lies beyond the page's edge, as printer's marks and the facing page.
    """
    try:
        with pdfplumber.open(path) as pdf:
            texts = [page.crop(page.cropbox, strict=False).extract_text() for page in pdf.pages]
            labels = [page.page_obj.label or "" for page in pdf.pages]
    except Exception as error:  # whatever it raises, it has not read the file
        raise Refused(f"{type(error).__name__}: {error}") from error
    return _flat(texts, labels)


def flat_pypdfium2(path: Path) -> ParsedView:
    """`get_text_range()` of every page, with the labels of the file's tree. Refused as it says.

    Of a page with text beyond its edge only what lies within it, `get_text_bounded()`.
    """
    try:
        with pypdfium2.PdfDocument(path) as pdf:
            texts = [_shown(pdf[number]) for number in range(len(pdf))]
            labels = [pdf.get_page_label(number) for number in range(len(pdf))]
    except Exception as error:  # whatever it raises, it has not read the file
        raise Refused(f"{type(error).__name__}: {error}") from error
    return _flat(texts, labels)


def _shown(page: pypdfium2.PdfPage) -> str:
    text = page.get_textpage()
    if page.get_rotation():
        return str(text.get_text_range())
    left, bottom, right, top = page.get_cropbox()
    beyond = any(
        x1 <= left or x0 >= right or y1 <= bottom or y0 >= top
        for x0, y0, x1, y1 in map(text.get_charbox, range(text.count_chars()))
        if x1 > x0
    )
    return str(text.get_text_bounded() if beyond else text.get_text_range())


def pdftotext_layout(path: Path) -> ParsedView:
    """`pdftotext -layout`; it knows no labels. Refused as it says."""
    command = [_PDFTOTEXT, "-layout", "-enc", "UTF-8", str(path), "-"]
    done = subprocess.run(command, capture_output=True, timeout=_PDFTOTEXT_TIMEOUT_S, check=False)
    if done.returncode:
        raise Refused(done.stderr.decode(errors="replace").strip() or f"exit code {done.returncode}")
    return ParsedView(done.stdout.decode("utf-8", errors="replace").replace("\f", "\n"))


OTHERS: Mapping[str, Callable[[Path], ParsedView]] = {
    "pdfplumber": flat_pdfplumber,
    "pdftotext -layout": pdftotext_layout,
    "pypdfium2": flat_pypdfium2,
}


def installed() -> dict[str, str]:
    """The version of each other parser; empty where it is not installed."""
    return {
        "pdfplumber": version("pdfplumber"),
        "pdftotext -layout": _pdftotext_version(),
        "pypdfium2": version("pypdfium2"),
    }


def _pdftotext_version() -> str:
    if shutil.which(_PDFTOTEXT) is None:
        return ""
    said = subprocess.run([_PDFTOTEXT, "-v"], capture_output=True, text=True, check=False).stderr
    found = _RELEASE.search(said)
    return found[1] if found else "unknown"


def _flat(texts: list[str], labels: list[str]) -> ParsedView:
    pages = tuple(ParsedPage(number, label) for number, label in enumerate(labels, start=1))
    return ParsedView("\n".join(texts), pages=pages)
