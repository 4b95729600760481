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
