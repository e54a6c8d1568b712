"""Which files inside a file can become documents, and what are they called?"""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from services.ingest.core.document import Attachment
from services.ingest.core.formats.limits import Limits
from services.ingest.core.formats.registry import sniff
from services.ingest.identity import attached_id, clean_name
from services.ingest.records import AttachedFile
from shared.errors import InvalidInput, SightlineError

JOINED_BY = " – "  # mail.eml – report.pdf
UNNAMED = "attachment"


class Enclosing(Protocol):
    """What is asked of the file that holds the others."""

    @property
    def name(self) -> str: ...
    @property
    def workspace(self) -> str: ...
    @property
    def document_id(self) -> str: ...
    @property
    def work(self) -> Path: ...
    @property
    def limits(self) -> Limits: ...
    @property
    def max_attached_bytes(self) -> int: ...


def enclosed_files(
    attachments: Sequence[Attachment], parent: Enclosing
) -> tuple[tuple[AttachedFile, ...], tuple[str, ...]]:
    """The files, durably in the parent's work folder, and a sentence for each that is refused."""
    files: dict[str, AttachedFile] = {}
    refusals: list[str] = []
    for number, attachment in enumerate(attachments):
        own = _own_name(attachment.name)
        if number >= parent.limits.max_attachments:
            left = len(attachments) - number
            refusals.append(f"{left} more attachments are left out (SIGHTLINE_MAX_ATTACHMENTS).")
            break
        if len(attachment.data) > parent.max_attached_bytes:
            refusals.append(
                f"The attachment {own} has more than {parent.max_attached_bytes} bytes "
                "(SIGHTLINE_MAX_UPLOAD_BYTES)."
            )
            continue
        try:
            media_type = sniff(own, attachment.data)
        except SightlineError as refusal:
            refusals.append(refused(own, str(refusal)))
            continue
        name = _unlike(files, clean_name(f"{parent.name}{JOINED_BY}{own}"))
        files[name] = AttachedFile(
            document_id=attached_id(parent.workspace, parent.document_id, name),
            name=name,
            media_type=media_type,
            size=len(attachment.data),
            sha256=hashlib.sha256(attachment.data).hexdigest(),
            path=_written(parent.work / f"attached-{number}", attachment.data),
        )
    return tuple(files.values()), tuple(refusals)


def refused(name: str, reason: str) -> str:
    """What the parent's warnings say of an attachment that is not read."""
    return f"The attachment {name} is not read. {reason}"


def _own_name(raw: str) -> str:
    try:
        return clean_name(raw)
    except InvalidInput:
        return UNNAMED


def _unlike(taken: dict[str, AttachedFile], name: str) -> str:
    """The name, numbered before its ending if another attachment of the parent has it."""
    stem, dot, ending = name.rpartition(".")
    if not stem:
        stem, ending = name, ""
    count, unlike = 1, name
    while unlike in taken:
        count += 1
        unlike = clean_name(f"{stem} ({count}){dot}{ending}")
    return unlike


def _written(path: Path, data: bytes) -> Path:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return path
