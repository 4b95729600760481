"""Where a command takes its settings from: options, the environment, `byheart.toml`; and what a path may be."""

import json
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.cli import main
from byheart.cli.configuring import configured
from byheart.cli.parser import build_parser
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument, UnknownField, UnknownProfile
from byheart.memory.settings import Settings
from byheart.profiles import get
from byheart.profiles.files import changed

SETTINGS = """
memory = "own.db"
embedder = "hashing"
tenant = "ann"

[recall]
profile = "few"
k = 2
exclude = ["t3"]
boundary = { classes = ["secret"] }

[profiles.few]
base = "auto"
set = { "stages.Strength.floor" = 0.0, "legs.words.pool" = 50 }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an empty folder, with an empty environment."""
    monkeypatch.chdir(tmp_path)
    for name in ("BYHEART_MEMORY", "BYHEART_SETTINGS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


class Called:
    """A command that was run: its code and outputs."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        try:
            self.code = main(arguments)
        except SystemExit as error:
            self.code = int(error.code or 0)
        self.out, self.err = capsys.readouterr()

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def test_the_memory_is_named_by_option_then_environment_then_settings(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    nameless = Called(capsys, "remember", "tea")
    assert nameless.code == 2 and "give --memory FILE, or set BYHEART_MEMORY" in nameless.err
    (folder / "byheart.toml").write_text('memory = "settings.jsonl"\n')
    assert Called(capsys, "remember", "one", "--id", "s").code == 0 and (folder / "settings.jsonl").exists()
    monkeypatch.setenv("BYHEART_MEMORY", "environment.jsonl")
    assert Called(capsys, "remember", "two", "--id", "e").code == 0 and (folder / "environment.jsonl").exists()
    assert Called(capsys, "remember", "three", "--id", "o", "-m", "option.jsonl").code == 0
    assert (folder / "option.jsonl").exists()
    assert [record["id"] for record in Called(capsys, "list", "--json").json["records"]] == ["e"]


def test_settings_stand_in_for_options_and_options_above_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "byheart.toml").write_text(SETTINGS)
    for number in range(5):
        Called(capsys, "remember", f"tea number {number}", "--id", f"t{number}", "--class", "secret")
    assert (folder / "own.db").exists()
    asked = Called(capsys, "recall", "tea number", "--json").json
    told = asked["receipt"]
    assert (told["profile"], told["k"], told["exclude"]) == ("few", 2, ["t3"])
    assert told["boundary"] == {"tenant": "ann", "scopes": None, "classes": ["secret"]}
    assert '"family":"hashing"' in told["embedder"] and len(asked["hits"]) == 2
    assert told["settings"]["legs"][0]["pool"] == 50, "the receipt holds the profile whole"
    told = Called(
        capsys, "recall", "tea number", "--json", "--profile", "kb-fast", "-k", "1", "--exclude", "t0", "--class",
        "public", "--tenant", "ben",
    ).json["receipt"]  # fmt: skip
    assert (told["profile"], told["k"], told["exclude"]) == ("kb-fast", 1, ["t0"])
    assert told["boundary"] == {"tenant": "ben", "scopes": None, "classes": ["public"]}
    assert Called(capsys, "list").out == "no records\n", "what a recall is told is no other command's"
    other = folder / "other.toml"
    other.write_text(f'memory = "{folder / "own.db"}"\ntenant = "ann"\n')
    assert Called(capsys, "recall", "tea", "--settings", str(other), "--class", "secret").code == 0


def test_the_environment_names_the_settings(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "below").mkdir()
    (folder / "below" / "mine.toml").write_text('memory = "m.jsonl"\nnoise = "refuse"\n')
    monkeypatch.setenv("BYHEART_SETTINGS", "below/mine.toml")
    assert Called(capsys, "remember", "The kettle is descaled.", "--id", "a").code == 0
    assert (folder / "below" / "m.jsonl").exists(), "a path is one from the folder of the file"
    assert Called(capsys, "remember", "Good morning!").code == 1, "what has no option holds too"


@pytest.mark.parametrize(
    ("line", "opening"),
    [
        ('hypervectors = "none"', {"hypervectors": "none"}),
        ('noise = "refuse"', {"noise": "refuse"}),
        ('noise_profile = "byheart"', {"noise_profile": "byheart"}),
        ("context_budget = 300", {"context_budget": 300}),
        ("read_only = true", {"read_only": True}),
        ('durability = "normal"', {"durability": "normal"}),
    ],
)
def test_what_no_option_says_is_opened_with(folder: Path, line: str, opening: dict[str, object]) -> None:
    (folder / "byheart.toml").write_text(f'memory = "m.jsonl"\n{line}\n')
    assert configured(build_parser(), ["recall", "tea"]).opening == opening


def test_a_parser_reads_a_second_line_as_it_read_the_first(folder: Path) -> None:
    parser = build_parser()
    alone = configured(parser, ["recall", "tea", "-m", "x.db"])
    (folder / "byheart.toml").write_text(SETTINGS)
    assert configured(parser, ["recall", "tea"]).k == 2
    with pytest.raises(InvalidArgument):  # what cannot be read leaves nothing behind either
        configured(parser, ["recall", "tea", "--settings", "none.toml"])
    (folder / "byheart.toml").unlink()
    again = configured(parser, ["recall", "tea", "-m", "x.db"])
    assert vars(again) == vars(alone)


WRONG = {
    'memry = "x"': (UnknownField, "there is no 'memry'; did you mean 'memory'?"),
    "memory = 3": (InvalidArgument, "memory: is 3; give text"),
    'durability = "fast"': (InvalidArgument, "durability: 'fast' is unknown; use one of full, normal"),
    "[recall]\nk = true": (InvalidArgument, "[recall]: k: is true; give a whole number"),
    "[recall]\nexclude = [1]": (InvalidArgument, "exclude: is [1]; give a list of texts"),
    '[recall]\nprofil = "auto"': (UnknownField, "did you mean 'profile'?"),
    '[recall]\nprofile = "mine"': (UnknownProfile, "'mine' does not exist"),
    '[profiles.x]\nbase = "auto"\nset = { "legs.wrds.pool" = 3 }': (InvalidArgument, "did you mean 'words'?"),
    '[profiles.x]\nbase = "auto"\nset = { "pool" = "many" }': (InvalidArgument, "is 100, and cannot become 'many'"),
    '[profiles.auto]\nbase = "auto"': (InvalidArgument, "is a profile of byheart"),
    "recall = 3": (InvalidArgument, "recall: is no table"),
    "memory": (InvalidArgument, "byheart.toml: "),
}


@pytest.mark.parametrize("text", WRONG, ids=[text.split("\n")[-1] for text in WRONG])
def test_wrong_settings_are_one_error_that_names_file_and_place(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    file = folder / "byheart.toml"
    file.write_text(text)
    kind, message = WRONG[text]
    with pytest.raises(kind) as raised:
        Settings.read(file)
    assert message in str(raised.value)
    done = Called(capsys, "remember", "x", "-m", "m.db")
    assert done.code == 2 and message in done.err and done.err.count("\n") == 1
    assert not (folder / "m.db").exists()


def test_programs_open_the_same_memory(folder: Path) -> None:
    file = folder / "byheart.toml"
    file.write_text(SETTINGS)
    settings = Settings.read(file)
    with settings.open() as memory:
        memory.remember("tea", id="t", boundary_class="secret")
        assert [hit.id for hit in memory.recall("tea", **settings.options())] == ["t"]
        assert '"family":"hashing"' in memory.stats()["embedder"]
    assert (folder / "own.db").exists() and settings.profile("kb-fast") == get("kb-fast")


def test_an_embedder_of_the_program_is_taken_without_loading_that_of_the_settings(folder: Path) -> None:
    file = folder / "byheart.toml"
    file.write_text('embedder = "model2vec:absent"\n')
    with Settings.read(file).open(path=None, embedder=HashingEmbedder()) as memory:
        assert '"family":"hashing"' in memory.stats()["embedder"]


def test_a_number_of_a_profile_is_set_by_its_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Called(capsys, "remember", "tea", "-m", "m.db")
    changes = ("max_results=3", "legs.dense.pool=7", "legs.0.pool=9", "stages.Neighbours.after=0", "mode=approx")
    options = [word for change in changes for word in ("--set", change)]
    told = Called(capsys, "recall", "tea", "-m", "m.db", "--json", *options).json["receipt"]
    pools = [leg["pool"] for leg in told["settings"]["legs"][:2]]
    assert (told["k"], pools, told["settings"]["mode"]) == (3, [9, 7], "approx")
    assert {"stage": "Neighbours", "before": 0.15, "after": 0} in told["settings"]["stages"]
    for wrong, message in (
        ("max_result=3", "did you mean 'max_results'?"),
        ("legs.9.pool=3", "there is no '9'"),
        ("legs.words.pool=0.5", "cannot become 0.5; give a whole number"),
        ("max_results=abc", "max_results: is 10, and cannot become 'abc'; give a whole number"),
        ("max_results=-1", "byheart: max_results: is -1; it must lie between 1 and 100000"),
        ("legs.words.pool=0", "must lie between"),
        ("legs.words=3", "is a table, and cannot become 3"),
        ("max_results=true", "max_results: is 10, and cannot become True; give a whole number"),
        ("nothing", "is no PLACE=VALUE"),
    ):
        done = Called(capsys, "recall", "tea", "-m", "m.db", "--set", wrong)
        assert done.code == 2 and message in done.err, wrong
    assert changed(get("auto"), {}) == get("auto")


def test_null_is_no_value_and_every_other_word_is_a_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Called(capsys, "remember", "tea", "-m", "m.db")
    asked = ("recall", "tea", "-m", "m.db", "--json", "--set")
    assert Called(capsys, *asked, "users=null").json["receipt"]["settings"] == get("auto").to_dict()
    assert Called(capsys, *asked, "users=refused").json["receipt"]["settings"]["users"] == "refused"
    for word in ("NULL", '"null"'):
        done = Called(capsys, *asked, f"users={word}")
        assert done.code == 2 and "users" in done.err, word


def test_a_profile_may_come_from_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Called(capsys, "remember", "tea", "-m", "m.db")
    (folder / "mine.toml").write_text('[mine]\nbase = "kb-fast"\nmax_results = 1\n')
    told = Called(capsys, "recall", "tea", "-m", "m.db", "--profile", "mine.toml", "--json").json["receipt"]
    assert (told["profile"], told["k"]) == ("mine", 1)
    (folder / "mine.toml").write_text('[a]\nbase = "auto"\n[b]\nbase = "auto"\n')
    assert "holds 2 of them" in Called(capsys, "recall", "tea", "-m", "m.db", "--profile", "mine.toml").err


# ---- paths


def test_the_users_folder_and_no_folder(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(folder / "home"))
    (folder / "home").mkdir()
    assert Called(capsys, "remember", "tea", "--memory=~/m.db").code == 0
    assert (folder / "home" / "m.db").exists() and not (folder / "~").exists()
    assert Called(capsys, "recall", "tea", "--memory=~/m.db").code == 0
    with byheart.Memory("~/m.db") as memory:
        assert len(memory.records()) == 1
    monkeypatch.setenv("BYHEART_MEMORY", "~/m.db")
    assert Called(capsys, "stats").code == 0


def test_memory_means_no_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tea.txt").write_text("Steep the tea.")
    assert Called(capsys, "remember", "tea", "-m", ":memory:").code == 0
    assert Called(capsys, "recall", "tea", "-m", ":memory:").code == 1
    assert Called(capsys, "import", "tea.txt", "-m", ":memory:", "--json").json["remembered"] == 1
    assert Called(capsys, "doctor", "-m", ":memory:").code == 0
    with byheart.Memory(":memory:") as memory:
        memory.remember("tea")
    assert [path.name for path in folder.iterdir()] == ["tea.txt"]


@pytest.mark.parametrize("named", [["-m", "me.db"], ["--memory", "me.db"], ["--memory=me.db"]])
def test_a_memory_file_may_be_named_before_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], named: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*named, "remember", "The kettle is blue.", "--id", "k"]) == 0
    assert main([*named, "recall", "--", "blue -tea"]) == 0
    assert main([*named, "doctor"]) == 0
    assert main(["get", "k", "-m", "me.db"]) == 0 and capsys.readouterr().err == ""
    for rest in ([], ["nothing"]):
        with pytest.raises(SystemExit, match="2"):
            main([*named, *rest])
        assert "COMMAND" in capsys.readouterr().err


def test_a_date_of_the_file_is_a_time(tmp_path: Path) -> None:
    file = tmp_path / "byheart.toml"
    file.write_text("[recall]\nsince = 2026-01-01\nuntil = 2026-02-01T10:00:00Z\n", encoding="utf-8")
    told = Settings.read(file).recall
    assert (told["since"], told["until"]) == ("2026-01-01", "2026-02-01T10:00:00+00:00")
    file.write_text("[recall]\nact = 2026-01-01\n", encoding="utf-8")
    with pytest.raises(InvalidArgument, match="act: is"):
        Settings.read(file)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ('tenant = "a\\u0000"', "byheart.toml: tenant: 'a\\x00' holds a control character"),
        ('preset = "x"', "byheart.toml: preset: 'x' is unknown; use one of default, conversation"),
        ('noise = "x"', "byheart.toml: noise: 'x' is none of mark, refuse, or None"),
        ('hypervectors = "x"', "byheart.toml: hypervectors: 'x' is unknown"),
        ('embedder = "nonsense"', "byheart.toml: embedder: 'nonsense' is neither hashing nor wordllama nor a folder"),
        ("[recall]\nk = 0", "byheart.toml: [recall]: k: is 0; ask for at least 1 result"),
        ('[recall]\nmode = "x"', "byheart.toml: [recall]: mode: 'x' is unknown"),
        ('[recall]\nprofile = "autoo"', "byheart.toml: [recall]: profile: 'autoo' does not exist"),
    ],
)
def test_a_wrong_value_is_told_with_the_file_that_it_stands_in(
    folder: Path, capsys: pytest.CaptureFixture[str], setting: str, said: str
) -> None:
    byheart.Memory("m.db").remember("tea")
    (folder / "byheart.toml").write_text(setting, encoding="utf-8")
    found = Called(capsys, "--memory", "m.db", "recall", "tea")
    assert (found.code, found.err.startswith(f"byheart: {said}")) == (2, True), found.err


def test_a_wrong_option_is_not_blamed_on_the_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    byheart.Memory("m.db").remember("tea")
    (folder / "byheart.toml").write_text("[recall]\nk = 3\n", encoding="utf-8")
    found = Called(capsys, "--memory", "m.db", "recall", "tea", "-k", "0")
    assert (found.code, "byheart.toml" in found.err) == (2, False), found.err
    (folder / "byheart.toml").unlink()
    found = Called(capsys, "--memory", "m.db", "recall", "tea", "--embedder", "nonsense")
    assert found.err.startswith("byheart: embedder: 'nonsense' is neither"), found.err
