"""How is a parse kept until it is published?"""

import json
import sqlite3

from services.ingest.records import RUNNING, Job, ParsedVersion


def save_parsed(
    connection: sqlite3.Connection, job: Job, parsed: ParsedVersion, now_ms: int, *, ready: bool = True
) -> bool:
    """False if the version is gone, is no longer the one that the job is about, or is by now to be parsed
    under another configuration than it was."""
    key = (job.document_id, job.version)
    changed = connection.execute(
        "UPDATE versions SET state = 'parsed', title = ?, media_type = ?, characters = ?,"
        " chunk_count = ?, warnings = ?, pages = ?, ready = ?"
        " WHERE document_id = ? AND version = ? AND job_id = ? AND state = 'pending'"
        " AND (? = '' OR config_digest = ?)",
        (
            parsed.title,
            parsed.media_type,
            parsed.characters,
            len(parsed.chunks),
            json.dumps(parsed.warnings),
            parsed.pages,
            ready,
            *key,
            job.job_id,
            parsed.config_digest,
            parsed.config_digest,
        ),
    ).rowcount
    if not changed:
        return False
    connection.execute("INSERT INTO layouts VALUES (?, ?, ?, ?)", (*key, parsed.blocks, parsed.words))
    connection.executemany(
        "INSERT INTO texts VALUES (?, ?, ?, ?)",
        [(*key, part, text) for part, text in enumerate(parsed.text_parts)],
    )
    connection.executemany(
        "INSERT INTO chunks (document_id, version, position, chunk_id, start, end, tokens, prefix, section,"
        " page_number, page_label, reading, annotation, defines, mentions)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                *key,
                c.position,
                c.chunk_id,
                c.start,
                c.end,
                c.tokens,
                c.prefix,
                json.dumps(c.section),
                c.page_number,
                c.page_label,
                c.reading,
                c.annotation,
                json.dumps(c.defines),
                json.dumps(c.mentions),
            )
            for c in parsed.chunks
        ],
    )
    connection.executemany(
        "INSERT INTO entities (document_id, version, name, kind, aliases, mentions)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [(*key, e.name, e.kind, json.dumps(e.aliases), e.mentions) for e in parsed.entities],
    )
    connection.execute(
        "UPDATE jobs SET state = ?, stage = 'index', updated_ms = ? WHERE job_id = ?",
        (RUNNING, now_ms, job.job_id),
    )
    return True
