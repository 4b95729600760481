"""The folder above on the path, where the harness and the corpora are; imported first, as its name sorts."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
