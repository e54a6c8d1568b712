"""Which tables does ingest keep? Scripts in order; `PRAGMA user_version` counts those that ran."""

# A version is pending (bytes only), parsed (text and chunks, unseen), live (served) or kept (served one
# generation ago: a query that began before the flip may still hydrate it).
FIRST = """
CREATE TABLE workspaces (
    workspace TEXT PRIMARY KEY,
    generation INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE documents (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL,
    name TEXT NOT NULL,
    live_version INTEGER NOT NULL DEFAULT 0,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL
);
CREATE INDEX documents_by_workspace ON documents (workspace, seq);

CREATE TABLE versions (
    document_id TEXT NOT NULL REFERENCES documents (document_id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'parsed', 'live', 'kept')),
    sha256 TEXT NOT NULL,
    size INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    config_digest TEXT NOT NULL,
    digest TEXT NOT NULL,
    job_id TEXT NOT NULL,
    title TEXT NOT NULL DEFAULT '',
    characters INTEGER NOT NULL DEFAULT 0,
    chunk_count INTEGER NOT NULL DEFAULT 0,
    warnings TEXT NOT NULL DEFAULT '[]',
    pages BLOB NOT NULL DEFAULT x'',
    PRIMARY KEY (document_id, version)
);
CREATE INDEX versions_by_sha256 ON versions (sha256);
CREATE INDEX versions_unfinished ON versions (state) WHERE state != 'live';

CREATE TABLE layouts (
    document_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    blocks BLOB NOT NULL,
    words BLOB NOT NULL,
    PRIMARY KEY (document_id, version),
    FOREIGN KEY (document_id, version) REFERENCES versions (document_id, version) ON DELETE CASCADE
);

CREATE TABLE texts (
    document_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    part INTEGER NOT NULL,
    text BLOB NOT NULL,
    PRIMARY KEY (document_id, version, part),
    FOREIGN KEY (document_id, version) REFERENCES versions (document_id, version) ON DELETE CASCADE
);

CREATE TABLE chunks (
    document_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    position INTEGER NOT NULL,
    chunk_id TEXT NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    prefix TEXT NOT NULL,
    section TEXT NOT NULL,
    page_number INTEGER,
    page_label TEXT NOT NULL,
    PRIMARY KEY (document_id, version, position),
    FOREIGN KEY (document_id, version) REFERENCES versions (document_id, version) ON DELETE CASCADE
);
CREATE INDEX chunks_by_id ON chunks (chunk_id);

CREATE TABLE tombstones (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    document_id TEXT NOT NULL
);
CREATE INDEX tombstones_by_workspace ON tombstones (workspace, seq);

CREATE TABLE jobs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    job_id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL,
    document_id TEXT NOT NULL,
    document_name TEXT NOT NULL,
    version INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
    stage TEXT NOT NULL,
    progress REAL NOT NULL,
    error_slug TEXT NOT NULL DEFAULT '',
    error_detail TEXT NOT NULL DEFAULT '',
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL
);
CREATE INDEX jobs_by_workspace ON jobs (workspace, seq);
CREATE INDEX jobs_unfinished ON jobs (document_id) WHERE state IN ('queued', 'running')
"""

# A workspace's vocabulary is frozen under its number; 0 is the empty one that every workspace begins with.
# A parsed version is not ready while its chunks wait for annotations; each of those is kept under the digest
# of all that it was made from.
SECOND = """
ALTER TABLE chunks ADD COLUMN reading TEXT NOT NULL DEFAULT '';
ALTER TABLE chunks ADD COLUMN annotation TEXT NOT NULL DEFAULT '';
ALTER TABLE chunks ADD COLUMN defines TEXT NOT NULL DEFAULT '[]';
ALTER TABLE chunks ADD COLUMN mentions TEXT NOT NULL DEFAULT '[]';

ALTER TABLE versions ADD COLUMN ready INTEGER NOT NULL DEFAULT 1;

ALTER TABLE documents ADD COLUMN parent_id TEXT NOT NULL DEFAULT '';
ALTER TABLE versions ADD COLUMN attached TEXT NOT NULL DEFAULT '[]';
CREATE INDEX documents_by_parent ON documents (parent_id) WHERE parent_id != '';

ALTER TABLE workspaces ADD COLUMN vocabulary INTEGER NOT NULL DEFAULT 0;
CREATE TABLE vocabularies (
    workspace TEXT NOT NULL,
    version INTEGER NOT NULL,
    digest TEXT NOT NULL,
    words BLOB NOT NULL,
    PRIMARY KEY (workspace, version)
) WITHOUT ROWID;

CREATE TABLE annotations (
    digest TEXT PRIMARY KEY,
    annotation TEXT NOT NULL,
    created_ms INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE given_entities (
    workspace TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    aliases TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (workspace, name)
) WITHOUT ROWID;

CREATE TABLE entities (
    document_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    aliases TEXT NOT NULL DEFAULT '[]',
    mentions INTEGER NOT NULL,
    PRIMARY KEY (document_id, version, name),
    FOREIGN KEY (document_id, version) REFERENCES versions (document_id, version) ON DELETE CASCADE
) WITHOUT ROWID
"""

# Annotations say what a passage is about: they go with the document that they were made for.
THIRD = """
DROP TABLE annotations;
CREATE TABLE annotations (
    digest TEXT PRIMARY KEY,
    annotation TEXT NOT NULL,
    document_id TEXT NOT NULL REFERENCES documents (document_id) ON DELETE CASCADE,
    created_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX annotations_by_document ON annotations (document_id)
"""

MIGRATIONS: tuple[str, ...] = (FIRST, SECOND, THIRD)
