"""Is a PDF that several processes read the one that a single process reads, and what does a bad page cost?"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from services.ingest.core.chunking import ChunkingConfig
from services.ingest.core.formats.limits import Limits
from services.ingest.page_files import ReadPages, pages_of
from services.ingest.parsing import CHUNK, PDF, Long, ParseRequest, parse_file
from services.ingest.records import ParsedVersion, Plan
from services.ingest.sandbox import Lost, OutOfTime, Sandbox
from services.ingest.slicing import MAX_LOST_PAGES, SliceOptions, Slicer
from shared.errors import InvalidDocument, TooLarge
from tests.unit.ingest.drawing import Sheet, pdf, prose

MIB = 1024 * 1024
OPTIONS = SliceOptions(slots=2, whole_pages=3, timeout_s=60.0)
PAGES = 17


def long_pdf(pages: int) -> bytes:
    """Pages with running headers, numbers, headings, a table now and then, and words cut at line ends."""
    sheets = []
    for number in range(1, pages + 1):
        sheet = Sheet()
        sheet.write(50, 30, "Harbour almanac")
        sheet.write(290, 780, str(number))
        sheet.write(50, 80, f"Chapter {number}", size=16, bold=True)
        sheet.column(50, 110, [*prose(12, mark=f"p{number}"), "the tide is high-", "water at noon"])
        if number % 4 == 0:
            for row in range(5):
                for cell in range(4):
                    sheet.write(60 + 110 * cell, 400 + 14 * row, f"{number}{row}{cell}")
        sheets.append(sheet)
    return pdf(*sheets)


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    opened = Sandbox(2, 600 * MIB, ("services.ingest.parsing",))
    yield opened
    await asyncio.to_thread(opened.close)


def request_for(folder: Path, data: bytes, tokenizer: Any, **changes: Any) -> ParseRequest:
    path = folder / "original"
    path.write_bytes(data)
    request = ParseRequest(
        path=path,
        name="almanac.pdf",
        media_type=PDF,
        document_id="doc_1",
        workspace="default",
        sha256="a" * 64,
        chunking=ChunkingConfig(),
        plan=Plan("c" * 64, b"", ()),
        tokenizer=tokenizer.path,
        limits=Limits(max_pages=100),
        work=folder,
        whole_pages=OPTIONS.whole_pages,
        max_attached_bytes=MIB,
    )
    return replace(request, **changes)


def whole(request: ParseRequest) -> ParsedVersion:
    parsed = parse_file(replace(request, whole_pages=1000), lambda stage, progress: None)
    assert isinstance(parsed, ParsedVersion)
    return parsed


def folder_of(request: ParseRequest) -> list[Path]:
    return sorted(path for path in request.work.iterdir() if path.is_file())


class Dying:
    """A sandbox in this process, in which some pages take their process down."""

    def __init__(
        self, *, always: tuple[int, ...] = (), once: tuple[int, ...] = (), slow: bool = False
    ) -> None:
        self.always, self.once = always, list(once)
        self.error = OutOfTime("Reading takes too long.") if slow else Lost("The reader crashes.")
        self.deaths = 0

    async def attempt(self, target: Any, *arguments: Any, on_stage: Any, **options: Any) -> Any:
        pages = next((a for a in arguments if isinstance(a, ReadPages)), None)

        def report(stage: str, progress: float) -> None:
            on_stage(stage, progress)
            if pages is not None and (progress in self.always or progress in self.once):
                self.deaths += 1
                if progress in self.once:
                    self.once.remove(int(progress))
                raise self.error

        return target(*arguments, report)

    run = attempt


async def parse_with(sandbox: Any, request: ParseRequest, told: list[tuple[str, float]]) -> ParsedVersion:
    slicer = Slicer(sandbox, request.work / "work", OPTIONS)

    def progress(stage: str, share: float) -> None:
        told.append((stage, share))

    parsed = await slicer.parse_long(request, PAGES, progress, lambda: True)
    assert isinstance(parsed, ParsedVersion)
    return parsed


async def test_slices_make_exactly_what_one_process_makes(
    sandbox: Sandbox, tmp_path: Path, tokenizer: Any
) -> None:
    request = request_for(tmp_path, long_pdf(PAGES), tokenizer)
    told: list[tuple[str, float]] = []
    assert await Slicer(sandbox, tmp_path / "work", OPTIONS).parse(
        request, lambda *_: None, lambda: True
    ) == Long(PAGES)
    assert await parse_with(sandbox, request, told) == whole(request)
    shares = [share for stage, share in told if stage == "parse"]
    assert shares == sorted(shares)
    assert len(set(shares)) > PAGES / 2
    assert shares[-1] == 1.0
    assert told[-1] == (CHUNK, 0.0)


async def test_short_file_is_read_in_one_piece(sandbox: Sandbox, tmp_path: Path, tokenizer: Any) -> None:
    request = request_for(tmp_path, long_pdf(OPTIONS.whole_pages), tokenizer)
    told: list[tuple[str, float]] = []

    def progress(stage: str, share: float) -> None:
        told.append((stage, share))

    assert await Slicer(sandbox, tmp_path / "work", OPTIONS).parse(request, progress, lambda: True) == whole(
        request
    )
    assert told == [("parse", 0.0), ("parse", 1 / 3), ("parse", 2 / 3), (CHUNK, 0.0)]


@pytest.mark.parametrize("slow", [False, True])
async def test_page_that_kills_its_process_costs_only_itself(
    tmp_path: Path, tokenizer: Any, slow: bool
) -> None:
    request = request_for(tmp_path, long_pdf(PAGES), tokenizer)
    sandbox = Dying(always=(5, 6, 17), slow=slow)
    parsed = await parse_with(sandbox, request, [])
    assert sandbox.deaths == (3 if slow else 6)
    assert "Pages that could not be read: 5, 6, 17." in parsed.warnings
    text = b"".join(parsed.text_parts).decode()
    kept = [number for number in range(1, PAGES + 1) if f"Chapter {number}\n" in text]
    assert kept == [number for number in range(1, PAGES + 1) if number not in (5, 6, 17)]


async def test_process_that_is_killed_once_costs_nothing(tmp_path: Path, tokenizer: Any) -> None:
    request = request_for(tmp_path, long_pdf(PAGES), tokenizer)
    sandbox = Dying(once=(1, 8, 9))
    assert await parse_with(sandbox, request, []) == whole(request)
    assert sandbox.deaths == 3


async def test_process_that_ends_before_it_begins_a_file_costs_nothing(tmp_path: Path) -> None:
    part = ReadPages(tmp_path / "pages-1-0", 1, 0)
    assert pages_of([part], 2) == [None, None]


async def test_file_of_too_many_such_pages_is_refused(tmp_path: Path, tokenizer: Any) -> None:
    request = request_for(tmp_path, long_pdf(PAGES), tokenizer)
    sandbox = Dying(always=tuple(range(2, PAGES)))
    with pytest.raises(InvalidDocument, match=f"crashes. More than {MAX_LOST_PAGES} pages do so: "):
        await parse_with(sandbox, request, [])
    assert sandbox.deaths <= 2 * (MAX_LOST_PAGES + OPTIONS.slots)


async def test_file_that_is_no_longer_wanted_is_not_read_on(tmp_path: Path, tokenizer: Any) -> None:
    request = request_for(tmp_path, long_pdf(PAGES), tokenizer)
    slicer = Slicer(Dying(), tmp_path / "work", OPTIONS)  # type: ignore[arg-type]
    with pytest.raises(InvalidDocument, match="no longer wanted"):
        await slicer.parse_long(request, PAGES, lambda *_: None, lambda: False)
    assert {path.name for path in folder_of(request)} == {"original", "tokenizer.json"}


async def test_pages_beyond_the_setting_are_refused_before_any_is_read(
    sandbox: Sandbox, tmp_path: Path, tokenizer: Any
) -> None:
    request = request_for(tmp_path, long_pdf(PAGES), tokenizer, limits=Limits(max_pages=PAGES - 1))
    with pytest.raises(TooLarge, match="more than 16 pages"):
        await Slicer(sandbox, tmp_path / "work", OPTIONS).parse(request, lambda *_: None, lambda: True)


async def test_work_folder_is_empty_after_each_job_and_each_start(sandbox: Sandbox, tmp_path: Path) -> None:
    slicer = Slicer(sandbox, tmp_path / "work", OPTIONS)
    slicer.open()
    with slicer.work("job_1") as folder:
        (folder / "pages-1").write_bytes(b"x")
    assert not list((tmp_path / "work").iterdir())
    (tmp_path / "work" / "leftover").mkdir()
    slicer.open()
    assert not list((tmp_path / "work").iterdir())
