"""How does an evaluation end with the gateway that started it, and leave the processors to those who ask?

`python eval_tether.py PARENT COMMAND …` becomes COMMAND. The kernel kills it when its parent is gone, however
that went. Told here, in a process of its own, since nothing may run between fork and exec beside threads.
"""

import ctypes
import os
import signal
import sys

NICENESS = 5
PR_SET_PDEATHSIG = 1
CANNOT_EXECUTE = 126


def main() -> None:
    parent, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it was gone before this was told
        sys.exit(CANNOT_EXECUTE)
    os.nice(NICENESS)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"the evaluation cannot be started: {error}: {command[0]}")


if __name__ == "__main__":
    main()
