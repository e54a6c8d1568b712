"""How large may a file unpack to, and how deep may it nest, before it is refused?"""

from dataclasses import dataclass

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Safe bounds for hostile files; the upload's own size is the gateway's to bound."""

    max_unpacked_bytes: int = 512 * _MIB
    max_member_bytes: int = 256 * _MIB
    max_members: int = 10_000
    max_pages: int = 5_000
    max_characters: int = 64 * _MIB


DEFAULT_LIMITS = Limits()
