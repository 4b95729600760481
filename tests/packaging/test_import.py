"""`import byheart` is quick because it loads little: what costs, or is seldom needed, waits until it is asked for."""

import json
import subprocess
import sys

FORBIDDEN = {
    "argparse",
    "bs4",
    "asyncio",
    "byheart.activation",
    "byheart.boundary.policy",
    "byheart.boundary.redaction",
    "byheart.embedding",
    "byheart.integrations",
    "byheart.mcp",
    "byheart.summarising",
    "byheart.evaluation",
    "byheart.ranking.activation",
    "byheart.ranking.rerank",
    "duckdb",
    "http",
    "httpx2",
    "importlib.metadata",
    "jsonschema",
    "lancedb",
    "mcp",
    "multiprocessing",
    "numpy",
    "onnxruntime",
    "pydantic",
    "pydoc_data",
    "pypdf",
    "sqlite3",
    "tokenizers",
    "unittest",
    "wordllama",
    "yaml",
}
PROGRAM = """
import sys
before = set(sys.modules)
import byheart
after = set(sys.modules)
import json
print(json.dumps([sorted(before), sorted(after - before)]))
"""


def test_import_loads_nothing_heavy() -> None:
    answer = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    before, loaded = json.loads(answer.stdout)

    assert "byheart._core" in loaded, "the program did not load what it was to look at"
    assert not FORBIDDEN & set(before), "the interpreter's own start hides what byheart would load"
    assert not FORBIDDEN & set(loaded)


COUNTING = """
import re
real, sources = re.compile, []
def compiled(source, flags=0):
    sources.append(source)
    return real(source, flags)
re.compile = compiled
import sys
import byheart
loaded = [name for name in sys.modules if name.partition(".")[0] == "byheart"]
at_import = sum(map(len, sources))
memory = byheart.Memory()
memory.remember("Anna lives in Lisbon and works at the harbour.")
assert memory.recall("Where does Anna live?").hits
by_question = sum(map(len, sources))
memory.remember("Anna is 34 years old.")
assert memory.recall("How old is Anna?").hits
by_age = sum(map(len, sources))
memory.ingest_turn("I moved to Porto last week, my sister Ella lives there.", session_id="s", user_id="u")
print(len(loaded), at_import, by_question, by_age, sum(map(len, sources)))
"""


def test_the_first_words_make_few_expressions() -> None:
    """Compiling takes some microseconds a character: what counts here is how many there are, in all so far."""
    answer = subprocess.run([sys.executable, "-c", COUNTING], capture_output=True, text=True, check=True)
    modules, at_import, by_question, by_age, by_turn = map(int, answer.stdout.split())

    assert 150 < modules <= 266
    assert at_import <= 1_000
    assert 5_000 < by_question <= 13_000, "no expression was made where some are needed, or more than are"
    assert by_age <= 28_000
    assert by_turn <= 46_000
