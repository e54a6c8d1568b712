"""Does a log stay within its limit while a process writes to it?"""

import os
from pathlib import Path

from services.local.logs import BoundedLog


def test_bound_keeps_a_copy_and_cuts_the_file(tmp_path: Path) -> None:
    log = BoundedLog(tmp_path / "logs" / "rerank.log", limit_bytes=10)
    writer = log.open()
    os.write(writer, b"a line that is long\n")
    log.bound()
    os.write(writer, b"next\n")
    os.close(writer)
    assert log.path.read_bytes() == b"next\n"
    assert log.path.with_name("rerank.log.1").read_bytes() == b"a line that is long\n"


def test_bound_cuts_the_file_even_if_no_copy_can_be_kept(tmp_path: Path) -> None:
    log = BoundedLog(tmp_path / "rerank.log", limit_bytes=10)
    log.path.write_bytes(b"a line that is long\n")
    log.path.with_name("rerank.log.1").mkdir()
    log.bound()
    assert log.path.read_bytes() == b""


def test_bound_leaves_a_short_file(tmp_path: Path) -> None:
    log = BoundedLog(tmp_path / "rerank.log", limit_bytes=10)
    log.path.write_bytes(b"short\n")
    log.bound()
    assert log.path.read_bytes() == b"short\n"
    assert not log.path.with_name("rerank.log.1").exists()


def test_last_line_skips_empty_lines(tmp_path: Path) -> None:
    log = BoundedLog(tmp_path / "rerank.log", limit_bytes=10)
    assert log.last_line() == ""
    log.path.write_bytes("first\nOSError: no space – left\n\n".encode())
    assert log.last_line() == "OSError: no space – left"
