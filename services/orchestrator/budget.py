"""How much time is left for a question, and how much of it may one step take?"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from shared.errors import DeadlineExceeded


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds: for all until the answer begins, and the most that one step of a kind may take of it."""

    search_s: float = 40.0
    read_s: float = 3.0
    retrieve_s: float = 6.0
    rerank_s: float = 25.0
    extract_s: float = 10.0


class Stopwatch:
    """Runs from the moment that it is made."""

    def __init__(self, budget_s: float, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._started = monotonic()
        self._budget_s = budget_s

    def elapsed_ms(self) -> float:
        """Milliseconds since the start."""
        return (self._monotonic() - self._started) * 1000

    def carve_s(self, most_s: float) -> float:
        """Seconds for the next step. Raises DeadlineExceeded when nothing is left."""
        left_s = self._budget_s - (self._monotonic() - self._started)
        if left_s <= 0:
            raise DeadlineExceeded(f"the search took longer than {self._budget_s:.0f} s; try again")
        return min(left_s, most_s)
