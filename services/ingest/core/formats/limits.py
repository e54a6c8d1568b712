"""How large may a file unpack to, and how deep may it nest, before it is refused?"""

from dataclasses import dataclass

from shared.errors import TooLarge

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Safe bounds for hostile files; the upload's own size is the gateway's to bound."""

    max_unpacked_bytes: int = 512 * _MIB
    max_member_bytes: int = 256 * _MIB
    max_members: int = 10_000
    max_pages: int = 5_000
    max_characters: int = 64 * _MIB
    max_cells: int = 2_000_000  # filled ones of a workbook
    max_attachments: int = 100
    max_nesting: int = 20  # of the parts of a mail


DEFAULT_LIMITS = Limits()


def check_characters(count: int, limits: Limits) -> None:
    """Raises TooLarge above the most characters that a document may have."""
    if count > limits.max_characters:
        raise TooLarge(
            f"The text has more than {limits.max_characters} characters (SIGHTLINE_MAX_CHARACTERS): "
            "split the file."
        )
