"""How is a long text stored so that a span of it is read without the rest? In parts of equal length."""

PART_CHARACTERS = 8192


def split(text: str) -> tuple[bytes, ...]:
    """UTF-8 parts of `PART_CHARACTERS` code points each, the last one shorter; one empty part for ''."""
    return tuple(
        text[start : start + PART_CHARACTERS].encode()
        for start in range(0, max(len(text), 1), PART_CHARACTERS)
    )


def part_range(start: int, end: int) -> tuple[int, int]:
    """The first and last part that hold `text[start:end]`."""
    return start // PART_CHARACTERS, max(start, end - 1) // PART_CHARACTERS
