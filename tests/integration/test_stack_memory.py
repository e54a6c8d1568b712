"""Do all processes together stay within what a small machine has?"""

import pytest

from tests.processes import family, resident_bytes
from tests.stack import SERVICES, Stack

pytestmark = [pytest.mark.stack, pytest.mark.models]

GIB = 1 << 30
DOCUMENTS = 40
WORDS = (
    "harbour",
    "crane",
    "pilot",
    "basin",
    "survey",
    "dredger",
    "tide",
    "berth",
    "ledger",
    "signal",
    "buoy",
)


def test_memory_of_all_processes_stays_under_two_gibibytes(stack: Stack) -> None:
    files = {
        f"log-{n}.txt": " ".join(f"{WORDS[(n + i) % len(WORDS)]} {n * i % 97}." for i in range(150)).encode()
        for n in range(DOCUMENTS)
    }
    stack.add(files, deadline_s=300)
    for n in range(10):
        stack.search(f"survey of the basin {n}")
    members = family(stack.process.pid)
    assert {stack.pid(service) for service in SERVICES} < members
    assert resident_bytes(members) < 2 * GIB
