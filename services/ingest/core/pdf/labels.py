"""Which number is printed on a page, and does the file call the page by another?"""

from collections import Counter
from collections.abc import Sequence

from services.ingest.core.document import Page
from services.ingest.core.pdf.margins import Margins, PrintedNumber, printed_numbers
from services.ingest.core.pdf.words import PageWords

_REACH = 4  # pages around one among which its number must count along
_NEEDED = 3
_YEARS = range(1900, 2101)
_NEEDED_FOR_YEARS = 5
_MIN_SHARE = 0.5
_SHOWN = 3

Count = tuple[str, str, int]


def page_labels(pages: Sequence[PageWords], printed: Sequence[str]) -> list[str]:
    """One label a page: the file's own, else the printed one, else the page's number."""
    return [page.label or label or str(page.number) for page, label in zip(pages, printed, strict=True)]


def printed_labels(pages: Sequence[PageWords], margins: Sequence[Margins]) -> list[str]:
    """The number printed on each page, empty where there is none: it counts along with its neighbours'."""
    found = [list(printed_numbers([*top, *bottom])) for top, bottom in margins]
    if len(pages) == 1:
        return [_only(found[0])]
    numbers = [page.number for page in pages]
    counts = [
        {number.count(at): number for number in reversed(some)}
        for at, some in zip(numbers, found, strict=True)
    ]
    everywhere = Counter(count for some in counts for count in some)
    chosen: list[PrintedNumber | None] = []
    for index, some in enumerate(counts):
        near = Counter(count for others in _around(counts, index) for count in others)
        trusted = [count for count, number in some.items() if near[count] >= _needed(number, len(pages))]
        best = max(trusted, key=lambda count: (near[count], everywhere[count], count), default=None)
        chosen.append(some[best] if best else None)
    _add_short_runs(chosen, counts)
    if sum(number is not None for number in chosen) < _MIN_SHARE * len(pages):
        return [number.text if number and number.named else "" for number in chosen]
    return [number.text if number else "" for number in chosen]


def disagreements(pages: Sequence[Page]) -> str:
    """A sentence on the pages that the file calls by another number than is printed, empty for none."""
    differing = [p for p in pages if p.printed_label and p.printed_label.lower() != p.label.lower()]
    if not differing:
        return ""
    shown = [
        f"page {page.number} “{page.label}”, the page itself says “{page.printed_label}”"
        for page in differing[:_SHOWN]
    ]
    more = len(differing) - len(shown)
    rest = f"; {more} more differ" if more else ""
    return f"The file calls {'; '.join(shown)}{rest}. The file's own labels are shown."


def _only(numbers: Sequence[PrintedNumber]) -> str:
    """The number of a page that has no neighbours: one that is said to be a page's, or stands alone."""
    for number in numbers:
        if number.named:
            return number.text
    alone = [number for number in numbers if number.alone and number.value not in _YEARS]
    return alone[-1].text if alone else ""


def _around(counts: Sequence[dict[Count, PrintedNumber]], index: int) -> Sequence[dict[Count, PrintedNumber]]:
    return counts[max(index - _REACH, 0) : index + _REACH + 1]


def _needed(number: PrintedNumber, pages: int) -> int:
    if number.value in _YEARS and not number.prefix and not number.named:
        return _NEEDED_FOR_YEARS
    return min(_NEEDED, pages)


def _add_short_runs(chosen: list[PrintedNumber | None], counts: Sequence[dict[Count, PrintedNumber]]) -> None:
    """Chapters and front matter of one or two pages, beside pages whose numbers are known by now."""
    shapes = {(bool(number.prefix), number.numerals) for number in chosen if number}
    for index, some in enumerate(counts):
        if chosen[index] is not None or not shapes:
            continue
        for number in some.values():
            starts = number.value <= 2 and index < len(counts) - 1
            known = (bool(number.prefix), number.numerals) in shapes and bool(number.prefix)
            front = number.numerals == "roman" and number.alone and number.value == index + 1
            if (starts and known) or front:
                chosen[index] = number
                break
