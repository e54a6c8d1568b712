"""Which names of people, places and things does a text hold, told by how they are written?"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from services.ingest.core.sentences import sentence_spans
from shared.codes import Code

MIN_SINGLE_MENTIONS = 2
# Where so many words within sentences have a capital and no neighbour with one, as German nouns do, a capital
# names nothing.
MAX_LONE_SHARE = 0.12
MIN_WORDS_FOR_SHARE = 50

Match = re.Match[str]
Run = tuple[str, ...]

_WORD = re.compile(r"[^\W\d_]+(?:['’-](?!s\b)[^\W\d_]+)*")
_PARTICLE = re.compile("of|the|and|des?|du|della?|d[ia]|van|von|de[rn]|für|und|l[ae]|les|y|et|af|av|og")
_AND = re.compile("and|und|et|y|og|en")
# What may open a sentence with its capital and is no part of a name.
_OPENER = re.compile(
    "the|an?|this|that|these|those|in|on|at|by|for|from|with|if|when|while|after|before|since|as|and|but|or|its?"
    "|he|she|they|we|you|i|there|here|each|every|all|no|not|to|of|see|der|die|das|eine?|le|la|les|une?|el|los"
    "|las|il|lo|gli|de|het|een|en|den|det|et",
    re.IGNORECASE,
)
# Capitalised in English, and no names.
_CALENDAR = re.compile(
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    "|tables?|figures?|section|chapter|appendix|page|note|part|article|step",
    re.IGNORECASE,
)
_TITLE = re.compile("dr|mrs?|ms|prof|sir|st|capt", re.IGNORECASE)
_SHORT = re.compile(r"\s*\((?:the\s+)?([\"“„'‘]?)([A-Z][\w&.-]{1,11})[\"”’']?\)")


@dataclass(frozen=True, slots=True)
class Name:
    """A name, and what else it is called."""

    name: str
    aliases: tuple[str, ...] = ()


@dataclass(slots=True)
class _Seen:
    """What was counted of a text's capitals."""

    runs: Counter[Run] = field(default_factory=Counter)
    singles: Counter[str] = field(default_factory=Counter)
    small: set[str] = field(default_factory=set)
    shorts: defaultdict[Run, set[str]] = field(default_factory=lambda: defaultdict(set))
    words: int = 0
    lone: int = 0


def names_in(text: str, spans: Iterable[tuple[int, int]], codes: Iterable[Code]) -> list[Name]:
    """The names in the prose of the given spans, sorted: two capitalised words or more, or one that comes
    again within sentences and is never written small. None where most nouns are capitalised. No word of the
    text's codes is part of a name."""
    seen = _Seen()
    text = _without(text, codes)
    for span in spans:
        for start, end in sentence_spans(text, *span):
            _see(text, list(_WORD.finditer(text, start, end)), seen)
    if seen.words >= MIN_WORDS_FOR_SHARE and seen.lone > MAX_LONE_SHARE * seen.words:
        return []
    seen.runs = _parted(seen)
    return sorted([*_long_names(seen), *_single_names(seen)], key=lambda name: name.name)


def _without(text: str, codes: Iterable[Code]) -> str:
    """The text with something else in the place of every code, as long as it was."""
    parts: list[str] = []
    position = 0
    for code in codes:
        parts += (text[position : code.start], "#" * (code.end - code.start))
        position = code.end
    return "".join((*parts, text[position:]))


def _see(text: str, words: list[Match], seen: _Seen) -> None:
    seen.small.update(word.group() for word in words if word.group().islower())
    seen.words += len(words[1:])
    for run in _runs(text, words):
        opens = run[0] is words[0]
        kept = _without_edges(run)
        name = tuple(word.group() for word in kept)
        if len(name) > 1:
            seen.runs[name] += 1
            short = _short_for(text, kept)
            if short:
                seen.shorts[name].add(short)
        elif name and not (opens and len(run) == 1):
            seen.singles[name[0]] += 1
            seen.lone += 1


def _runs(text: str, words: list[Match]) -> Iterator[list[Match]]:
    """Capitalised words side by side, with the particles between them."""
    run: list[Match] = []
    for index, word in enumerate(words):
        joined = bool(run) and _joins(text, run[-1], word)
        capital = word.group()[0].isupper() and not _CALENDAR.fullmatch(word.group())
        particle = _PARTICLE.fullmatch(word.group()) and _capital_follows(words, index)
        if (joined and (capital or particle)) or (capital and not run):
            run.append(word)
            continue
        if run:
            yield run
        run = [word] if capital else []
    if run:
        yield run


def _joins(text: str, left: Match, right: Match) -> bool:
    """One space or line end between the two, or the dot of an initial or a title."""
    between = text[left.end() : right.start()]
    dotted = len(left.group()) == 1 or _TITLE.fullmatch(left.group())
    return between in (" ", "\n", " & ") or (between == ". " and bool(dotted))


def _capital_follows(words: list[Match], index: int) -> bool:
    """Within the next two words, with nothing but particles between."""
    for word in words[index + 1 : index + 3]:
        if word.group()[0].isupper():
            return not _CALENDAR.fullmatch(word.group())
        if not _PARTICLE.fullmatch(word.group()):
            return False
    return False


def _without_edges(run: list[Match]) -> list[Match]:
    first, last = 0, len(run)
    while first < last and _OPENER.fullmatch(run[first].group()):
        first += 1
    while first < last and _PARTICLE.fullmatch(run[last - 1].group()):
        last -= 1
    return run[first:last]


def _short_for(text: str, run: list[Match]) -> str | None:
    """`Norrholm Port and Water Board (NPWB)`: the initials, or a short form in quotation marks."""
    found = _SHORT.match(text, run[-1].end())
    if found is None:
        return None
    initials = "".join(word.group()[0] for word in run if word.group()[0].isupper())
    return found.group(2) if found.group(1) or found.group(2).upper() == initials else None


def _parted(seen: _Seen) -> Counter[Run]:
    """`Hanne Brekke and Yusuf Demirel` as two names, unless it comes again or has a short form of its own."""
    kept: Counter[Run] = Counter()
    for run, count in seen.runs.items():
        middle = next((index for index, word in enumerate(run) if _AND.fullmatch(word)), 0)
        if not middle or count > 1 or run in seen.shorts:
            kept[run] += count
            continue
        for half in (run[:middle], run[middle + 1 :]):
            while half and not half[0][0].isupper():
                half = half[1:]
            if len(half) > 1:
                kept[half] += count
            else:
                seen.singles.update(half)
    return kept


def _long_names(seen: _Seen) -> Iterator[Name]:
    """A person's last word alone names them too, if it is nobody else's and no word of the language."""
    last_words = Counter(run[-1] for run in seen.runs)
    for run in seen.runs:
        aliases, last = set(seen.shorts.get(run, ())), run[-1]
        alone = len(run) == 2 and last_words[last] == 1 and seen.singles[last] > 0
        if alone and len(last) > 2 and last.lower() not in seen.small:
            aliases.add(last)
        yield Name(" ".join(run), tuple(sorted(aliases)))


def _single_names(seen: _Seen) -> Iterator[Name]:
    taken = {run[-1] for run in seen.runs} | {short for found in seen.shorts.values() for short in found}
    for word, count in seen.singles.items():
        if count < MIN_SINGLE_MENTIONS or len(word) < 3 or word in taken or word.lower() in seen.small:
            continue
        yield Name(word)
