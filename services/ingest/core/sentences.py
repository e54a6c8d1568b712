"""Where do sentences end?"""

import re

_END = re.compile(
    r"[.!?…]+[\"'”’»)\]]*(?=\s)"  # an end needs white space after it, so that 3.5 and e.g. a.b stay whole
    r"|[。！？｡]+[」』”’）]*"
    r"|\n[^\S\n]*(?=[-*•–]\s|\d{1,3}[.)]\s)"  # the next line opens a list item
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[])(?:[A-Z]|e\.g|i\.e|cf|vs|etc|approx|Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|Inc|Ltd|Co|Corp|No|Nos|Fig|Figs|Eq|"
    r"Sec|Art|Vol|pp?|ca|al|ed|eds|bzw|z\.B|d\.h|Nr|Abs|U\.S)\.$"
)
_LOOK_BACK = 12


def sentence_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentences of a span, trimmed, in order; together they hold everything that is not white space."""
    spans: list[tuple[int, int]] = []
    position = start
    for found in _END.finditer(text, start, end):
        cut = found.end()
        if found.group().startswith(".") and _goes_on(text, found.start(), cut, end):
            continue
        position = _append(spans, text, position, cut)
    _append(spans, text, position, end)
    return spans


def line_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The lines of a span that are not blank, trimmed at their end, in order."""
    spans: list[tuple[int, int]] = []
    position = start
    while position < end:
        newline = text.find("\n", position, end)
        newline = end if newline < 0 else newline
        _append(spans, text, position, newline)
        position = newline + 1
    return spans


def _goes_on(text: str, dot: int, cut: int, end: int) -> bool:
    """Whether the sentence goes on after its dot: an abbreviation, an initial, or a small letter next."""
    following = text[cut : min(cut + 8, end)].lstrip()
    if following and following[0].islower():
        return True
    return bool(_ABBREVIATION.search(text[max(0, dot - _LOOK_BACK) : dot + 1]))


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> int:
    part = text[start:end]
    left = len(part) - len(part.lstrip())
    right = len(part.rstrip())
    if left < right:
        spans.append((start + left, start + right))
    return end
