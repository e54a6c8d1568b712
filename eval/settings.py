"""What does the evaluation take from its environment? Read here and nowhere else."""

import os
from collections.abc import Mapping
from pathlib import Path

# Set by a gateway that runs an evaluation in a workspace apart.
_TOKEN = "SIGHTLINE_EVAL_TOKEN"
_FOLDER = "SIGHTLINE_EVAL_FOLDER"


_KEPT = ("SIGHTLINE_MODELS",)


def neutral_environment() -> dict[str, str]:
    """The environment of this process without its settings of Sightline: a stack is measured as it ships."""
    return {k: v for k, v in os.environ.items() if not k.startswith("SIGHTLINE_") or k in _KEPT}


def workspace_headers(suite: str) -> Mapping[str, str]:
    """What lets a suite's documents stay out of the user's library; nothing outside a gateway's own run."""
    token = os.environ.get(_TOKEN, "")
    return {"Sightline-Workspace": f"eval-{suite}", "Sightline-Eval-Token": token} if token else {}


def working_folder() -> Path:
    """Where stacks keep their data between runs, so that a suite is ingested once."""
    return Path(os.environ.get(_FOLDER, ".eval")).absolute()
