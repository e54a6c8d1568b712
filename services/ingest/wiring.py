"""How do the parts of ingest fit together, and in which order do they start and stop?"""

import asyncio
import os
import signal
import time
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

from services.ingest.annotating import AnnotateOptions, Annotator
from services.ingest.annotations import Annotations
from services.ingest.attaching import FamilyBounds
from services.ingest.back_ends import parser_version
from services.ingest.chat import Chat, ChatOptions
from services.ingest.core.annotation import PROMPT
from services.ingest.core.chunking import ChunkingConfig
from services.ingest.core.formats.limits import Limits
from services.ingest.database import Database
from services.ingest.delivery import Delivery, Patience
from services.ingest.entities import Entities
from services.ingest.identity import config_digest
from services.ingest.indexes import Index
from services.ingest.intake import Intake
from services.ingest.jobs import JobBoard
from services.ingest.metrics import watch_jobs
from services.ingest.originals import Originals
from services.ingest.pages import Pages, RenderOptions
from services.ingest.parsing import PRELOAD, token_counter
from services.ingest.pipeline import ParseOptions, Pipeline
from services.ingest.publisher import Publisher, PublishOptions
from services.ingest.reading import Reading
from services.ingest.recognition import ocr_options
from services.ingest.reindexing import Reindexing
from services.ingest.rendering import PngCache
from services.ingest.sandbox import Sandbox
from services.ingest.service import IngestServicer, Parts
from services.ingest.settings import IngestSettings
from services.ingest.slicing import SliceOptions, Slicer
from services.ingest.store import Store
from shared.errors import InvalidInput
from shared.models import TokenizerFile

LEXICAL, VECTOR = "lexical-index", "vector-index"


def chunking_config(settings: IngestSettings, tokenizer: TokenizerFile) -> ChunkingConfig:
    """The sizes in force. Raises InvalidInput when the embedder could not read a whole chunk."""
    if settings.chunk_max_tokens > tokenizer.max_tokens:
        raise InvalidInput(
            f"Chunks of {settings.chunk_max_tokens} tokens (SIGHTLINE_CHUNK_MAX_TOKENS) do not fit the "
            f"embedder, which reads {tokenizer.max_tokens}: choose a smaller size."
        )
    return ChunkingConfig(
        kind=settings.chunk_kind,
        max_tokens=settings.chunk_max_tokens - (settings.annotate_tokens if settings.annotate else 0),
        overlap_tokens=settings.chunk_overlap_tokens,
        context_tokens=tokenizer.max_tokens,
        prefixed=settings.chunk_prefix,
        welds=settings.welds,
    )


def chat_model(settings: IngestSettings) -> Chat | None:
    """What describes chunks; None if nothing does."""
    if not settings.annotate:
        return None
    return Chat(
        ChatOptions(
            settings.annotate_url,
            settings.annotate_model,
            settings.annotate_api_key.get_secret_value(),
            max_tokens=2 * settings.annotate_tokens,  # its tokens are not the embedder's
            timeout_s=settings.annotate_timeout_s,
        )
    )


def format_limits(settings: IngestSettings) -> Limits:
    """What the readers of files keep to."""
    return Limits(
        max_unpacked_bytes=settings.max_unpacked_bytes,
        max_member_bytes=settings.max_member_bytes,
        max_members=settings.max_members,
        max_pages=settings.max_pages,
        max_characters=settings.max_characters,
        max_cells=settings.max_cells,
        max_attachments=settings.max_attachments,
    )


@asynccontextmanager
async def running(
    settings: IngestSettings,
    tokenizer: TokenizerFile,
    indexes: Sequence[Index],
    *,
    clock: Callable[[], float] = time.time,
    new_id: Callable[[str], str] | None = None,
) -> AsyncIterator[IngestServicer]:
    """The servicer over all that it needs, unfinished work taken up again; everything ends with the block."""
    new_id = new_id or random_id
    chunking = chunking_config(settings, tokenizer)
    ocr = ocr_options(settings.models, settings.ocr_dpi) if settings.ocr == "on" else None
    digest = config_digest(
        chunking,
        tokenizer.sha256,
        ocr.digest if ocr else "",
        pdf_parser=parser_version(settings.pdf_parser),
        annotations=f"{PROMPT}:{settings.annotate_model}" if settings.annotate else "",
    )
    chat = chat_model(settings)
    checkpoint = crash_point(settings.crash_at)

    folder = settings.data / "ingest"
    originals = Originals(folder)
    await asyncio.to_thread(originals.open)
    database = Database(folder / "ingest.sqlite")
    await database.open()
    reading = Reading(database)
    family = FamilyBounds(settings.max_attachment_depth, settings.max_upload_files)
    store = Store(database, originals, config=digest, clock=clock, new_id=new_id, family=family)
    board = JobBoard(reading, clock)
    vocabulary = tokenizer.path.absolute()
    parsers = Sandbox(
        settings.parse_workers,
        settings.parse_memory_bytes,
        PRELOAD,
        warm=partial(token_counter, vocabulary),
        file_bytes=settings.parse_file_bytes,
        open_files=settings.parse_open_files,
    )
    slicer = Slicer(
        parsers,
        folder / "work",
        SliceOptions(settings.parse_workers, settings.whole_pages, settings.parse_timeout_s),
        checkpoint,
    )
    await asyncio.to_thread(slicer.open)
    renderers = Sandbox(settings.render_workers, settings.parse_memory_bytes, PRELOAD)
    patience = Patience(settings.slice_chunks, settings.retry_base_s, settings.retry_max_s)
    publisher = Publisher(
        store,
        reading,
        board,
        [
            Delivery(
                index,
                reading,
                patience,
                tokenizer_sha256=tokenizer.sha256 if index.name == VECTOR else None,
            )
            for index in indexes
        ],
        options=PublishOptions(
            settings.batch_documents, settings.batch_chunks, settings.index_check_s, settings.retry_max_s
        ),
        new_id=new_id,
        checkpoint=checkpoint,
    )
    annotations = Annotations(database, clock)
    annotator = chat and Annotator(
        annotations,
        reading,
        board,
        chat,
        tokenizer=partial(token_counter, vocabulary),
        options=AnnotateOptions(settings.annotate_tokens),
        on_ready=publisher.wake,
        checkpoint=checkpoint,
    )
    pipeline = Pipeline(
        store,
        originals,
        board,
        slicer,
        options=ParseOptions(
            settings.parse_workers,
            format_limits(settings),
            settings.whole_pages,
            settings.max_upload_bytes,
            chunking,
            vocabulary,
            ocr,
            settings.pdf_parser,
            annotates=annotator is not None,
        ),
        on_parsed=annotator.add if annotator else lambda job: publisher.wake(job.workspace),
        checkpoint=checkpoint,
    )
    intake = Intake(
        store,
        originals,
        board,
        pipeline,
        max_upload_bytes=settings.max_upload_bytes,
        queue_limit=settings.queue_limit,
        checkpoint=checkpoint,
    )
    pages = Pages(
        reading,
        originals,
        renderers,
        options=RenderOptions(settings.render_dpi, settings.render_max_pixels, settings.render_timeout_s),
        cache=PngCache(settings.render_cache_bytes),
    )
    watch_jobs(board)
    try:
        unparsed, parsed = await store.resume()
        for job in parsed:
            board.add(job)
        for each in unparsed:
            pipeline.add(each)
        if annotator:
            for job in await annotations.waiting():
                annotator.add(job)
        else:
            await annotations.forgo()
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(each.run()) for each in (pipeline, publisher, annotator) if each]
            reindexing = Reindexing(
                database,
                reading,
                config=digest,
                learns=settings.welds,
                clock=clock,
                new_id=new_id,
                add=pipeline.add,
            )
            parts = Parts(
                intake, store, reading, board, publisher, pages, originals, reindexing, Entities(database)
            )
            yield IngestServicer(
                parts,
                delete_wait_s=settings.delete_wait_s,
                max_message_bytes=settings.max_message_bytes,
            )
            for task in tasks:
                task.cancel()
    finally:
        await asyncio.to_thread(parsers.close)
        await asyncio.to_thread(renderers.close)
        if chat:
            await chat.close()
        await database.close()


def random_id(prefix: str) -> str:
    return f"{prefix}_{uuid.uuid4().hex[:20]}"


def crash_point(wanted: str) -> Callable[[str], None]:
    """What is called at each named point: nothing happens but at the one that a test of recovery asks for."""

    def checkpoint(point: str) -> None:
        if point == wanted:
            os.kill(os.getpid(), signal.SIGKILL)

    return checkpoint
