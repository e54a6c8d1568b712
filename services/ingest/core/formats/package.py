"""Is a ZIP package safe to unpack, and what does it hold?"""

import io
import zipfile
import zlib

from services.ingest.core.formats.limits import Limits
from shared.errors import InvalidDocument

_READ_BYTES = 1024 * 1024
_DIRECTORY_ENTRY = b"PK\x01\x02"
# Looked at in the service's own process, before any limit of a setting: no document has so many.
_MAX_ENTRIES = 50_000


def members(data: bytes) -> frozenset[str]:
    """The names in the package. Raises InvalidDocument when its directory cannot be read, or is endless."""
    entries = data.count(_DIRECTORY_ENTRY)
    if entries > _MAX_ENTRIES:
        raise InvalidDocument(f"The file holds {entries} parts, far more than a document has.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return frozenset(package.namelist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise InvalidDocument(
            "The file is damaged: its contents cannot be unpacked. Save and upload it again."
        ) from error


def check_package(data: bytes, limits: Limits) -> None:
    """Unpacks everything once, keeping nothing. Raises InvalidDocument for damage, encryption or a zip bomb.

    The sizes that a directory states are not believed: bytes are counted as they come out.
    """
    total = 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            infos = package.infolist()
            if len(infos) > limits.max_members:
                raise InvalidDocument(
                    f"The file holds {len(infos)} parts; at most {limits.max_members} are read "
                    "(SIGHTLINE_MAX_MEMBERS)."
                )
            for info in infos:
                if info.flag_bits & 1:
                    raise InvalidDocument("The file is encrypted: remove its password and upload it again.")
                total += _unpacked_bytes(
                    package, info, min(limits.max_member_bytes, limits.max_unpacked_bytes - total)
                )
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, NotImplementedError, zlib.error) as error:
        raise InvalidDocument(
            "The file is damaged: its contents cannot be unpacked. Save and upload it again."
        ) from error


def _unpacked_bytes(package: zipfile.ZipFile, info: zipfile.ZipInfo, limit: int) -> int:
    size = 0
    with package.open(info) as member:
        while part := member.read(_READ_BYTES):
            size += len(part)
            if size > limit:
                raise InvalidDocument(
                    "The file unpacks to far more than a document holds (SIGHTLINE_MAX_UNPACKED_BYTES)."
                )
    return size
