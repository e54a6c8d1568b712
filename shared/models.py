"""Which model weights may be loaded, and are these files they? The lock file decides by digest."""

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shared.errors import Unavailable

LOCK_PATH = Path(__file__).resolve().parent.parent / "models.lock.toml"
LOCK_VERSION = 1
WEIGHTS = "model.onnx"
TOKENIZER = "tokenizer.json"


@dataclass(frozen=True, slots=True)
class LockedFile:
    """A file of a model: its digest, its size, and where a package and a hub repository keep it."""

    name: str
    sha256: str
    size_bytes: int
    in_package: str
    in_hub: str


@dataclass(frozen=True, slots=True)
class Package:
    """A wheel of the package index that carries weights."""

    name: str
    version: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class LockedModel:
    """An entry of the lock file; `max_tokens` includes special tokens, `dimensions` is 0 without a vector.

    A model of pictures has neither tokenizer nor tokens: `max_tokens` is 0.
    """

    name: str
    role: str
    licence: str
    dimensions: int
    max_tokens: int
    query_prefix: str
    files: tuple[LockedFile, ...]
    package: Package
    hub_repository: str


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model on disk whose digests are those of the lock file."""

    name: str
    role: str
    max_tokens: int
    dimensions: int
    query_prefix: str
    weights: Path
    tokenizer: Path
    weights_sha256: str
    tokenizer_sha256: str


@dataclass(frozen=True, slots=True)
class TokenizerFile:
    """A model's tokenizer alone, verified: for who counts its tokens without running it."""

    path: Path
    sha256: str
    max_tokens: int
    query_prefix: str


@dataclass(frozen=True, slots=True)
class WeightsFile:
    """A model's weights alone, verified: for a model that has no tokenizer."""

    path: Path
    sha256: str


def load_lock(path: Path = LOCK_PATH) -> tuple[LockedModel, ...]:
    """The models of a lock file, in its order. Unavailable if the file is missing or not understood."""
    try:
        document = tomllib.loads(path.read_text("utf-8"))
        if document["version"] != LOCK_VERSION:
            raise ValueError(f"version {document['version']} instead of {LOCK_VERSION}")
        return tuple(_model(entry) for entry in document["model"])
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise Unavailable(f"The model lock file {path} cannot be read ({error}): restore it.") from error


def locked(role: str, models: tuple[LockedModel, ...]) -> LockedModel:
    """The model of a role. Unavailable if the lock file has none."""
    for model in models:
        if model.role == role:
            return model
    raise Unavailable(f"models.lock.toml names no {role}; it has {', '.join(m.role for m in models)}.")


def verified(models_dir: Path, role: str, *, lock: Path = LOCK_PATH) -> ModelFiles:
    """The files of a role below `models_dir`, after their digests were compared with the lock file.

    Unavailable if one is missing or differs; the sentence says to run `make models`.
    """
    model = locked(role, load_lock(lock))
    digests = {file.name: file.sha256 for file in model.files}
    folder = models_dir / role
    for file in model.files:
        state = state_of(folder / file.name, file.sha256)
        if state is not None:
            raise Unavailable(f"{folder / file.name} {state}: run `make models`.")
    return ModelFiles(
        name=model.name,
        role=role,
        max_tokens=model.max_tokens,
        dimensions=model.dimensions,
        query_prefix=model.query_prefix,
        weights=folder / WEIGHTS,
        tokenizer=folder / TOKENIZER,
        weights_sha256=digests[WEIGHTS],
        tokenizer_sha256=digests[TOKENIZER],
    )


def verified_tokenizer(models_dir: Path, role: str, *, lock: Path = LOCK_PATH) -> TokenizerFile:
    """As `verified`, for the tokenizer alone; the weights need not be there."""
    model = locked(role, load_lock(lock))
    path, sha256 = _verified_file(models_dir, model, TOKENIZER)
    return TokenizerFile(path, sha256, model.max_tokens, model.query_prefix)


def verified_weights(models_dir: Path, role: str, *, lock: Path = LOCK_PATH) -> WeightsFile:
    """As `verified`, for the weights alone."""
    return WeightsFile(*_verified_file(models_dir, locked(role, load_lock(lock)), WEIGHTS))


def _verified_file(models_dir: Path, model: LockedModel, name: str) -> tuple[Path, str]:
    sha256 = next(file.sha256 for file in model.files if file.name == name)
    path = models_dir / model.role / name
    state = state_of(path, sha256)
    if state is not None:
        raise Unavailable(f"{path} {state}: run `make models`.")
    return path, sha256


def state_of(path: Path, sha256: str) -> str | None:
    """What is wrong with a file, as the end of a sentence, or None if its digest is the one given."""
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return None if found == sha256 else f"has another digest ({found[:12]}…) than models.lock.toml says"


def _model(entry: dict[str, Any]) -> LockedModel:
    files = tuple(
        LockedFile(f["name"], f["sha256"], f["bytes"], f["in_package"], f["in_hub"]) for f in entry["file"]
    )
    needed = {WEIGHTS, TOKENIZER} if entry["max_tokens"] else {WEIGHTS}
    if needed - {file.name for file in files}:
        raise ValueError(f"{entry['name']} needs {' and '.join(sorted(needed))}")
    package = entry["package"]
    return LockedModel(
        name=entry["name"],
        role=entry["role"],
        licence=entry["licence"],
        dimensions=entry["dimensions"],
        max_tokens=entry["max_tokens"],
        query_prefix=entry["query_prefix"],
        files=files,
        package=Package(package["name"], package["version"], package["sha256"], package["bytes"]),
        hub_repository=entry["hub"]["repository"],
    )
