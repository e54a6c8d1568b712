"""Is the file whole after the process is killed at any moment?"""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.unit.shared.index_toys import numbers_at, open_numbers, publish

# Publishes generation after generation, each one document more, and says so when one is durable.
WRITER = """
import sys
from pathlib import Path
from tests.unit.shared.index_toys import open_numbers, publish, WORKSPACE

store = open_numbers(Path(sys.argv[1]))
known = store.manifest(WORKSPACE)[0].generation
print("open", known, flush=True)
for generation in range(known + 1, known + 500):
    publish(store, generation, f"b{generation}", {f"doc{generation}": [generation] * 40, "again": [0.5]})
    print("published", generation, flush=True)
"""
KILLS = 4


def test_file_is_consistent_after_sigkill_at_any_moment(tmp_path: Path, repository: Path) -> None:
    chance = random.Random(7)
    promised = 0
    for _ in range(KILLS):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)], cwd=repository, stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        wanted = chance.randint(2, 12)
        with writer, writer.stdout:
            for line in writer.stdout:
                promised = int(line.split()[1])
                wanted -= 1
                if wanted == 0:
                    break
            time.sleep(chance.random() * 0.02)  # somewhere into its next step
            writer.send_signal(signal.SIGKILL)
        store = open_numbers(tmp_path)
        manifest = store.manifest("harbour")[0]
        assert manifest.generation >= promised
        for generation in manifest.served:
            expected = [n for g in range(1, generation + 1) for n in [float(g)] * 40] + [0.5]
            assert numbers_at(store, generation) == sorted(expected if generation else [])
        publish(
            store,
            manifest.generation + 1,
            "after",
            {f"doc{manifest.generation + 1}": [manifest.generation + 1] * 40},
        )
        store.close()
