"""The lines whose tests are asked about a changed line: those that run only where it has a say."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TypeGuard


def statement(tree: ast.Module, line: int) -> Iterable[int]:
    """Return the lines that tell whether a statement ran.

    Inside a function: the statement's own, of one with a block only its head. A head of a function runs when its
    module is imported, so its body speaks for it. What keeps its answers runs for the first test that asks: for it the
    statements that say its name speak, too. For a name that is bound outside of functions the statements in them that
    say it do, and the whole module for what else stands there.
    """
    within = [
        node for node in ast.walk(tree) if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    innermost = min(within, key=lambda node: (node.end_lineno or 0) - node.lineno)
    functions = [node for node in within if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    if isinstance(innermost, ast.FunctionDef | ast.AsyncFunctionDef):
        return range(innermost.body[0].lineno, (innermost.end_lineno or 0) + 1)
    inside = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    if functions:
        cached = {each.name for each in functions if any("cache" in ast.unparse(how) for how in each.decorator_list)}
        return [*own_lines(innermost), *saying(inside, cached)]
    bound = {at.id for at in ast.walk(innermost) if isinstance(at, ast.Name) and isinstance(at.ctx, ast.Store)}
    return saying(inside, bound) or range(1, 1_000_000)


def saying(functions: Iterable[ast.AST], names: set[str]) -> list[int]:
    """Return the lines of the statements inside functions that say one of these names."""
    found = [each for function in functions for each in ast.walk(function) if says(each, names)]
    return [number for each in found for number in own_lines(each)]


def says(node: ast.AST, names: set[str]) -> TypeGuard[ast.stmt]:
    """Return whether a node is a statement that says one of these names, of one with a block in its head."""
    if not isinstance(node, ast.stmt) or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    own = set(own_lines(node))
    return any(isinstance(at, ast.Name) and at.id in names and at.lineno in own for at in ast.walk(node))


def own_lines(node: ast.stmt) -> range:
    """Return the lines of a statement, of one with a block only those of its head."""
    body = getattr(node, "body", None)
    return range(node.lineno, body[0].lineno if body else (node.end_lineno or 0) + 1)
