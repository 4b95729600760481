"""The command line's grammar."""

from __future__ import annotations

import argparse

from .. import __version__, knowledge, profiles
from ..validation import CLASSES


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    top = argparse.ArgumentParser(prog="byheart", description="An embedded memory for agents.")
    top.add_argument("--version", action="version", version=f"byheart {__version__}")
    verbs = top.add_subparsers(dest="verb", required=True, metavar="COMMAND")
    _demo(verbs)
    _import(verbs)
    _remember(verbs)
    _recall(verbs)
    _explain(verbs)
    _forget(verbs)
    stats = _verb(verbs, "stats", "count what is remembered")
    _memory(stats)
    _json(stats)
    return top


def _verb(verbs: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str) -> argparse.ArgumentParser:
    return verbs.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")


def _demo(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    demo = _verb(verbs, "demo", "remember Python's own language reference and ask it questions")
    demo.add_argument("--quick", action="store_true", help="fewer questions")


def _import(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verb = _verb(verbs, "import", "remember a .md, .txt or .jsonl file, or every one below a folder")
    verb.add_argument("path", help="a file or a folder")
    _memory(verb)
    _cell(verb)


def _remember(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verb = _verb(verbs, "remember", "remember one text")
    verb.add_argument("text", help="the text; - reads standard input")
    _memory(verb)
    _cell(verb)
    for name in ("id", "role", "topic", "kind", "condition", "procedure", "utility-note"):
        verb.add_argument(f"--{name}", help=f"the record's {name.replace('-', ' ')}")


def _recall(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verb = _verb(verbs, "recall", "show the records that answer a query")
    verb.add_argument("query", help="plain words")
    _memory(verb)
    _question(verb)
    _json(verb)
    verb.add_argument("--explain", action="store_true", help="show how every score came about")


def _explain(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verb = _verb(verbs, "explain", "show how a query scores one record, or why it is no hit")
    verb.add_argument("query", help="plain words")
    verb.add_argument("id", help="the record's id")
    _memory(verb)
    _question(verb)


def _forget(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verb = _verb(verbs, "forget", "remove records by id, or by the values of their fields")
    verb.add_argument("ids", nargs="*", metavar="ID", help="ids of records")
    verb.add_argument("--where", action="append", metavar="FIELD=VALUE", help="all records with this value; may repeat")
    verb.add_argument("--yes", action="store_true", help="do not ask before removing by --where")
    _memory(verb)
    _boundary(verb)


def _memory(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--memory", required=True, metavar="FILE", help="the memory's file (JSON lines)")
    verb.add_argument(
        "--preset", default="default", choices=("default", "conversation"), help="conversation: chat turns"
    )


def _cell(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--tenant", help="who the record belongs to (default: default)")
    verb.add_argument("--scope", help="its scope (default: project)")
    verb.add_argument("--class", dest="boundary_class", choices=CLASSES, help="its boundary class (default: internal)")


def _question(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("-k", type=int, help="hits at most (default: the profile's)")
    verb.add_argument("--profile", default="kb-balanced", choices=tuple(profiles.BUILT_IN), help="how to recall")
    verb.add_argument("--act", choices=knowledge.ACTS, help="what the answer is for")
    _boundary(verb)


def _boundary(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--tenant", help="whose records to look at (default: default)")
    verb.add_argument("--scope", action="append", help="only this scope; may repeat")
    verb.add_argument("--class", dest="classes", action="append", choices=CLASSES, help="only this class; may repeat")


def _json(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--json", action="store_true", help="print JSON")
