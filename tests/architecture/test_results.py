"""Does the documentation show what was measured, and would it be noticed if it did not?"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PAGES = ("README.md", "docs/evaluation.md")
PACKAGES = ("client", "services", "shared")
CELL_DIGIT = re.compile(r"(?<=\| \d\.\d)\d")
INVENTED = "\nIn the end 0.987654 of all answers were right.\n"


def checked(checkout: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "eval", "render", "--check"]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True)


@pytest.fixture
def copy(repository: Path, tmp_path: Path) -> Path:
    """What the check reads, where it can be edited."""
    shutil.copytree(repository / "eval", tmp_path / "eval", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(repository / "docs", tmp_path / "docs")
    shutil.copyfile(repository / "README.md", tmp_path / "README.md")
    for name in PACKAGES:
        (tmp_path / name).symlink_to(repository / name)
    return tmp_path


def test_tables_pictures_and_figures_are_those_of_the_results(repository: Path) -> None:
    done = checked(repository)
    assert done.returncode == 0, done.stdout + done.stderr


def test_pages_show_tables(repository: Path) -> None:
    assert [page for page in PAGES if "<!-- table: " not in (repository / page).read_text()] == []


def other_digit(text: str) -> str:
    """The text with one digit of its first table's first fraction changed."""
    head, marker, rest = text.partition("<!-- table: ")
    changed = CELL_DIGIT.sub(lambda digit: str((int(digit.group()) + 1) % 10), rest, count=1)
    assert changed != rest
    return head + marker + changed


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (other_digit, "not as the results have it"),
        (lambda text: text + INVENTED, "0.987654 names no result"),
    ],
    ids=["table", "prose"],
)
def test_edited_page_is_noticed(copy: Path, page: str, edit: Callable[[str], str], words: str) -> None:
    path = copy / page
    path.write_text(edit(path.read_text(encoding="utf-8")), encoding="utf-8")
    done = checked(copy)
    assert done.returncode == 1
    assert f"{page}" in done.stdout
    assert words in done.stdout


def test_edited_result_is_noticed_in_the_tables_that_show_it(copy: Path) -> None:
    path = copy / "eval" / "results" / "golden-development.json"
    result = json.loads(path.read_text(encoding="utf-8"))
    for row in result["rows"]:
        row["metrics"]["ndcg@10"]["mean"] += 0.01
    path.write_text(json.dumps(result), encoding="utf-8")
    done = checked(copy)
    assert done.returncode == 1
    assert "not as the results have it" in done.stdout


def test_results_name_what_made_them(repository: Path) -> None:
    for path in (repository / "eval" / "results").glob("*.json"):
        result = json.loads(path.read_text(encoding="utf-8"))
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", result["date"]), path.name
        assert result["versions"]["python"], path.name
        if "rows" in result:
            assert len(result["corpus_digest"]) == 64, path.name
            assert all(model.keys() == {"name", "sha256"} for model in result["models"].values()), path.name


def test_committed_results_are_json_that_anything_reads(repository: Path) -> None:
    def refuse(name: str) -> None:
        raise ValueError(name)

    paths = list((repository / "eval" / "results").glob("*.json"))
    assert paths
    for path in paths:
        json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)
