"""Do the sources keep to the house's style where a linter has no rule for it?"""

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

MAX_LINES = 300
MAX_POSITIONAL = 5
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "base"}
SOURCE_SUFFIXES = {".py", ".ts", ".tsx", ".js", ".css"}
CODE = ("shared", "services", "client")


def _sources(repository: Path) -> Iterator[Path]:
    """Files that are written by hand, committed or about to be."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    paths = (repository / name for name in listed)
    return (p for p in paths if p.suffix in SOURCE_SUFFIXES and p.is_file() and p.parent.name != "pb")


def _modules(repository: Path) -> Iterator[tuple[str, ast.Module]]:
    for path in _sources(repository):
        name = path.relative_to(repository).as_posix()
        if path.suffix == ".py" and name.startswith(CODE):
            yield name, ast.parse(path.read_text())


def _imports(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_no_file_is_too_long(repository: Path) -> None:
    lengths = {p.relative_to(repository): len(p.read_text().splitlines()) for p in _sources(repository)}
    assert {path: lines for path, lines in lengths.items() if lines > MAX_LINES} == {}


def test_every_package_file_is_empty(repository: Path) -> None:
    packages = [p for p in _sources(repository) if p.name == "__init__.py"]
    assert packages
    assert [p for p in packages if p.read_bytes()] == []


def test_no_file_has_a_vague_name(repository: Path) -> None:
    assert [p for p in _sources(repository) if p.stem in VAGUE_NAMES] == []


def test_every_module_says_what_it_is_for(repository: Path) -> None:
    silent = [name for name, module in _modules(repository) if module.body and not ast.get_docstring(module)]
    assert silent == []


def test_environment_is_read_in_settings_only(repository: Path) -> None:
    readers = [
        name
        for name, module in _modules(repository)
        for node in ast.walk(module)
        if isinstance(node, ast.Attribute)
        and node.attr in ("environ", "environb", "getenv")
        and not name.endswith("settings.py")
    ]
    assert readers == []


def test_pydantic_stays_in_settings_and_gateway(repository: Path) -> None:
    users = {
        name
        for name, module in _modules(repository)
        for imported in _imports(module)
        if imported.partition(".")[0] in ("pydantic", "pydantic_settings")
    }
    allowed = {n for n in users if n.endswith(("settings.py", "__main__.py")) or "/gateway/" in n}
    assert users - allowed == set()


def test_functions_take_few_positional_parameters(repository: Path) -> None:
    """One that takes the place of a library's has the library's, and says whose."""
    crowded = []
    for name, module in _modules(repository):
        lines = (repository / name).read_text().splitlines()
        crowded += [
            f"{name}:{node.lineno} {node.name}"
            for node in ast.walk(module)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and len([a for a in node.args.posonlyargs + node.args.args if a.arg not in ("self", "cls")])
            > MAX_POSITIONAL
            and "# as " not in lines[node.lineno - 1]
        ]
    assert crowded == []


def test_wide_catches_raise_again_or_say_why(repository: Path) -> None:
    """An edge may catch everything, with a comment that says what becomes of it."""
    silent = []
    for name, module in _modules(repository):
        lines = (repository / name).read_text().splitlines()
        silent += [
            f"{name}:{node.lineno}"
            for node in ast.walk(module)
            if isinstance(node, ast.ExceptHandler)
            and (node.type is None or ast.unparse(node.type) in ("Exception", "BaseException"))
            and not isinstance(node.body[-1], ast.Raise)
            and "#" not in lines[node.lineno - 1] + lines[node.lineno]
        ]
    assert silent == []
