"""What does `python -m eval` do, as far as the gateway can see it? Run as a script by its tests."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SUITES = [
    {"name": "golden", "title": "Golden", "questions": 4, "documents": 2, "splits": ["development"]},
    *(
        {"name": name, "title": name, "questions": 1, "documents": 1}
        for name in ("fails", "hangs", "stubborn")
    ),
    *(
        {"name": name, "title": name, "questions": 1, "documents": 1}
        for name in ("empty", "odd", "noisy", "paced")
    ),
    {"name": "not a name", "title": "left out"},
]


def options(arguments: list[str]) -> dict[str, str]:
    found = {}
    for name, value in zip(arguments, [*arguments[1:], "--"], strict=True):
        if name.startswith("--"):
            found[name[2:]] = "" if value.startswith("--") else value
    return found


def say(progress: Any, stage: Any) -> None:
    print(json.dumps({"progress": progress, "stage": stage}), flush=True)


def run(arguments: list[str]) -> int:
    given = options(arguments)
    out = Path(given["out"])
    say(0.25, "asking 1 of 4")
    if given["suite"] == "fails":
        print("Traceback:\n\n  something\nSuiteError: quote of q1 occurs twice\x1b[0m", file=sys.stderr)
        return 2
    if given["suite"] in ("hangs", "stubborn"):
        if given["suite"] == "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        helper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        out.parent.parent.joinpath("pids").write_text(f"{os.getpid()} {helper.pid}")
        say(0.5, "hanging")
        time.sleep(600)
    if given["suite"] == "paced":  # a watcher is told the newest state: wait until it has seen this one
        while not out.parent.parent.joinpath("seen").exists():
            time.sleep(0.01)
    if given["suite"] == "empty":
        return 0
    if given["suite"] == "odd":
        out.write_text('{"metrics": {"ndcg@10": NaN}}')
        return 0
    if given["suite"] == "noisy":
        print("x" * 300_000 + "\nnot json\n[1]\n" + '{"progress": "much", "stage": 7}', flush=True)
        print("y" * 300_000, file=sys.stderr, flush=True)
        say(0.1, "backwards")
        say(7, "z" * 1000)
    say(0.75, "asking 3 of 4")
    config = json.loads(Path(given["config"]).read_text())
    result = {
        "suite": given["suite"],
        "split": given["split"],
        "metrics": {"ndcg@10": {"mean": 0.5, "low": 0.4, "high": 0.6, "n": 4}},
        "questions": [{"id": "q1", "trace_id": "trc_1", "metrics": {}}],
        "seen": {"options": given, "config": config, "token": os.environ.get("SIGHTLINE_EVAL_TOKEN")},
    }
    out.write_text(json.dumps(result))
    return 0


def compare(arguments: list[str]) -> int:
    before, after = (json.loads(Path(name).read_text()) for name in arguments if not name.startswith("--"))
    limits = [one["seen"]["config"]["select"]["limit"] for one in (before, after)]
    print(json.dumps({"metrics": {"ndcg@10": {"difference": limits[1] - limits[0]}}, "questions": []}))
    return 0


def suites(arguments: list[str]) -> int:
    print(json.dumps({"suites": SUITES}))
    return 0


if __name__ == "__main__":
    sys.exit({"run": run, "compare": compare, "suites": suites}[sys.argv[1]](sys.argv[2:]))
