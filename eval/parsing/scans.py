"""How much of a page is lost when only its picture is left? PDFs as scans of themselves, and error rates."""

import io
from dataclasses import dataclass

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

_POINTS_PER_INCH = 72
_PAPER, _INK = 0.93, 0.10  # how bright a worn scan's white and black are, of 0..1


@dataclass(frozen=True, slots=True)
class Scan:
    """How a page is scanned: in grey, as JPEG; `worn` paper and ink are greyer.

    `tilt_degrees` turns the page clockwise, `blur_pixels` is the radius of a Gaussian, `noise` the deviation
    of one, of 0..255.
    """

    dpi: int = 200
    jpeg_quality: int = 75
    tilt_degrees: float = 0.0
    blur_pixels: float = 0.0
    noise: float = 0.0
    worn: bool = False


CLEAN = Scan()
WORN = Scan(tilt_degrees=0.5, blur_pixels=0.7, noise=6.0, worn=True)


def scanned(pdf: bytes, scan: Scan) -> bytes:
    """The PDF with a picture in the place of each page; equal arguments give equal bytes."""
    target = io.BytesIO()
    canvas = Canvas(target, invariant=True)
    with pypdfium2.PdfDocument(pdf) as document:
        for number in range(len(document)):
            page = document[number]
            width, height = page.get_size()
            picture = page.render(scale=scan.dpi / _POINTS_PER_INCH, grayscale=True).to_pil().convert("L")
            canvas.setPageSize((width, height))
            canvas.drawImage(_as_jpeg(picture, scan, seed=number), 0, 0, width, height)
            canvas.showPage()
    canvas.save()
    return target.getvalue()


def character_errors(reference: str, found: str) -> int:
    """How many characters to insert, delete or replace (Levenshtein 1966), white space as single spaces."""
    left, right = _codes(reference), _codes(found)
    places = np.arange(len(right) + 1)
    row = places
    for index, code in enumerate(left, start=1):
        fresh = np.empty_like(row)
        fresh[0] = index
        fresh[1:] = np.minimum(row[1:] + 1, row[:-1] + (right != code))
        row = np.minimum.accumulate(fresh - places) + places
    return int(row[-1])


def character_error_rate(reference: str, found: str) -> float:
    """Errors by the length of the reference, white space as single spaces. ValueError if it is blank."""
    length = length_of(reference)
    if not length:
        raise ValueError("a blank reference has no error rate")
    return character_errors(reference, found) / length


def length_of(text: str) -> int:
    """Characters, white space as single spaces."""
    return len(_codes(text))


def _codes(text: str) -> NDArray[np.int64]:
    return np.array([ord(character) for character in " ".join(text.split())], dtype=np.int64)


def _as_jpeg(picture: Image.Image, scan: Scan, *, seed: int) -> ImageReader:
    if scan.tilt_degrees:
        picture = picture.rotate(-scan.tilt_degrees, resample=Image.Resampling.BICUBIC, fillcolor=255)
    if scan.blur_pixels:
        picture = picture.filter(ImageFilter.GaussianBlur(scan.blur_pixels))
    values = np.asarray(picture, dtype=np.float64)
    if scan.worn:
        values = 255 * _INK + values * (_PAPER - _INK)
    if scan.noise:
        values = values + np.random.default_rng(seed).normal(0, scan.noise, values.shape)
    packed = io.BytesIO()
    Image.fromarray(np.clip(values, 0, 255).astype(np.uint8)).save(packed, "JPEG", quality=scan.jpeg_quality)
    packed.seek(0)
    return ImageReader(packed)
