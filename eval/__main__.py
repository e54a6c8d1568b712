"""What can the evaluation be asked to do? `python -m eval --help` lists it."""

import sys

from eval.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
