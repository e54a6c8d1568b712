"""Does a stack start, refuse, recover and end as `make up` promises?"""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.local.sample import EXAMPLE_QUESTION, sample_files
from services.local.settings import REPOSITORY
from tests.processes import family, wait_until_gone
from tests.stack import SERVICES, Stack, free_port

pytestmark = [pytest.mark.stack, pytest.mark.models]

REFUSED_WITHIN_S = 60


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Stack]:
    """A stack that the test may end as it likes."""
    running = Stack(tmp_path / "data")
    try:
        running.wait_until_up()
        yield running
    finally:
        members = family(running.process.pid)
        running.stop()
        wait_until_gone(members, 30)


def _refusal(port: int, data: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "services.local"],
        cwd=REPOSITORY,
        env=os.environ | {"PORT": str(port), "SIGHTLINE_DATA": str(data), "SAMPLE": "0"},
        capture_output=True,
        text=True,
        timeout=REFUSED_WITHIN_S,
    )
    return done.returncode, done.stdout + done.stderr


def test_interrupt_ends_every_process_and_leaves_nothing_behind(own: Stack) -> None:
    members, sockets = family(own.process.pid), Path(own.note()["sockets"])
    assert {own.pid(service) for service in SERVICES} < members
    assert own.stop(signal.SIGINT) == 0
    wait_until_gone(members, 5)
    assert not sockets.exists()
    assert not (own.data / "local" / "stack.json").exists()
    assert "Traceback" not in "".join(own.log(service) for service in SERVICES)


def test_second_interrupt_kills(own: Stack) -> None:
    members = family(own.process.pid)
    hung = own.pid("orchestrator")
    os.kill(hung, signal.SIGSTOP)  # will not drain
    own.process.send_signal(signal.SIGINT)
    own.wait_until_said("Ending", 10)
    own.process.send_signal(signal.SIGINT)
    own.process.wait(10)
    wait_until_gone(members, 5)


def test_killed_supervisor_takes_its_processes_with_it_and_its_folder_is_free(own: Stack) -> None:
    members, sockets = family(own.process.pid), Path(own.note()["sockets"])
    own.process.kill()
    own.process.wait()
    again = Stack(own.data)  # waits for those that still drain
    try:
        again.wait_until_up()
        wait_until_gone(members, 5)
        assert not sockets.exists()
    finally:
        again.stop()


def test_crashed_service_is_started_again_and_said_so(own: Stack) -> None:
    for service in SERVICES:
        own.wait_until_replaced(service, own.kill(service))
        assert f"{service} was ended by signal 9" in own.said()


def test_same_data_folder_is_refused_to_a_second_stack(stack: Stack) -> None:
    code, said = _refusal(free_port(), stack.data)
    assert code == 1
    assert said.splitlines() == [
        f"The data folder {stack.data} is in use by another stack at {stack.url}: "
        "end that one, or choose another folder with SIGHTLINE_DATA."
    ]
    assert stack.is_ready()


def test_port_in_use_is_one_clear_sentence(tmp_path: Path) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        code, said = _refusal(port, tmp_path)
    assert code == 1
    assert said.splitlines() == [f"Port {port} is in use: end what uses it, or choose another with PORT=…"]


def test_two_stacks_side_by_side_do_not_see_each_other(stack: Stack, own: Stack) -> None:
    own.add({"only-here.md": b"# Only here\n\nThe heron of the second stack stands on one leg.\n"})
    found = own.search("heron of the second stack")
    assert [c["source"]["file_name"] for c in found["candidates"]] == ["only-here.md"]
    other = stack.search("heron of the second stack")
    assert "only-here.md" not in {c["source"]["file_name"] for c in other["candidates"]}


def test_sample_corpus_is_loaded_once_and_answers_the_example(tmp_path: Path) -> None:
    names = {path.name for path in sample_files()}
    first = Stack(tmp_path / "data", environment={"SAMPLE": "1"})
    try:
        first.wait_until_up()
        listed = first.http.get("/v1/documents").json()
        assert {d["name"] for d in listed["documents"]} == names
        assert EXAMPLE_QUESTION in first.said()
        stages = {s["id"]: s["candidates"] for s in first.search(EXAMPLE_QUESTION)["stages"]}
        assert stages["lexical"][0]["chunk_id"] != stages["vector"][0]["chunk_id"]
        assert "uses up the oxygen" in first.query(EXAMPLE_QUESTION)["answer"]
        one = listed["documents"][0]["id"]
        assert first.http.delete(f"/v1/documents/{one}").status_code in (200, 202, 204)
    finally:
        first.stop()
    second = Stack(tmp_path / "data", environment={"SAMPLE": "1"})
    try:
        second.wait_until_up()
        assert second.http.get("/v1/documents").json()["total"] == len(names) - 1
    finally:
        second.stop()
