"""How does a service end when its supervisor is killed? Its standard input closes, and a thread is watching.

`python -m services.local.tethered MODULE …` runs MODULE as `python -m MODULE …` would. Standard input is a
pipe that nobody writes to; its end means that the supervisor is gone, however it went.
"""

import os
import runpy
import signal
import sys
import threading
import time

GRACE_S = 20.0


def main() -> None:
    threading.Thread(target=_end_with_supervisor, name="tether", daemon=True).start()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _end_with_supervisor() -> None:
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_S)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
