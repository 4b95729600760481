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
        ("<dl><dt>Tea</dt><dd>Hot</dd></dl>", "Tea\n\nHot"),
    ],
    ids=["cells", "rows", "cell of lines", "heading in a cell", "table in a cell", "options", "buttons", "labels",
         "styles", "within a word", "details", "terms"],
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
