"""A drawing of mutants: small changes of the package's code, by the operators of mutmut, chosen by a number alone.

Each place that an operator can change gets a digest of its text and the number; the smallest digests are drawn, and of
the changes at one place again the smallest. So nobody chooses, and code that moves keeps its mutants.

Left out: the reference and the conformance runner (they are what the tests compare with), decorators, types and their
variables, functions without a body, `__all__`, and strings with a blank in them: those are wording, which a test would
only repeat, or SQL, which does not mind the case of letters.
"""

import hashlib
import heapq
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import libcst
from mutmut.mutation.mutators import mutation_operators

LEFT_OUT = ("reference", "conformance")


class Mutant(NamedTuple):
    """A change of one file: the whole text after it, and for people the first line that differs, before and after."""

    file: str
    line: int
    before: str
    after: str
    text: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What stays the same when the code around it moves."""
        return self.file, self.before, self.after


class Place(NamedTuple):
    """A node that at least one operator can change."""

    digest: str
    file: str
    node: libcst.CSTNode
    changed: list[libcst.CSTNode]


class Places(libcst.CSTVisitor):
    """A walk through one module that collects its places."""

    def __init__(self, file: str, module: libcst.Module, number: int) -> None:
        super().__init__()
        self.file, self.module, self.number = file, module, number
        self.seen: Counter[str] = Counter()
        self.found: list[Place] = []

    def on_visit(self, node: libcst.CSTNode) -> bool:
        """Take a node's changes, unless it and all below it are left out."""
        if left_out(node):
            return False
        changed = [new for kind, change in mutation_operators if isinstance(node, kind) for new in change(node)]
        if changed:
            code = self.module.code_for_node(node)
            self.seen[code] += 1
            digest = digest_of(f"{self.number}:{self.file}:{code}:{self.seen[code]}")
            self.found.append(Place(digest, self.file, node, changed))
        return True


def draw(tree: Path, number: int) -> Iterator[Mutant]:
    """Yield the mutants of a tree in the order that a number gives them."""
    modules: dict[str, libcst.Module] = {}
    places: list[Place] = []
    for path in sorted((tree / "python" / "byheart").rglob("*.py")):
        file = path.relative_to(tree).as_posix()
        if not set(path.parts) & set(LEFT_OUT):
            modules[file] = libcst.parse_module(path.read_text(encoding="utf-8"))
            walk = Places(file, modules[file], number)
            modules[file].visit(walk)
            places += walk.found
    for place in heapq.nsmallest(len(places), places, key=lambda place: place.digest):
        for mutant in changes(place, modules[place.file]):
            yield mutant
            break


def changes(place: Place, module: libcst.Module) -> Iterator[Mutant]:
    """Yield what a place can become, in the order of digests; what does not compile or changes nothing is no mutant."""
    old = module.code
    for new in sorted(place.changed, key=lambda node: digest_of(place.digest + module.code_for_node(node))):
        text = module.with_deep_changes(place.node).code if new is place.node else replaced(module, place.node, new)
        try:
            compile(text, place.file, "exec")
        except SyntaxError:
            continue
        pairs = enumerate(zip(old.splitlines(), text.splitlines(), strict=False), start=1)
        first = next(((line, before, after) for line, (before, after) in pairs if before != after), None)
        if first:
            yield Mutant(place.file, first[0], first[1].strip(), first[2].strip(), text)


def replaced(module: libcst.Module, old: libcst.CSTNode, new: libcst.CSTNode) -> str:
    """Return the module's text with one node replaced."""
    changed = module.deep_replace(old, new)
    assert isinstance(changed, libcst.Module)
    return changed.code


def left_out(node: libcst.CSTNode) -> bool:
    """Whether nothing in a node is worth a change."""
    if isinstance(node, libcst.SimpleString):
        return " " in node.value or "\n" in node.value
    if isinstance(node, libcst.Assign):
        made = node.value.func if isinstance(node.value, libcst.Call) else None
        if isinstance(made, libcst.Name) and made.value in ("TypeVar", "ParamSpec"):
            return True
        return any(isinstance(at.target, libcst.Name) and at.target.value == "__all__" for at in node.targets)
    if isinstance(node, libcst.AnnAssign) and isinstance(node.annotation.annotation, libcst.Name):
        return node.annotation.annotation.value == "TypeAlias"
    if isinstance(node, libcst.FunctionDef):
        lines = node.body.body
        return all(
            isinstance(line, libcst.SimpleStatementLine) and isinstance(line.body[0], libcst.Expr) for line in lines
        )
    return isinstance(node, libcst.Annotation | libcst.Decorator | libcst.Import | libcst.ImportFrom)


def digest_of(text: str) -> str:
    """Return a digest of a text, which orders without anybody's choice."""
    return hashlib.sha256(text.encode()).hexdigest()
