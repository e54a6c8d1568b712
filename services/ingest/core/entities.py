"""Which entities does a document speak of, and which of its chunks define or mention each?"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from services.ingest.core.chunk_draft import ChunkDraft
from services.ingest.core.document import CODE, FURNITURE, HEADING, TABLE, Block, ParsedDocument
from services.ingest.core.names import names_in
from shared.codes import Code, codes_in, key_of

TITLE, NAME, IDENTIFIER, GIVEN = "title", "name", "code", "given"
MAX_ENTITIES = 500  # of a document, those mentioned most
MAX_IN_CHUNK = 64
_DEFINING = re.compile(r"\s*(?:[:;=–—|\n]|\s-\s|(?:is|are|means|denotes|stands for|ist|bedeutet|désigne)\b)")
_LIST_MARK = re.compile(r"(?:[^\S\n]|[\-*•#>|])*(?:\(?\w{1,3}[.)][^\S\n]+)?")
_COLUMN = re.compile(r"[^:;|\n]{1,60}: ")
_NAMED_CELL = re.compile(r"(?:^|; |(?<=\n))([^:;|\n]{1,60}): ", re.MULTILINE)
_WORD_START = re.compile(r"\b\w+")


@dataclass(frozen=True, slots=True)
class Given:
    """An entity that people named."""

    name: str
    kind: str = GIVEN
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entity:
    """What a document speaks of. `mentions` counts every place, by whichever name."""

    name: str
    kind: str
    aliases: tuple[str, ...]
    mentions: int


@dataclass(frozen=True, slots=True)
class ChunkEntities:
    """Names of entities that a chunk defines, and of those that it only mentions; sorted."""

    defines: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    start: int
    end: int
    name: str


def entities_of(
    parsed: ParsedDocument, drafts: Sequence[ChunkDraft], given: Sequence[Given] = ()
) -> tuple[tuple[Entity, ...], tuple[ChunkEntities, ...]]:
    """The entities, most mentioned first, and for each chunk what it defines and mentions.

    Found without a model: the title, names by their capitals, codes by their looks, and whatever is given.
    """
    text = _without_furniture(parsed)
    codes = list(codes_in(text))
    known = _known(parsed, given, codes)
    kinds = {entity.name: entity for entity in known}
    places = _places(text, known, {entity.name for entity in given})
    columns = _column_names(parsed)
    for code in _codes(text, codes):
        if code.start in columns:
            continue
        kinds.setdefault(code.name, Given(code.name, IDENTIFIER))
        places.append(code)
    counts = Counter(place.name for place in places)
    ranked = sorted(counts, key=lambda name: (-counts[name], name))[:MAX_ENTITIES]
    entities = tuple(Entity(name, kinds[name].kind, kinds[name].aliases, counts[name]) for name in ranked)
    kept = set(ranked)
    places = sorted(
        (p for p in places if p.name in kept), key=lambda place: (place.start, place.end, place.name)
    )
    return entities, tuple(_by_chunk(parsed, drafts, places))


def _without_furniture(parsed: ParsedDocument) -> str:
    """The text, as long as it is, with blanks for what stands on page after page: no chunk speaks of it."""
    parts: list[str] = []
    position = 0
    for block in parsed.blocks:
        if block.kind == FURNITURE:
            parts += (parsed.text[position : block.start], " " * (block.end - block.start))
            position = block.end
    return "".join((*parts, parsed.text[position:]))


def _known(parsed: ParsedDocument, given: Sequence[Given], codes: Sequence[Code]) -> list[Given]:
    """Given ones first, then the title and the names; a name that is taken is not said twice."""
    prose = [(b.start, b.end) for b in parsed.blocks if b.kind not in (CODE, FURNITURE, HEADING, TABLE)]
    found = [
        *given,
        Given(parsed.title, TITLE),
        *(Given(name.name, NAME, name.aliases) for name in names_in(parsed.text, prose, codes)),
    ]
    taken: set[str] = set()
    known: list[Given] = []
    for entity in found:
        if entity.name and entity.name.casefold() not in taken:
            taken |= {entity.name.casefold(), *(alias.casefold() for alias in entity.aliases)}
            known.append(entity)
    return known


def _places(text: str, known: Sequence[Given], given: Set[str]) -> list[_Place]:
    """Where each is named, the longest name first; given ones, whatever they are, and titles in any case."""
    forms: defaultdict[str, list[tuple[str, str, bool]]] = defaultdict(list)
    for entity in known:
        exact = entity.kind == NAME and entity.name not in given
        for form in (entity.name, *entity.aliases):
            first = _WORD_START.search(form)
            if first:
                forms[first.group().casefold()].append((form[first.start() :], entity.name, exact))
    by_length = {first: _by_length(found) for first, found in forms.items()}
    places: list[_Place] = []
    position = 0
    for word in _WORD_START.finditer(text):
        if word.start() < position:
            continue
        for length, names in by_length.get(word.group().casefold(), ()):
            end = word.start() + length
            here = text[word.start() : end]
            name = names.get((here, True)) or names.get((here.casefold(), False))
            if name and not (end < len(text) and (text[end].isalnum() or text[end] == "_")):
                places.append(_Place(word.start(), end, name))
                position = end
                break
    return places


def _by_length(forms: list[tuple[str, str, bool]]) -> list[tuple[int, dict[tuple[str, bool], str]]]:
    """Names by form, those to be met in any case by their folded form, the longest first: one look-up for
    each length, however many begin with the same word."""
    found: defaultdict[int, dict[tuple[str, bool], str]] = defaultdict(dict)
    for form, name, exact in sorted(forms):
        found[len(form)].setdefault((form if exact else form.casefold(), exact), name)
    return sorted(found.items(), reverse=True)


def _codes(text: str, found: Sequence[Code]) -> Iterator[_Place]:
    """The identifiers, each under the spelling that it has most often."""
    spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for code in found:
        spellings[code.key][text[code.start : code.end]] += 1
    written = {key: min(forms, key=lambda form: (-forms[form], form)) for key, forms in spellings.items()}
    for code in found:
        yield _Place(code.start, code.end, written[code.key])


def _column_names(parsed: ParsedDocument) -> set[int]:
    """Where rows written as `name: value; name: value` name a column."""
    return {
        found.start(1)
        for block in parsed.blocks
        if block.kind == TABLE
        for found in _NAMED_CELL.finditer(parsed.text, block.start, block.end)
    }


def _by_chunk(
    parsed: ParsedDocument, drafts: Sequence[ChunkDraft], places: Sequence[_Place]
) -> Iterator[ChunkEntities]:
    starts = _line_starts(parsed)
    begins = [place.start for place in places]
    names = {name: key_of(name) for name in sorted({place.name for place in places} - {parsed.title})}
    opened: set[tuple[str, ...]] = set()
    for draft in drafts:
        within = [
            place
            for place in places[bisect_left(begins, draft.start) : bisect_left(begins, draft.end)]
            if place.end <= draft.end
        ]
        defined = {place.name for place in within if _defines(parsed.text, place, starts)}
        if draft.section not in opened:
            opened.add(draft.section)
            defined |= _named_by(draft.section[-1:], names)
        mentioned = {place.name for place in within} - defined
        yield ChunkEntities(tuple(sorted(defined))[:MAX_IN_CHUNK], tuple(sorted(mentioned))[:MAX_IN_CHUNK])


def _line_starts(parsed: ParsedDocument) -> set[int]:
    """Where a block or a table's row has its first word, past the mark of a list or heading."""
    starts: set[int] = set()
    for block in parsed.blocks:
        if block.kind == FURNITURE:
            continue
        for start in _first_words(parsed.text, block):
            starts.add(start)
    return starts


def _first_words(text: str, block: Block) -> Iterable[int]:
    position = block.start
    while position < block.end:
        mark = _LIST_MARK.match(text, position, block.end)
        first = mark.end() if mark else position
        yield first
        column = _COLUMN.match(text, first, block.end) if block.kind == TABLE else None
        if column:
            yield column.end()
        newline = text.find("\n", position, block.end)
        if newline < 0 or block.kind not in (TABLE, CODE):
            return
        position = newline + 1


def _defines(text: str, place: _Place, starts: set[int]) -> bool:
    """At the beginning of a block or row, and then a mark or word that says what it is."""
    return place.start in starts and _DEFINING.match(text, place.end) is not None


def _named_by(heading: Sequence[str], names: Mapping[str, str]) -> set[str]:
    """The entities in a section's own heading, of names and their keys; its first chunk defines them."""
    keys = {code.key for words in heading for code in codes_in(words)}
    whole = "\n".join(heading)
    return {name for name, key in names.items() if key in keys or name in whole}
