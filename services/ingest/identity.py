"""What is a document, a chunk or a configuration called? Derived ids and clean names."""

import hashlib
import json
import re
import unicodedata

from services.ingest.core.chunking import ChunkingConfig
from shared.errors import InvalidInput

DEFAULT_WORKSPACE = "default"
MAX_NAME_CHARACTERS = 200
# Raised when an extractor or chunker changes what it makes of the same bytes.
INGEST_FORMAT = 2

# Directional overrides can make a name read as another one; separators would break a line.
_INVISIBLE = re.compile("[\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]")


def clean_name(raw: str) -> str:
    """The last path component in NFC, without control characters, of bounded length.

    Raises InvalidInput when nothing usable is left.
    """
    last = re.split(r"[/\\]", raw)[-1]
    kept = "".join(character for character in last if unicodedata.category(character) not in ("Cc", "Cs"))
    name = unicodedata.normalize("NFC", _INVISIBLE.sub("", kept)).strip()
    if name in ("", ".", ".."):
        raise InvalidInput("The file has no usable name: give one that does not end in a slash or dots.")
    if len(name) <= MAX_NAME_CHARACTERS:
        return name
    stem, dot, ending = name.rpartition(".")
    ending = dot + ending if stem and len(ending) <= 16 else ""
    mark = "~" + hashlib.sha256(name.encode()).hexdigest()[:8]  # two long names stay two documents
    return name[: MAX_NAME_CHARACTERS - len(mark) - len(ending)] + mark + ending


def document_id(workspace: str, name: str) -> str:
    return "doc_" + hashlib.sha256(f"{workspace}\0{name}".encode()).hexdigest()[:20]


def attached_id(workspace: str, parent_id: str, name: str) -> str:
    """The id of a file in a file: no upload's, since no upload's name holds the character between."""
    return document_id(workspace, f"{parent_id}\0{name}")


def chunk_id(document: str, content_sha256: str, config_digest: str, position: int) -> str:
    key = "\0".join((document, content_sha256, config_digest, str(position)))
    return "chk_" + hashlib.sha256(key.encode()).hexdigest()[:24]


def config_digest(
    config: ChunkingConfig,
    tokenizer_sha256: str,
    ocr: str = "",
    *,
    pdf_parser: str = "",
    annotations: str = "",
) -> str:
    """The hex sha256 of all that decides which chunks the same bytes become.

    `ocr` and `annotations` are empty if they are off, `pdf_parser` if PDFs are read by ours.
    """
    decisive = {
        "format": INGEST_FORMAT,
        "kind": config.kind,
        "max_tokens": config.max_tokens,
        "overlap_tokens": config.overlap_tokens,
        "prefixed": config.prefixed,
        "welds": config.welds,
        "tokenizer": tokenizer_sha256,
        "ocr": ocr,
        "pdf_parser": pdf_parser,
        "annotations": annotations,
    }
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()


def workspace_config(config: str, *own: str) -> str:
    """The digest of a configuration together with those of what is a workspace's own, each empty if it has
    none: its vocabulary, the entities that people gave it."""
    return hashlib.sha256("\0".join((config, *own)).encode()).hexdigest() if any(own) else config


def version_digest(content_sha256: str, config: str) -> str:
    """What an index remembers of a document's version: content and ingest configuration in one digest."""
    return hashlib.sha256(f"{content_sha256}\0{config}".encode()).hexdigest()
