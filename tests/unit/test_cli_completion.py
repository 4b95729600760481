"""Completion: what may come next, asked of the parser; and the scripts, run by the shells that are here."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from byheart.cli import main
from byheart.cli.completing import EMBEDDERS, SCRIPTS, following
from byheart.cli.parser import build_parser
from byheart.embedding import named
from byheart.profiles import NAMES

PARSER = build_parser()


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("re", ["remember", "recall", "replay", "rebuild"]),
        ("eval con", ["convert"]),
        ("recall --prof", ["--profile"]),
        ("recall --profile ", list(NAMES)),
        ("recall tea --profile=kb-f", ["--profile=kb-fast"]),
        ("recall tea --class s", ["secret"]),
        ("remember x --kind --top", ["--topic"]),
        ("mcp config --client cl", ["claude-code", "claude-desktop"]),
        ("completion ", ["bash", "zsh", "fish"]),
        ("eval convert ", ["longmemeval", "locomo", "convomem", "sessions"]),
        ("eval convert locomo ", []),
        ("recall -- --prof", []),
        ("recall --memory ", []),
        ("stats ", []),
        ("completion bash ", []),
        ("completion bash x ", []),
        ("dance --x", []),
    ],
)
def test_what_may_come_next(typed: str, expected: list[str]) -> None:
    assert list(following(PARSER, typed.split(" "))) == expected


def test_every_command_and_option_is_offered() -> None:
    assert EMBEDDERS == named.NAMES
    assert {"remember", "context", "doctor", "list", "mcp"} <= set(following(PARSER, [""]))
    for command in following(PARSER, [""]):
        offered = following(PARSER, [command, "--"])
        [choice] = [action for action in PARSER._actions if action.dest == "command"]
        shown = PARSER._subparsers is not None and choice.choices[command].format_help()  # type: ignore[index, call-overload]
        assert "--help" in offered and all(option in str(shown) for option in offered), command


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_answers_are_written_as_a_shell_reads_them(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell, "--words", "recall", "tea", "--no-op"]) == 0
    line = capsys.readouterr().out.rstrip("\n")
    assert line.startswith("--no-operators") and "\n" not in line
    assert line[len("--no-operators") :][:1] == {"bash": "", "zsh": ":", "fish": "\t"}[shell]
    assert main(["completion", shell, "--words"]) == 0
    assert "recall" in capsys.readouterr().out


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which `byheart` is this one."""
    program = tmp_path / "bin" / "byheart"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m byheart "$@"\n')
    program.chmod(0o755)
    return os.environ | {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes(environment: dict[str, str]) -> None:
    program = """
        eval "$(byheart completion bash)"
        COMP_WORDS=(byheart recall tea --profile kb) COMP_CWORD=4
        _byheart
        echo "${COMPREPLY[@]}"
        COMP_WORDS=(byheart reca tea --profile kb) COMP_CWORD=1
        _byheart
        echo "${COMPREPLY[@]}"
        COMP_WORDS=(byheart recall tea --profile = kb-t) COMP_CWORD=5  # as bash parts --profile=kb-t
        _byheart
        echo "${COMPREPLY[@]}"
        complete -p byheart
    """
    done = subprocess.run(["bash", "-c", program], env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines()[:3] == ["kb-fast kb-balanced kb-thinkingdb", "recall", "kb-thinkingdb"], done.stderr
    assert "-F _byheart byheart" in done.stdout and done.stderr == ""


@pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish")
def test_fish_completes(environment: dict[str, str]) -> None:
    program = "byheart completion fish | source; complete -C 'byheart recall tea --profile kb'"
    done = subprocess.run(["fish", "-c", program], env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["kb-balanced", "kb-fast", "kb-thinkingdb"], done.stderr


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh")
def test_zsh_reads_the_script(environment: dict[str, str]) -> None:
    program = """
        compdef() { echo "compdef $@" }
        _describe() { print -l -- "${(@P)2}" }
        eval "$(byheart completion zsh)"
        words=(byheart recall tea --profile kb) CURRENT=5
        _byheart
    """
    done = subprocess.run(["zsh", "-fc", program], env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == ["compdef _byheart byheart", "kb-fast:", "kb-balanced:", "kb-thinkingdb:"], done
