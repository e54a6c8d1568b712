"""How are chunks made that respect headings, pages, tables, list items and sentences?"""

from collections.abc import Iterator, Sequence

from services.ingest.core.chunk_draft import PREFIX_SHARE, ChunkDraft, Drafter, Place
from services.ingest.core.document import CAPTION, CODE, FURNITURE, HEADING, LIST_ITEM, TABLE, Block
from services.ingest.core.sentences import line_spans, sentence_spans

Span = tuple[int, int]


def structure_chunks(drafter: Drafter) -> Iterator[ChunkDraft]:
    """Runs of blocks that belong together, each packed into as few chunks as its budget allows."""
    yield from chunks_of_blocks(drafter, drafter.parsed.blocks)


def chunks_of_blocks(drafter: Drafter, blocks: Sequence[Block]) -> Iterator[ChunkDraft]:
    """The same for some blocks of the document, in order."""
    for run in runs(blocks):
        yield from packed(drafter, run)


def runs(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Blocks that may share a chunk: one page, one section, prose or one table, headings in front.

    Headings without anything of their own stay in front of what follows them on their page.
    """
    run: list[Block] = []
    kinds: set[str] = set()  # of the run's blocks: it may have as many as the document
    for index, block in enumerate(blocks):
        following = blocks[index + 1] if index + 1 < len(blocks) else None
        if run and (block.page_number != run[-1].page_number or _begins_anew(kinds, block, following)):
            yield run
            run, kinds = [], set()
        if block.kind != FURNITURE:
            run.append(block)
            kinds.add(block.kind)
    if run:
        yield run


def _begins_anew(kinds: set[str], block: Block, following: Block | None) -> bool:
    if block.kind == FURNITURE:
        return True
    if kinds == {HEADING}:
        return False
    above_a_table = following is not None and following.kind == TABLE
    if TABLE in kinds:  # only its own caption may follow a table
        return block.kind != CAPTION or CAPTION in kinds or above_a_table
    if block.kind == HEADING:
        return True
    if block.kind == TABLE:  # only headings and its own caption may stand above a table
        return not kinds <= {HEADING, CAPTION}
    return block.kind == CAPTION and above_a_table


def packed(drafter: Drafter, run: list[Block]) -> Iterator[ChunkDraft]:
    heads = [block for block in run if block.kind == HEADING]
    body = run[len(heads) :]
    place = Place(run[-1].section, run[-1].page_number)
    if not body:
        yield from pack(drafter, [(block.start, block.end) for block in heads], place, repeat=None)
        return
    lead = (heads[0].start, heads[-1].end) if heads else None
    if any(block.kind == TABLE for block in body):
        yield from _packed_table(drafter, lead, body, place)
        return
    units = list(_units(drafter, lead, body, drafter.budget(place)))
    yield from pack(drafter, units, place, repeat=None)


def _packed_table(
    drafter: Drafter, lead: Span | None, body: list[Block], place: Place
) -> Iterator[ChunkDraft]:
    """By whole rows; a chunk without the column names repeats them in its prefix, if they are short."""
    text = drafter.parsed.text
    at = next(index for index, block in enumerate(body) if block.kind == TABLE)
    table, below = body[at], [(block.start, block.end) for block in body[at + 1 :]]
    rows = line_spans(text, table.start, table.end)
    units = [*([lead] if lead else []), *((block.start, block.end) for block in body[:at])]
    repeat = None
    if 0 < table.header_lines < len(rows):
        head = (rows[0][0], rows[table.header_lines - 1][1])
        if drafter.tokens.count(*head) <= drafter.max_tokens // PREFIX_SHARE:
            repeat = Place(place.section, place.page_number, text[head[0] : head[1]])
            units = [(units[0][0] if units else head[0], rows[table.header_lines][1])]
            rows = rows[table.header_lines + 1 :]
    else:
        header = drafter.headers.get(table.start)
        if header and drafter.tokens.count(*header) <= drafter.max_tokens // PREFIX_SHARE:
            place = repeat = Place(place.section, place.page_number, text[header[0] : header[1]])
    yield from pack(drafter, [*units, *rows, *below], place, repeat=repeat)


def pack(
    drafter: Drafter, units: Sequence[Span], place: Place, *, repeat: Place | None
) -> Iterator[ChunkDraft]:
    """Greedily: a unit joins the chunk before it while it fits; one that fits no chunk is cut between words.

    From the second chunk on, `repeat` is the place: it carries a table's column names.
    """
    current: Span | None = None
    budget = min(drafter.budget(place), drafter.budget(repeat) if repeat else drafter.max_tokens)
    for unit in units:
        if current and drafter.tokens.count(current[0], unit[1]) <= budget:
            current = (current[0], unit[1])
            continue
        if current:
            yield from drafter.draft(*current, place)
            place = repeat or place
        *whole, current = cut(drafter, unit, budget)
        for part in whole:
            yield from drafter.draft(*part, place)
            place = repeat or place
    if current:
        yield from drafter.draft(*current, place)


def _units(drafter: Drafter, lead: Span | None, body: Sequence[Block], budget: int) -> Iterator[Span]:
    """What is packed: whole blocks, or the sentences of a long one; headings joined to the first."""
    room = budget
    if lead:
        room = budget - drafter.tokens.count(*lead)
        if room < budget // PREFIX_SHARE:  # endless headings: they stand alone
            yield lead
            lead, room = None, budget
    for block in body:
        spans = list(block_units(drafter, block, room if lead else budget))
        if lead and spans:
            spans[0] = (lead[0], spans[0][1])
            lead = None
        yield from spans


def block_units(drafter: Drafter, block: Block, room: int) -> Iterator[Span]:
    if drafter.tokens.count(block.start, block.end) <= room:
        yield block.start, block.end
        return
    text = drafter.parsed.text
    finer = line_spans if block.kind in (CODE, TABLE) else sentence_spans
    spans = finer(text, block.start, block.end)
    if len(spans) == 1 and block.kind != LIST_ITEM:
        spans = line_spans(text, block.start, block.end)
    for span in spans:
        yield from cut(drafter, span, room)


def cut(drafter: Drafter, span: Span, room: int) -> list[Span]:
    """The span, or pieces of at most `room` tokens, cut between words, inside one only if it is huge."""
    pieces: list[Span] = []
    start, end = span
    while drafter.tokens.count(start, end) > room:
        end_of_room = max(drafter.tokens.end_after(start, room), start + 1)
        edge = drafter.tokens.word_end(start, end_of_room)
        pieces.append((start, edge))
        start = edge
    return [*pieces, (start, end)]
