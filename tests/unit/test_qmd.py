"""QMD's rules: the language of questions, strong signals, blends, cuts, wordings; and its bench's rules."""

import pytest

from byheart.errors import InvalidArgument
from byheart.evaluation import bench, bench_metrics
from byheart.ranking.qmd import chunks, scores
from byheart.ranking.qmd.chunks import Break, Cut
from byheart.ranking.qmd.syntax import Line, holds, of_all, parse
from byheart.retrieval.qmd import Variant
from byheart.retrieval.qmd.expansion import expanded, fallback

# ---- the language of questions


@pytest.mark.parametrize("name", ["snake_case", "state-of-the-art", "a.b.c", "foo::bar", "x-1", "C++", "don't"])
def test_names_are_no_marks(name: str) -> None:
    read = parse(f"where is {name} set?")
    assert read.plain and read.lines == (Line("plain", f"where is {name} set?"),)


def test_marks() -> None:
    [line] = parse('the "Blue  Kettle" +must -old -"two words" rest').lines
    assert line == Line("plain", "the Blue  Kettle must rest", ("blue kettle", "must"), ("old", "two words"))
    assert line.admits("A blue kettle\nmust shine") and not line.admits("A blue kettle must be old")
    assert not line.admits("a kettle, blue, must") and not line.admits("blue kettle")


@pytest.mark.parametrize("text", ['say "no end', "-", "- a", '""', "+", "a -- b"])
def test_what_is_no_mark_is_a_letter(text: str) -> None:
    assert not parse(text).lines[0].constrained


def test_typed_lines() -> None:
    read = parse("LEX: foo_bar -old\nvec: how is foo set?\nhyde: Foo is set by a switch.\nintent: settings")
    assert [(line.kind, line.text, line.without) for line in read.lines] == [
        ("lex", "foo_bar", ("old",)), ("vec", "how is foo set?", ()), ("hyde", "Foo is set by a switch.", ()),
    ]  # fmt: skip
    assert read.typed and read.intent == "settings" and of_all(read) is None
    assert parse("expand: kettle").expand and parse("expand: kettle").lines == (Line("plain", "kettle"),)
    mixed = parse("tea\nlex: pot")
    assert [line.kind for line in mixed.lines] == ["plain", "lex"]
    assert of_all(parse("lex: tea -old")) is not None


def test_phrases_are_whole_words_but_for_scripts_without_spaces() -> None:
    assert holds("a foo-bar b", "foo-bar") and holds("x.foo y", "foo") and not holds("food", "foo")
    assert holds("東京タワー", "タワー") and not holds("foo_bar", "bar")


# ---- scores


def test_a_strong_signal_needs_a_score_a_gap_and_no_intent() -> None:
    assert scores.strong_signal([0.85, 0.70]) and scores.strong_signal([0.85])
    assert not scores.strong_signal([0.849]) and not scores.strong_signal([0.9, 0.76])
    assert not scores.strong_signal([]) and not scores.strong_signal([0.9], "tea") and scores.strong_signal([0.9], "")


@pytest.mark.parametrize(("rank", "weight"), [(1, 0.75), (3, 0.75), (4, 0.6), (10, 0.6), (11, 0.4), (99, 0.4)])
def test_what_a_place_counts(rank: int, weight: float) -> None:
    assert scores.place_weight(rank) == weight
    assert scores.blend(rank, 0.5) == weight / rank + (1 - weight) * 0.5


def test_the_first_place_keeps_three_quarters_whatever_is_said() -> None:
    assert scores.blend(1, 0.0) == 0.75
    with pytest.raises(InvalidArgument, match="count from 1"):
        scores.blend(0, 0.5)


# ---- cuts


def test_a_cut_is_never_inside_fenced_code_and_the_first_of_equals_is_taken() -> None:
    breaks = [Break(3000, 100.0), Break(3300, 20.0)]
    assert chunks.cutoff(breaks, 3600, fences=[(2900, 3100)]).pos == 3300
    assert chunks.cutoff(breaks, 3600, fences=[(3000, 3100)]).pos == 3000, "its edge is outside"
    assert chunks.cutoff([Break(2799, 100.0), Break(3601, 100.0)], 3600) == Cut(3600, None)
    assert chunks.cutoff([Break(100, 0.0), Break(50, 0.0)], 100) == Cut(100, 0.0)
    with pytest.raises(InvalidArgument, match="window"):
        chunks.cutoff([], 10, window=0)


def test_the_strongest_break_of_a_place_counts() -> None:
    text = "a\n# one\n\ntext\n- item\n1. item\n---\n```\ncode\n```\n###### six\nend"
    found = {text[pos + 1 : pos + 4]: score for pos, score in chunks.break_points(text)}
    assert found == {
        "# o": 100.0, "\nte": 20.0, "tex": 1.0, "- i": 5.0, "1. ": 5.0, "---": 60.0, "```": 80.0, "cod": 1.0,
        "###": 50.0, "end": 1.0,
    }  # fmt: skip


def test_pieces_overlap_hold_all_of_a_text_and_end_at_headings() -> None:
    text = "".join(f"# heading {n}\n{'word ' * 150}\n" for n in range(12))
    made = chunks.pieces(text)
    assert len(made) > 2 and all(len(piece.text) <= chunks.CHUNK for piece in made)
    assert all(text[piece.pos : piece.pos + len(piece.text)] == piece.text for piece in made)
    ends = [piece.pos + len(piece.text) for piece in made]
    assert [end - after.pos for end, after in zip(ends[:-1], made[1:], strict=True)] == [540] * (len(made) - 1)
    assert all(text[end:].startswith("\n# heading") for end in ends[:-1]) and ends[-1] == len(text)


def test_code_that_is_not_closed_goes_on_to_the_end_whatever_was_closed_before() -> None:
    closed = "a\n```\nb\n```\nc"
    assert chunks.code_fences(closed) == [(1, 11)]
    assert chunks.code_fences(closed + "\n```\nd") == [(1, 11), (13, 19)]


@pytest.mark.parametrize(("size", "overlap", "window"), [(10, 10, 1), (10, 4, 6), (10, -1, 6), (10, 4, 0), (10, 9, 1)])
def test_what_leaves_nothing_to_go_on_by_is_refused(size: int, overlap: int, window: int) -> None:
    with pytest.raises(InvalidArgument, match="size"):
        chunks.pieces("tea", size=size, overlap=overlap, window=window)


def test_the_least_to_go_on_by_is_enough() -> None:
    made = chunks.pieces("xxxxx\n" + "x" * 10, size=10, overlap=4, window=5)
    assert [(piece.pos, len(piece.text)) for piece in made] == [(0, 5), (1, 10), (7, 9)]


def test_the_piece_with_most_words_of_the_question_is_read() -> None:
    parts = [chunks.Piece("tea and tea", 0), chunks.Piece("the kettle is descaled", 20), chunks.Piece("kettle", 50)]
    assert chunks.best_piece(parts, "is a kettle descaled?").pos == 20
    assert chunks.best_piece(parts, "no such thing").pos == 0
    assert chunks.terms("Is it TEA? tea") == ["tea"]
    assert chunks.best_piece(parts, "kettle and tea", "descaled").pos == 0
    assert chunks.overlap_score("kettle descaled", ["kettle"], ["descaled"], share=chunks.SNIPPET_INTENT) == 1.3


# ---- wordings


class Model:
    def __init__(self, *said: tuple[str, str], fails: bool = False) -> None:
        self.said, self.fails = said, fails

    def expand(self, query: str, intent: str | None, *, temperature: float, max_tokens: int) -> list[Variant]:
        assert (temperature, max_tokens) == (0.7, 600)
        if self.fails:
            raise OSError("no model")
        return [Variant(*each) for each in self.said]


def test_wordings_are_taken_once_and_there_is_a_fallback() -> None:
    lines, failed = expanded(Model(("lex", "pot"), ("lex", "pot"), ("bogus", "x"), ("vec", " ")), "kettle", None)
    assert lines == (Line("lex", "pot"),) and failed is None
    for model, why in ((Model(fails=True), "OSError"), (Model(), "no wording")):
        lines, failed = expanded(model, "kettle", None)
        assert [(line.kind, line.text) for line in lines] == list(fallback("kettle")) and why in (failed or "")


# ---- the bench


def test_drawing_questions() -> None:
    assert bench.sample(4) == [0, 1, 2, 3] and bench.sample(10, 3) == bench.sample(10, 3, 0)
    assert bench.sample(100, 5, 7, limit=2) == [6, 19] and bench.sample(3, 3, 9) == [0, 1, 2]
    for size in (0, -1, 11):
        with pytest.raises(InvalidArgument, match="size"):
            bench.sample(10, size)
    with pytest.raises(InvalidArgument, match="limit"):
        bench.sample(10, limit=-1)


@pytest.mark.parametrize(
    ("metadata", "messages", "label"),
    [
        ({"importance": " High "}, (), "must"),
        ({"importance": False}, ("important",), "ignore"),
        ({"importance": "odd", "priority": "p3"}, ("important",), "ignore"),
        ({"importance_label": "nice_to_have", "priority": "p1"}, (), "nice"),
        ({"must_remember": "must_remember"}, (), "must"),
        ({"kind": "p1"}, ("A likely story",), "nice"),
        ({}, ("I PLAN it", "no exceptions"), "must"),
        ({"importance": None}, (), "ignore"),
    ],
)
def test_what_must_be_kept(metadata: dict[str, object], messages: tuple[str, ...], label: str) -> None:
    assert bench.importance_label(metadata, messages) == label


NAMED = {
    "must": "must must_remember critical high p1", "nice": "nice nice_to_have medium p2", "ignore": "ignore low p3",
}  # fmt: skip
SAID = {
    "must": (
        "must remember",
        "important",
        "critical",
        "deadline",
        "risk",
        "hard stop",
        "do not forget",
        "no exceptions",
    ),
    "nice": ("preference", "like", "usually", "plan", "note", "remind"),
}


@pytest.mark.parametrize(("label", "name"), [(label, name) for label, names in NAMED.items() for name in names.split()])
@pytest.mark.parametrize("key", ["importance", "importance_label", "priority", "must_remember"])
def test_each_name_of_a_label_is_known_under_each_key(key: str, label: str, name: str) -> None:
    other = "a risk" if label == "ignore" else "no word of it"
    assert bench.importance_label({key: name}, [other]) == label


@pytest.mark.parametrize(("label", "words"), [(label, words) for label, said in SAID.items() for words in said])
def test_each_word_of_a_message_tells_its_label(label: str, words: str) -> None:
    assert bench.importance_label(None, ["Tea.", f"So: {words.upper()}!"]) == label
    assert bench.importance_label(None, ["Tea.", "So: a kettle!"]) == "ignore"


def test_an_arm_wins_only_by_all_three() -> None:
    base = bench.Arm(200.0, 0.9, 0.8)
    assert bench.wins(base, bench.Arm(160.0, 0.875, 0.8))
    for lost in (bench.Arm(160.1, 0.9, 0.8), bench.Arm(100.0, 0.86, 0.9), bench.Arm(100.0, 1.0, 0.7999)):
        assert not bench.wins(base, lost)
    assert not bench.wins(bench.Arm(0.0, 0.9, 0.8), bench.Arm(0.0, 0.9, 0.8))


def test_scores_divide_precision_by_k_and_refuse_k_below_one() -> None:
    assert bench_metrics.score(["a"], ["a", "a", "b"], 4) == (1.0, 0.25, 0.5, 1.0, pytest.approx(0.6131471927654584))
    for k in (0, -1):
        with pytest.raises(InvalidArgument, match="k:"):
            bench_metrics.score(["a"], ["a"], k)


def test_percentiles_at_and_beyond_their_ends() -> None:
    values = [3.0, 1.0, 2.0]
    assert [bench_metrics.percentile(values, p) for p in (-5, 0, 50, 75, 100, 200)] == [1.0, 1.0, 2.0, 2.5, 3.0, 3.0]


def test_what_fits_behind_an_overlap_is_the_last_piece() -> None:
    size, step = 3_600, 3_060
    assert [piece.pos for piece in chunks.pieces("x" * (step + size))] == [0, step]
    assert [piece.pos for piece in chunks.pieces("x" * (step + size + 1))] == [0, step, 2 * step]
