"""HTML pages as they are read: what a browser shows apart is apart, and what is written in lines keeps them."""

import pytest

pytest.importorskip("bs4", reason="the extra documents is not installed")

from byheart.ingestion.documents import text_of_html


def read(page: str) -> str:
    return text_of_html(page.encode(), "page.html")[0]


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ("<table><tr><td>Heinz</td><td>5550134</td></tr></table>", "Heinz | 5550134"),
        (
            "<p>Who</p><table><thead><tr><th>Name</th><th>Phone</th></tr></thead><tbody><tr><td>Heinz<td>5550134</tr>"
            "<tr><td><p>Ann</p></td><td><div><b>5</b>5</div></td></tr></tbody></table><p>End</p>",
            "Who\n\nName | Phone\nHeinz | 5550134\nAnn | 55\n\nEnd",
        ),
        ("<table><tr><td>1 Main St<br>Rome</td><td></td><td> x </td></tr></table>", "1 Main St Rome | x"),
        ("<table><tr><td><h2>Tea</h2><p>Hot.</p><p>Green.</p></td></tr></table>", "## Tea\n\nHot.\nGreen."),
        ("<table><tr><td>a<table><tr><td>b</td><td>c</td></tr></table>d</td></tr></table>", "a\n\nb | c\n\nd"),
        ("<select><option>Red</option><option>Blue</option></select>", "Red\nBlue"),
        ("<button>Save</button><button>Close</button>", "Save Close"),
        ("<label>Name</label><span>Heinz</span><output>5</output>", "Name Heinz 5"),
        ('<span style="display: block">Heinz</span><span style="color:red">555</span>', "Heinz\n\n555"),
        ("<p>K<span>ett</span><b>le</b>s</p>", "Kettles"),
        ("<details><summary>More</summary>Text</details><address>Rome</address>", "More\n\nText\n\nRome"),
        ("<h6>Tea</h6><h7>Hot</h7>Green", "###### Tea\n\nHotGreen"),
        ("<dl><dt>Tea</dt><dd>Hot</dd></dl>", "Tea\n\nHot"),
    ],
    ids=["cells", "rows", "cell of lines", "heading in a cell", "table in a cell", "options", "buttons", "labels",
         "styles", "within a word", "details", "no heading",
         "terms"],
)  # fmt: skip
def test_what_a_browser_shows_apart_is_apart(page: str, told: str) -> None:
    assert read(page) == told


def test_what_is_written_in_lines_keeps_them() -> None:
    page = "<p>Run:</p><pre>\n# install\nif x:\n    <b>go</b>()\n\n\tend<br>done  \n</pre><p>Then.</p>"
    assert read(page) == "Run:\n\n```\n# install\nif x:\n    go()\n\n\tend\ndone\n```\n\nThen."
    assert read("<pre>```\nx\n```</pre>") == "````\n```\nx\n```\n````", "a longer fence than those in it"
    assert read("<pre> \n </pre>a") == "a"
    assert read("<pre><div>one</div><div> two</div>\n<div>three</div></pre>") == "```\none\n two\nthree\n```"


def test_a_table_of_any_depth_is_read() -> None:
    deep = 3_000
    assert read("<table><tr><td>" * deep + "x" + "</td></tr></table>" * deep) == "x"
    assert read("<pre>" * deep + "x" + "</pre>" * deep) == "```\nx\n```"


UNSEEN = "script style template noscript svg head title"
BLOCKS = (
    "p div section article li table ul ol blockquote dl dt dd header footer main aside figure figcaption form "
    "address details summary fieldset legend caption dialog menu select center hgroup search"
)
APART = "button label textarea output meter progress"
SHOWN_APART = "block flex grid table list-item"


@pytest.mark.parametrize("tag", UNSEEN.split())
def test_each_tag_that_no_browser_shows_is_left_out(tag: str) -> None:
    assert read(f"<html><p>tea</p><{tag}>hidden</{tag}></html>") == "tea"
    assert read(f"<p>te<{tag}><i>hidden<br></i></{tag}>a</p>") == "tea", "and nothing in it parts a word"


@pytest.mark.parametrize("tag", ["nav", 'div role="navigation"'])
def test_links_of_a_site_are_no_part_of_a_page(tag: str) -> None:
    links = f"<{tag}><ul><li><a href='/'>Home</a> <a href='/api'>API</a></ul></{tag.split()[0]}>"
    assert read(f"{links}<h1>Endpoints</h1><p>POST makes one.</p>") == "# Endpoints\n\nPOST makes one."
    assert read(f"<b>a</b>{links}<b>b</b>") == "a\n\nb"
    assert read("<div role='note'>kept</div>") == "kept"


@pytest.mark.parametrize("tag", BLOCKS.split())
def test_each_block_stands_apart_from_what_is_around_it(tag: str) -> None:
    assert read(f"<b>a</b><{tag}>b</{tag}><b>c</b>") == "a\n\nb\n\nc"
    assert read("<b>a</b><i>b</i><b>c</b>") == "abc"


@pytest.mark.parametrize("tag", ["br", "hr"])
def test_each_mark_between_blocks_parts_them(tag: str) -> None:
    assert read(f"a<{tag}>b").split() == ["a", "b"]


@pytest.mark.parametrize("tag", APART.split())
def test_each_field_in_a_line_is_no_part_of_the_word_beside_it(tag: str) -> None:
    assert read(f"a<{tag}>b</{tag}>c") == "a b c"


@pytest.mark.parametrize("tag", ["input", "img"])
def test_each_field_without_a_text_parts_words(tag: str) -> None:
    assert read(f"a<{tag}>b") == "a b"


@pytest.mark.parametrize("level", range(1, 7))
def test_each_heading_has_its_level(level: int) -> None:
    assert read(f"<h{level}>Tea</h{level}>") == f"{'#' * level} Tea"


@pytest.mark.parametrize("kind", SHOWN_APART.split())
def test_each_way_to_show_a_tag_as_a_block_counts(kind: str) -> None:
    assert read(f"a<span style='color:red; DISPLAY : {kind}'>b</span>c") == "a\n\nb\n\nc"
    assert read("a<span style='display:inline'>b</span>c") == "abc"


@pytest.mark.parametrize("tag", ["option", "optgroup"])
def test_each_choice_is_a_line(tag: str) -> None:
    assert read(f"<select><{tag}>a</{tag}><{tag}>b</{tag}></select>") == "a\nb"


@pytest.mark.parametrize(
    ("tag", "told"), [("p", "a\nb | c"), ("div", "a\nb | c"), ("center", "a\nb | c"), ("ul", "a\n\nb\n\nc")]
)
def test_each_soft_break_in_a_cell_leaves_its_row_whole(tag: str, told: str) -> None:
    assert read(f"<table><tr><td>a<{tag}>b</{tag}></td><td>c</td></tr></table>") == told
