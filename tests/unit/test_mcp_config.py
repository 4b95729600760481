"""What hosts are told to start, and which memory a server takes: all of it said when it is started."""

import json
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest

from byheart.cli import main, serving
from byheart.cli.parser import build_parser
from byheart.errors import InvalidArgument
from byheart.mcp.hosts import HOSTS, program, snippet
from byheart.mcp.rates import Rate
from byheart.mcp.serving import Settings, Web, memory_file, token_of
from byheart.mcp.tool import GROUPS

TOKEN = "0123456789abcdef0123456789abcdef"


def entry(client: str, text: str) -> Any:
    """Return what a host reads of a snippet."""
    if client == "codex":
        return tomllib.loads(text)["mcp_servers"]["byheart"]
    [(key, servers)] = json.loads(text).items()
    assert key == ("servers" if client == "vscode" else "mcpServers")
    return servers["byheart"]


@pytest.mark.parametrize("client", HOSTS)
def test_each_host_is_told_how_to_start_it(client: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    odd = tmp_path / 'a "quoted" näme.db'
    assert main(["mcp", "config", "--client", client, "--memory", str(odd), "--tools", "all", "--read-only"]) == 0
    said = capsys.readouterr()
    told = entry(client, said.out)
    assert said.err.startswith("put this into ")
    command = [told["command"], *told["args"]]
    assert command[: len(program())] == program() and Path(command[0]).is_absolute()
    assert command[len(program()) :] == ["mcp", "--memory", str(odd), "--tools", "all", "--read-only"]
    args = build_parser().parse_args(command[len(program()) :])
    assert (args.command, args.memory, args.tools, args.read_only) == ("mcp", str(odd), "all", True)


def test_a_host_is_told_what_bounds_the_server(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    own = ["--tools", "pce", "--admin", "--allow", "tool:*", "--allow", "answer:task", "--rate", "5/1"]
    for policy, told in (
        ("default", "default"),
        ("stored", "stored"),
        (str(tmp_path / "own.yaml"), str(tmp_path / "own.yaml")),
    ):
        assert main(["mcp", "config", "--client", "cursor", "--policy", policy, *own]) == 0
        args = build_parser().parse_args(entry("cursor", capsys.readouterr().out)["args"][len(program()) - 1 :])
        assert (args.policy, args.allow, args.admin, args.rate) == (told, ["tool:*", "answer:task"], True, "5/1")
    assert main(["mcp", "config", "--client", "cursor", "--policy", "own.yaml"]) == 0
    args = build_parser().parse_args(entry("cursor", capsys.readouterr().out)["args"][len(program()) - 1 :])
    assert Path(args.policy).is_absolute() and (args.allow, args.admin, args.rate) == (None, False, None)


@pytest.mark.parametrize("client", [name for name, host in HOSTS.items() if host.project_file])
def test_a_host_may_open_a_memory_for_each_folder(client: str) -> None:
    text, where = snippet(client, [], project=True)
    args = build_parser().parse_args(entry(client, text)["args"][len(program()) - 1 :])
    assert args.project == HOSTS[client].folder and args.memory is None
    assert where == HOSTS[client].project_file


def test_a_host_that_knows_no_folders_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "config", "--client", "claude-desktop", "--project"]) == 2
    assert "knows no folders" in capsys.readouterr().err
    assert main(["mcp", "config", "--client", "cursor", "--project", "--memory", "x"]) == 2
    assert "not both" in capsys.readouterr().err


def test_what_no_server_would_take_is_refused_and_the_memory_of_the_environment_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for wrong in (("--tools", "nope"), ("--rate", "x")):
        assert main(["mcp", "config", "--client", "cursor", *wrong]) == 2
        told = capsys.readouterr()
        assert wrong[1] in told.err and told.out == ""
    monkeypatch.setenv("BYHEART_MEMORY", str(tmp_path / "team.db"))
    assert main(["mcp", "config", "--client", "cursor"]) == 0
    assert json.dumps(str(tmp_path / "team.db")) in capsys.readouterr().out
    assert main(["mcp", "config", "--client", "cursor", "--project"]) == 0
    assert "team.db" not in capsys.readouterr().out


def test_the_command_line_knows_every_host_and_group() -> None:
    assert set(serving.CLIENTS) == set(HOSTS)
    assert all(group in build_parser().parse_args(["mcp", "--tools", group]).tools for group in GROUPS)


def test_which_memory_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("BYHEART_MEMORY", raising=False)
    (tmp_path / "home").mkdir()
    own = memory_file(None, None)
    assert own == tmp_path / "home" / ".byheart" / "memory.db"
    assert stat.S_IMODE(own.parent.stat().st_mode) == 0o700 and not list(own.parent.iterdir())
    project = memory_file(None, str(tmp_path))
    assert project == tmp_path / ".byheart" / "memory.db"
    assert (project.parent / ".gitignore").read_text(encoding="utf-8") == "*\n"
    monkeypatch.setenv("BYHEART_MEMORY", str(tmp_path / "x.db"))
    assert memory_file(None, None) == tmp_path / "x.db"
    assert memory_file("y.db", None) == Path("y.db")
    assert memory_file(None, str(tmp_path)) == project, "a folder that is named stands above the environment"
    with pytest.raises(InvalidArgument, match="is no folder"):
        memory_file(None, str(tmp_path / "nowhere"))


def test_a_token_comes_from_the_environment_or_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN_X", " abc ")
    (tmp_path / "token").write_text("def\n", encoding="utf-8")
    assert token_of(None, "TOKEN_X") == "abc" and token_of(str(tmp_path / "token"), "TOKEN_X") == "def"
    assert token_of(None, "TOKEN_THAT_IS_NOT_THERE") is None
    options = {name for action in build_parser()._subparsers._group_actions for name in action.choices["mcp"]._option_string_actions}  # type: ignore[union-attr]  # fmt: skip  # noqa: E501
    assert {"--token-file", "--token-env"} <= options and "--token" not in options, (
        "others could read it in a list of processes"
    )


def test_hosts_and_origins_that_are_known() -> None:
    web = Web(host="memory.lan", port=80, token="x" * 16, hosts=("m.example",), origins=("https://app.example",))
    assert web.known(8807) == (["memory.lan:8807", "m.example"], ["https://app.example"])
    assert Web(host="::1", port=0, token=None).known(1)[0] == ["127.0.0.1:1", "localhost:1", "[::1]:1"]


def test_every_option_of_the_command_reaches_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []
    monkeypatch.setattr("byheart.mcp.serving.run", lambda *given: started.append(given))
    monkeypatch.setenv("TOKEN_X", TOKEN)
    options = (
        "--preset conversation --profile dense --tools files,recall --names both --read-only --admin --tenant ann "
        "--scope s1 --scope s2 --class pii --class public --http [::1]:8807 --token-env TOKEN_X --allow-host h.example "
        "--allow-origin https://o.example --embedder hashing --policy own.yaml --allow tool:* --allow a:b --rate 7/3"
    )
    assert main(["mcp", "--memory", str(tmp_path / "x.db"), *options.split()]) == 0
    [(settings, web, embedder)] = started
    assert settings == Settings(
        memory=tmp_path / "x.db", tools="files,recall", names="both", read_only=True, admin=True, tenant="ann",
        scopes=("s1", "s2"), classes=("pii", "public"), preset="conversation", profile="dense", policy="own.yaml",
        allow=("tool:*", "a:b"), rate=Rate(7, 3),
    )  # fmt: skip
    assert settings.boundary_class == "pii" and Settings(memory=tmp_path).boundary_class == "internal"
    assert web == Web(host="::1", port=8807, token=TOKEN, hosts=("h.example",), origins=("https://o.example",))
    assert embedder.fingerprint.family == "hashing"
    assert main(["mcp", "--memory", str(tmp_path / "x.db")]) == 0
    usual = started[1][0]
    assert usual == Settings(memory=tmp_path / "x.db") and usual.rate == Rate(1_000, 10)
    assert (usual.policy, usual.allow, usual.admin) == (None, ("answer:task",), False)
    assert main(["mcp", "--memory", str(tmp_path / "x.db"), "--rate", "0"]) == 0 and started[2][0].rate is None
    assert main(["mcp", "--memory", str(tmp_path / "x.db"), "--rate", "often"]) == 2 and len(started) == 3


def test_what_is_set_reaches_the_calls(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    settings = Settings(memory=tmp_path / "x.db", admin=True, preset="conversation", profile="dense", tenant="ann")
    with settings.open() as memory:
        service = settings.dispatch(memory).service
        assert (service.admin, service.read_only, service.profile) == (True, False, "dense")
        assert memory.stats()["preset"] == "conversation" and memory.stats()["boundary"]["tenant"] == "ann"
        assert "no embedder" in settings.dispatch(memory)("recall", {"query": "tea"}).data["notes"][0]


SETTINGS = """
memory = "me.db"
tenant = "ann"
scope = "session"
preset = "conversation"
embedder = "hashing"
single_valued = ["lives_in"]
relations = ["likes"]
durability = "normal"
context_budget = 12
[recall]
profile = "few"
[profiles.few]
base = "auto"
max_results = 3
"""


@pytest.mark.parametrize("way", ["lies there", "--settings", "BYHEART_SETTINGS"])
def test_a_server_heeds_the_file_of_settings_as_the_other_commands_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    started: list[Any] = []
    monkeypatch.setattr("byheart.mcp.serving.run", lambda *given: started.append(given))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("BYHEART_MEMORY", raising=False)
    file = tmp_path / ("byheart.toml" if way == "lies there" else "own.toml")
    file.write_text(SETTINGS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    if way == "BYHEART_SETTINGS":
        monkeypatch.setenv(way, str(file))
    assert main(["mcp", *([way, str(file)] if way == "--settings" else [])]) == 0
    [(settings, _, embedder)] = started
    named = way != "lies there"
    assert (settings.memory == tmp_path / "me.db") is named, "a host starts it anywhere: no file there says whose it is"
    assert settings.tenant == ("ann" if named else "default") and embedder.fingerprint.family == "hashing"
    assert (settings.preset, settings.scopes, settings.profile.max_results) == ("conversation", None, 3)
    assert settings.opening == {
        "scope": "session", "relations": ["likes"], "single_valued": ["lives_in"], "durability": "normal",
        "context_budget": 12,
    }  # fmt: skip
    with settings.open() as memory:
        for at, town in enumerate(("Rome", "Oslo"), 1):
            memory.remember(f"I live in {town}.", id=town, created_at=at)
        assert (memory.get("Rome").superseded_by, memory.get("Rome").scope) == ("Oslo", "session")


def test_what_is_typed_for_a_server_stands_above_the_file_of_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Any] = []
    monkeypatch.setattr("byheart.mcp.serving.run", lambda *given: started.append(given))
    monkeypatch.chdir(tmp_path)
    Path("own.toml").write_text(SETTINGS + "", encoding="utf-8")
    typed = "--settings own.toml --single-valued works_at --profile dense --scope s1 --tenant bob --preset default"
    assert main(["mcp", "--project", ".", *typed.split()]) == 0
    settings = started[0][0]
    assert settings.memory == Path(".byheart/memory.db") and (settings.profile, settings.tenant) == ("dense", "bob")
    assert (settings.scopes, settings.preset, settings.opening["single_valued"]) == (("s1",), "default", ["works_at"])
    with settings.open() as memory:
        assert memory.get(memory.remember("Tea.")).scope == "s1"
    Path("own.toml").write_text("read_only = true\n", encoding="utf-8")
    assert main(["mcp", "--settings", "own.toml", "--memory", "x.db"]) == 0 and started[1][0].read_only
    assert main(["mcp", "--settings", "nowhere.toml", "--memory", "x.db"]) == 2 and len(started) == 2


def test_a_host_is_told_which_settings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["mcp", "config", "--client", "cursor", "--settings", str(tmp_path / "own.toml")]) == 0
    args = build_parser().parse_args(entry("cursor", capsys.readouterr().out)["args"][len(program()) - 1 :])
    assert args.settings == str(tmp_path / "own.toml")
