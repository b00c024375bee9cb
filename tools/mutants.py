"""Small changes of Python code, one at a time, as a slip of the pen would make them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

CONSTANTS = "constants"
"""Stands for the name of a function, for what a module assigns outside of functions."""
CONTEXT = 48
"""Characters of a statement that are shown on either side of a change."""
WORD, OPERATOR = r"[\w.]", "[<>=!*/]"

OPERATORS: dict[type[ast.AST], list[type[ast.AST]]] = {
    ast.Add: [ast.Sub],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.Div],
    ast.Div: [ast.Mult],
    ast.FloorDiv: [ast.Mult],
    ast.Pow: [ast.Mult],
    ast.LShift: [ast.RShift],
    ast.RShift: [ast.LShift],
    ast.BitAnd: [ast.BitOr],
    ast.BitOr: [ast.BitAnd],
    ast.And: [ast.Or],
    ast.Or: [ast.And],
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
}
NAME_PAIRS = {
    "min": "max",
    "minimum": "maximum",
    "any": "all",
    "zeros_like": "ones_like",
    "isfinite": "isinf",
}
NAME_PAIRS |= {"left": "right", "lower": "upper", "active": "passive"}
NAMES = NAME_PAIRS | {second: first for first, second in NAME_PAIRS.items()}
DROPPED_CALLS = {"abs", "flip", "clip", "sqrt", "round", "sort", "copy"}
NOT_CODE = {"annotation", "returns", "decorator_list"}
"""Fields of nodes that compute nothing."""


@dataclass(frozen=True)
class Mutant:
    """A node of a syntax tree, and what replaces it."""

    text: str
    """The statement, with the old and the new words in ⟦…⟧."""
    parent: ast.AST
    field: str
    place: int | None
    """The place in a list of nodes; None for a single node."""
    new: Any

    def apply(self) -> None:
        """Put the new node into the tree."""
        _put(self.parent, self.field, self.place, self.new)


def functions(tree: ast.Module) -> dict[str, ast.AST]:
    """Return the functions and methods of a module by name, and its assignments as `CONSTANTS`."""
    found: dict[str, ast.AST] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.ClassDef):
            methods = (part for part in node.body if isinstance(part, ast.FunctionDef))
            found |= {f"{node.name}.{method.name}": method for method in methods}
    assigned: list[ast.stmt] = [node for node in tree.body if isinstance(node, ast.Assign)]
    return found | ({CONSTANTS: ast.Module(assigned, [])} if assigned else {})


def mutants_of(root: ast.AST) -> list[Mutant]:
    """Return all mutants of a function, each with a text of its own."""
    stored = [
        node.id for node in ast.walk(root) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    arguments = [node.arg for node in ast.walk(root) if isinstance(node, ast.arg)]
    rebound = {name for name, times in Counter(stored + arguments).items() if times > 1}
    found, known = [], Counter[str]()
    for parent, field, place, node, statement in _places(root, None):
        for new in [*_new_terms(node), *_new_calls(node), *_new_statements(node, rebound)]:
            before = _one_line(statement)
            _put(parent, field, place, new)
            after = _one_line(new if node is statement else statement)
            _put(parent, field, place, node)
            text = difference(before, after)
            known[text] += 1
            number = f" #{known[text]}" if known[text] > 1 else ""
            found.append(Mutant(text + number, parent, field, place, new))
    return found


def _places(
    parent: ast.AST, statement: ast.stmt | None
) -> Iterator[tuple[ast.AST, str, int | None, Any, Any]]:
    """Yield each node with its place, and the statement that it is a part of."""
    for field, value in ast.iter_fields(parent):
        if field in NOT_CODE:
            continue
        several = isinstance(value, list)
        for number, node in enumerate(value if several else [value]):
            if isinstance(node, ast.AST) and not _computes_nothing(node):
                own = node if isinstance(node, ast.stmt) else statement
                if own is None:  # defaults of the function itself
                    own = parent if isinstance(parent, ast.stmt) else None
                yield parent, field, number if several else None, node, own
                yield from _places(node, own)


def _computes_nothing(node: ast.AST) -> bool:
    """Whether a node is a docstring, a check of lengths, or which axis of a shape is meant."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.keyword(arg="strict"):
            return True
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return True
    return False


def _new_terms(node: ast.AST) -> Iterator[Any]:
    """Yield what may stand for an operator, a number or a word."""
    match node:
        case ast.operator() | ast.cmpop() | ast.boolop():
            yield from (new() for new in OPERATORS.get(type(node), []))
        case ast.UnaryOp():
            yield node.operand
        case ast.Constant(value=bool(truth)):
            yield ast.Constant(not truth)
        case ast.Constant(value=int(number)):
            yield from (ast.Constant(number + 1), ast.Constant(number - 1))
        case ast.Constant(value=float(number)):
            yield from (ast.Constant(value) for value in (number + 1, 0.0) if value != number)
        case ast.Constant(value=str(word)) if word in NAMES:
            yield ast.Constant(NAMES[word])


def _new_calls(node: ast.AST) -> Iterator[Any]:
    """Yield what may stand for a name, a call or a part of one, a choice, or a slice."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield ast.Name(NAMES[name], ast.Load())
        case ast.Attribute(value=value, attr=name) if name in NAMES:
            yield ast.Attribute(value, NAMES[name], ast.Load())
        case ast.keyword(arg=str(name)) if name in NAMES:
            yield ast.keyword(NAMES[name], node.value)
        case ast.Call(func=ast.Attribute(attr="where"), args=[condition, yes, no]):
            yield ast.Call(node.func, [condition, no, yes], [])
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[first, *_]) if (
            name in DROPPED_CALLS
        ):
            yield first
        case ast.IfExp(test=test) if not isinstance(test, ast.Compare | ast.UnaryOp):
            yield ast.IfExp(node.test, node.orelse, node.body)
        case ast.Slice():
            yield from _moved_slices(node)


def _moved_slices(node: ast.Slice) -> Iterator[ast.Slice]:
    """Yield slices with a bound one further; those that are numbers change as numbers do."""
    named = ast.Name | ast.Attribute | ast.Subscript
    if isinstance(node.lower, named):
        yield ast.Slice(ast.BinOp(node.lower, ast.Add(), ast.Constant(1)), node.upper)
    if isinstance(node.upper, named):
        yield ast.Slice(node.lower, ast.BinOp(node.upper, ast.Add(), ast.Constant(1)))


def _new_statements(node: ast.AST, rebound: set[str]) -> Iterator[ast.stmt]:
    """Yield what may stand for a statement: nothing, where names keep an earlier value, or its opposite."""
    match node:
        case ast.Expr(value=value) if not isinstance(value, ast.Yield | ast.YieldFrom):
            yield ast.Pass()
        case ast.AugAssign() | ast.Break():
            yield ast.Pass()
        case ast.Assign(targets=[target]):
            names = {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
            if names <= rebound or not isinstance(target, ast.Name | ast.Tuple):
                yield ast.Pass()
        case ast.Return(value=ast.AST()):
            yield ast.Return(ast.Constant(None))
        case ast.Return():
            yield ast.Pass()
        case ast.If(test=test) if not isinstance(test, ast.Compare | ast.UnaryOp):
            yield ast.If(ast.UnaryOp(ast.Not(), test), node.body, node.orelse)
        case ast.With():
            yield ast.If(ast.Constant(value=True), node.body, [])


def _put(parent: ast.AST, field: str, place: int | None, node: Any) -> None:
    if place is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[place] = node


def _one_line(statement: ast.AST) -> str:
    """Return a statement, or the head of one that holds others."""
    lines = ast.unparse(ast.fix_missing_locations(statement)).splitlines()
    return next(line for line in lines if not line.startswith("@"))


def difference(before: str, after: str) -> str:
    """Return a line with what changed in ⟦old → new⟧, in whole words, and some of what is around it."""
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    kind = OPERATOR if re.search(OPERATOR, before[head : head + 1] + after[head : head + 1]) else WORD
    head = len(re.sub(f"{kind}+$", "", before[:head]))
    tail = len(re.sub(f"^{kind}+", "", before[len(before) - tail :]))
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    front, back = before[:head], before[len(before) - tail :]
    front = front if len(front) <= CONTEXT else f"…{front[-CONTEXT:]}"
    back = back if len(back) <= CONTEXT else f"{back[:CONTEXT]}…"
    return f"{front}⟦{_short(old)} → {_short(new)}⟧{back}"


def _common(one: str, other: str) -> int:
    """Return how many characters two lines begin with."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _short(code: str) -> str:
    return code if len(code) <= 2 * CONTEXT else f"{code[:CONTEXT]}…{code[-CONTEXT:]}"
