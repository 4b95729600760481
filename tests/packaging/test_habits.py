"""The habits around a change: hooks check what `make lint` checks and fetch nothing; forms and guides are there."""

import re
from pathlib import Path

COMMANDS = ("ruff check", "ruff format --check", "cargo fmt --check", "lint-imports --no-logo")


def test_hooks_are_local_and_run_what_lint_runs(root: Path) -> None:
    hooks = (root / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    lint = makefile[makefile.index("\nlint:") : makefile.index("\ntypes:")].replace(" --quiet", "")

    assert re.findall(r"- repo: (\S+)", hooks) == ["local"]
    assert len(re.findall(r"^\s+entry: ", hooks, re.MULTILINE)) == len(COMMANDS)
    for command in COMMANDS:
        assert command in hooks and command in lint, command


def test_the_forms_of_the_repository_are_there(root: Path) -> None:
    wanted = {"bug.yml", "feature.yml", "config.yml"}

    assert {path.name for path in (root / ".github" / "ISSUE_TEMPLATE").iterdir()} == wanted
    assert "make test" in (root / ".github" / "pull_request_template.md").read_text(encoding="utf-8")
    kinds = re.findall(r"package-ecosystem: (\S+)", (root / ".github" / "dependabot.yml").read_text(encoding="utf-8"))
    assert sorted(kinds) == ["cargo", "github-actions", "pip"]


def test_every_guide_is_in_the_list_and_has_a_program(root: Path) -> None:
    listed = (root / "docs" / "guides" / "README.md").read_text(encoding="utf-8")
    guides = [path for path in sorted((root / "docs" / "guides").glob("*.md")) if path.name != "README.md"]

    assert len(guides) >= 6, "the scan found too few guides to check"
    for guide in guides:
        assert f"]({guide.name})" in listed, guide.name
        assert re.search(r"^```(python|rust)$", guide.read_text(encoding="utf-8"), re.MULTILINE), guide.name
    assert "docs/guides/README.md" in (root / "README.md").read_text(encoding="utf-8")
