"""Stops a release whose names disagree: the tag, `Cargo.toml`, and a dated heading at the top of `CHANGELOG.md`.

python tools/check_release.py v0.1.0
"""

import re
import sys
import tomllib
from pathlib import Path

HEADING = re.compile(r"^## \[(?P<version>[^\]]+)\] - (?P<when>.+)$", re.MULTILINE)
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def problems(tag: str, manifest: str, changelog: str) -> list[str]:
    r"""Return what keeps `tag` from being released, given the texts of `Cargo.toml` and `CHANGELOG.md`.

    >>> problems("v1.2.3", '[package]\nversion = "1.2.3"', "## [1.2.3] - 2026-12-01")
    []
    >>> problems("v1.2.4", '[package]\nversion = "1.2.3"', "## [1.2.3] - Unreleased")
    ['the tag is v1.2.4, Cargo.toml says 1.2.3', 'the changelog gives 1.2.3 no date: Unreleased']
    """
    version = tomllib.loads(manifest)["package"]["version"]
    heading = HEADING.search(changelog)
    found = []
    if tag != f"v{version}":
        found.append(f"the tag is {tag}, Cargo.toml says {version}")
    if heading is None or heading["version"] != version:
        found.append(f"the newest heading of the changelog is not {version}")
    elif not DATE.fullmatch(heading["when"]):
        found.append(f"the changelog gives {version} no date: {heading['when']}")
    return found


def main() -> int:
    """Check the tag on the command line against this checkout."""
    root = Path(__file__).resolve().parent.parent
    texts = [(root / name).read_text(encoding="utf-8") for name in ("Cargo.toml", "CHANGELOG.md")]
    found = problems(sys.argv[1], *texts)
    sys.stdout.write("\n".join([*found, f"{len(found)} problems"]) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
