"""The style sheet of a page about an evaluation: light or dark as its reader is, and a colour for each profile."""

from __future__ import annotations

from typing import Final

_COLOURS: Final = (
    ("#2563eb", "#7aa2f7"), ("#d97706", "#f0b35a"), ("#059669", "#5fcf9f"), ("#be185d", "#f27ab0"),
    ("#7c3aed", "#b79cf7"), ("#0891b2", "#5fcfe3"), ("#dc2626", "#f58a8a"), ("#4d7c0f", "#a9cf5f"),
)  # fmt: skip
_STYLE: Final = """
:root{color-scheme:light dark;--paper:#fbfaf8;--card:#fff;--ink:#1c1d21;--soft:#666b76;--rule:#e4e2dd;
--gain:#059669;--loss:#dc2626;LIGHT}
@media(prefers-color-scheme:dark){:root{--paper:#15171c;--card:#1d2027;--ink:#e7e8ec;--soft:#9aa0ac;--rule:#323640;
--gain:#5fcf9f;--loss:#f58a8a;DARK}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:1180px;margin:0 auto;padding:40px 24px 64px}
h1{font-size:27px;margin:0 0 2px;letter-spacing:-.01em}
h2{font-size:18px;margin:44px 0 4px}
p{margin:4px 0 12px;max-width:96ch}
.soft,.lead-in{color:var(--soft)}
.card{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:16px;overflow-x:auto;margin:12px 0}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:6px 8px;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}
tr:last-child td{border-bottom:0}
th{font-weight:600;color:var(--soft);font-size:13px}
th:first-child,td:first-child{text-align:left}
small{color:var(--soft);font-size:12px;font-weight:400}
.best{font-weight:700}
.gain{color:var(--gain);fill:var(--gain)}
.loss{color:var(--loss);fill:var(--loss)}
.swatch{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:8px;background:currentColor}
svg{display:block;width:100%;min-width:720px;height:auto;font:12px system-ui,sans-serif}
svg text{fill:var(--ink)}
svg .tick{fill:var(--soft);font-size:11px}
svg .faint{opacity:.8}
svg .label{fill:var(--soft)}
svg .end{text-anchor:end}
svg .middle{text-anchor:middle}
svg .name{font-weight:600;font-size:13px}
svg .grid{stroke:var(--rule);stroke-width:1}
svg .axis{stroke:var(--soft);stroke-width:1}
svg .lead{stroke:currentColor;stroke-width:1;opacity:.35;stroke-dasharray:2 3}
svg .mark{stroke:currentColor;stroke-width:2;opacity:.55}
svg .fill{fill:currentColor}
svg .whole{fill:currentColor;opacity:.22}
details{border-top:1px solid var(--rule);padding:8px 0}
details:first-of-type{border-top:0}
summary{cursor:pointer}
summary b{display:inline-block;min-width:66px}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:16px;margin:6px 0 8px 18px;font-size:13px}
.pair ol{margin:2px 0;padding-left:22px}
.pair li{overflow-wrap:anywhere}
.right{font-weight:600;color:var(--gain)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 18px;margin:0;font-size:13px}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
@media(max-width:640px){main{padding:24px 12px}.pair{grid-template-columns:1fr}}
"""


def sheet() -> str:
    """Return the sheet, with a class for each colour.

    >>> sheet().count("--c0:")
    2
    """
    light = "".join(f"--c{at}:{colour};" for at, (colour, _) in enumerate(_COLOURS))
    dark = "".join(f"--c{at}:{colour};" for at, (_, colour) in enumerate(_COLOURS))
    rule = ".c{0},svg .c{0}.fill{{color:var(--c{0})}}svg .c{0} .fill,svg .c{0}.fill{{fill:var(--c{0})}}"
    classes = "".join(rule.format(at) for at in range(len(_COLOURS)))
    return _STYLE.replace("LIGHT", light).replace("DARK", dark) + classes
