"""Files that version control passes over: the rules of `.gitignore` mean here what Git says that they mean."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from byheart.ingestion.ignoring import FILE, Ignored

from ..counts import examples

signs = st.sampled_from([*"abA/*?[]!^-\\#. ", "é", "ü", "**", "/**/", "[!", "[a-b]", "[[:alpha:]]", "\\ "])
lines = st.lists(st.lists(signs, max_size=7).map("".join), min_size=1, max_size=3)
names = st.lists(st.text("abAéü-.#! []", min_size=1, max_size=3), min_size=1, max_size=3).filter(
    lambda parts: not {".", ".."} & set(parts)
)


def passed_over_by_git(root: Path, path: str) -> bool:
    done = subprocess.run(
        ["git", "check-ignore", "--quiet", "--no-index", "--stdin", "-z"], cwd=root, input=path.encode(), check=False
    )
    assert done.returncode in (0, 1)
    return done.returncode == 0


def passed_over(root: Path, path: str) -> bool:
    """Whether a path is passed over, or a folder that it lies in."""
    ignored, place = Ignored(root), root / path
    folders = [each for each in reversed(place.parents) if root in each.parents]
    return any(ignored.passes_over(each, folder=True) for each in folders) or ignored.passes_over(place, folder=False)


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git to compare with")
@settings(max_examples=examples(2_000))
@given(lines, names)
@example(["?"], ["é"])
@example(["[!a]"], ["é"])
@example(["[é]"], ["é"])
@example(["??"], ["é"])
@example(["é*"], ["éa"])
@example(["a/", "!a"], ["a", "b"])
@example(["*", "!a"], ["a", "b"])
def test_a_path_is_passed_over_as_by_git(lines: list[str], names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
        (root / FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")
        place = root.joinpath(*names)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
        wanted = passed_over_by_git(root, "/".join(names))
        event(f"passed over: {wanted}")
        assert passed_over(root, "/".join(names)) == wanted
