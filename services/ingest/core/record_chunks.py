"""How are chunks made that keep each session, entry or incident to itself?"""

from collections.abc import Iterator, Sequence

from services.ingest.core.chunk_draft import ChunkDraft, Drafter, Place
from services.ingest.core.document import CAPTION, FURNITURE, HEADING, TABLE, Block
from services.ingest.core.record_stretches import stretches
from services.ingest.core.structure_chunks import Span, block_units, chunks_of_blocks, packed

_Section = tuple[str, ...]


def record_chunks(drafter: Drafter, overlap_tokens: int) -> Iterator[ChunkDraft]:
    """Records packed by themselves, small sub-headings together; what lies between them by structure."""
    for stretch in stretches(drafter.parsed.text, drafter.parsed.blocks):
        if not stretch.is_record:
            yield from chunks_of_blocks(drafter, stretch.blocks)
            continue
        for run in _runs(stretch.blocks):
            if any(block.kind == TABLE for block in run):
                yield from packed(drafter, run)
            else:
                yield from _Packer(drafter, overlap_tokens).chunks(run)


def _runs(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Of one record: what shares a page, tables apart with the headings and caption that stand over them."""
    run: list[Block] = []
    kinds: set[str] = set()
    for index, block in enumerate(blocks):
        if run and (block.page_number != run[-1].page_number or block.kind == FURNITURE):
            yield run
            run, kinds = [], set()
        if block.kind == FURNITURE:
            continue
        if TABLE in kinds:
            ends = block.kind != CAPTION or CAPTION in kinds or _leads_to_table(blocks, index)
        else:
            ends = bool(run) and _leads_to_table(blocks, index) and not kinds <= {HEADING, CAPTION}
        if ends:
            yield run
            run, kinds = [], set()
        run.append(block)
        kinds.add(block.kind)
    if run:
        yield run


def _leads_to_table(blocks: Sequence[Block], index: int) -> bool:
    while index < len(blocks) and blocks[index].kind in (HEADING, CAPTION):
        index += 1
    return index < len(blocks) and blocks[index].kind == TABLE


class _Packer:
    """Fills chunks with whole parts (a sub-heading and what is under it), and cuts only a part too long."""

    def __init__(self, drafter: Drafter, overlap_tokens: int) -> None:
        self._drafter = drafter
        self._overlap_tokens = overlap_tokens

    def chunks(self, run: Sequence[Block]) -> Iterator[ChunkDraft]:
        held: Span | None = None
        section: _Section = ()
        for part in _parts(run):
            span, own = (part[0].start, part[-1].end), part[-1].section
            if held and self._fits(held[0], span[1], max(section, own, key=len)):
                held, section = (held[0], span[1]), _common(section, own)
                continue
            if held:
                yield from self._draft(held, section, run)
            held, section = span, own
            if not self._fits(*span, own):
                *cut, (held, section) = self._cut(part)
                for piece, of in cut:
                    yield from self._draft(piece, of, run)
        if held:
            yield from self._draft(held, section, run)

    def _fits(self, start: int, end: int, section: _Section) -> bool:
        return self._drafter.tokens.count(start, end) <= self._drafter.budget(Place(section, None))

    def _draft(self, span: Span, section: _Section, run: Sequence[Block]) -> Iterator[ChunkDraft]:
        return self._drafter.draft(*span, Place(section, run[0].page_number))

    def _cut(self, part: Sequence[Block]) -> list[tuple[Span, _Section]]:
        """The pieces of a part that is too long: whole blocks, or sentences of one, those with an overlap."""
        section = part[-1].section
        budget = self._drafter.budget(Place(section, None))
        pieces: list[Span] = []
        held: Span | None = None
        inside: list[Span] = []  # what of the block at hand stands in the piece at hand
        for block in part:
            inside = []
            for unit in block_units(self._drafter, block, budget):
                if held and self._drafter.tokens.count(held[0], unit[1]) <= budget:
                    held = (held[0], unit[1])
                else:
                    start = unit[0]
                    if held:
                        pieces.append(held)
                        start = self._overlap_start(inside, unit, budget)
                    held, inside = (start, unit[1]), []
                inside.append(unit)
        assert held is not None
        return [(piece, section) for piece in (*pieces, held)]

    def _overlap_start(self, inside: Sequence[Span], unit: Span, budget: int) -> int:
        """Where a piece begins that goes on inside a block: some sentences back, if that leaves room."""
        start = unit[0]
        for earlier in reversed(inside[1:]):  # never all of it: each piece begins later than the last
            tokens = self._drafter.tokens.count
            if tokens(earlier[0], unit[0]) > self._overlap_tokens or tokens(earlier[0], unit[1]) > budget:
                break
            start = earlier[0]
        return start


def _parts(run: Sequence[Block]) -> Iterator[list[Block]]:
    """A heading, or several in a row, with what is under it."""
    part: list[Block] = []
    for block in run:
        if block.kind == HEADING and part and part[-1].kind != HEADING:
            yield part
            part = []
        part.append(block)
    if part:
        yield part


def _common(left: _Section, right: _Section) -> _Section:
    shared = [a for a, b in zip(left, right, strict=False) if a == b]
    return left[: len(shared)] if tuple(shared) == left[: len(shared)] else ()
