"""How far is a run, 0..1, and with what is it busy?"""

from collections.abc import Callable

Progress = Callable[[float, str], None]


def part_of(progress: Progress, first: float, last: float) -> Progress:
    """The same progress for work that begins at one share of the whole and ends at another."""
    return lambda share, words: progress(first + share * (last - first), words)
