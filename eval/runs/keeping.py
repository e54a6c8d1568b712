"""Where does a stack keep its data between runs, so that what is embedded once stays embedded?"""

import hashlib
import json
import platform
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from eval.corpus.build import Written
from eval.runs.stack import REPOSITORY, IngestConfig, in_use
from shared.models import LOCK_PATH

REQUIREMENTS = REPOSITORY / "requirements.lock"
INDEXING = ("shared", "services/ingest", "services/lexical_index", "services/vector_index")


def kept_data(folder: Path, name: str, documents: Sequence[Written], configuration: IngestConfig) -> Path:
    """A data folder for these documents under this configuration, read and indexed by the code as it is.

    Folders of other code or documents are removed: nothing will ask for them again.
    """
    decided = hashlib.sha256(json.dumps(asdict(configuration)).encode()).hexdigest()
    made = hashlib.sha256(indexing_digest().encode())
    for document in documents:
        made.update(document.data)
    kind = f"{name}-{decided[:8]}"
    kept = folder / "stacks" / f"{kind}-{made.hexdigest()[:12]}"
    for other in kept.parent.glob(f"{kind}-*"):
        if other != kept and not in_use(other):
            shutil.rmtree(other)
    return kept


def indexing_digest() -> str:
    """The hex sha256 of the code and libraries that read, cut and index, and of the models' lock."""
    digest = hashlib.sha256(LOCK_PATH.read_bytes() + REQUIREMENTS.read_bytes())
    digest.update(platform.python_version().encode())
    for folder in INDEXING:
        for path in sorted((REPOSITORY / folder).rglob("*.py")):
            digest.update(f"{path.relative_to(REPOSITORY)}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()
