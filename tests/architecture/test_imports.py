"""Does everybody import only whom they may? The contracts stand in .importlinter."""

import ast
import subprocess
import sys
from pathlib import Path


def test_import_contracts_are_kept(repository: Path) -> None:
    # In a process of its own: the linter configures logging, which would silence the tests that read the log.
    lint = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", lint], cwd=repository, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_client_needs_nothing_but_httpx(repository: Path) -> None:
    """Whoever takes the client folder alone can use it."""
    allowed = sys.stdlib_module_names | {"httpx", "client"}
    modules = [ast.parse(path.read_text()) for path in (repository / "client").rglob("*.py")]
    imported = {
        name.partition(".")[0] for module in modules for node in ast.walk(module) for name in _names(node)
    }
    assert imported - allowed == set()


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []
