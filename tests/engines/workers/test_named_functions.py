"""Calls that name the function of a worker: the function exists, takes what is passed, and returns what is stated."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

import mediakit

PACKAGE = Path(mediakit.__file__).parent


@dataclass(frozen=True)
class NamedCall:
    """A call of `run` or `run_guarded` with the name of a function."""

    name: str
    module: str
    node: ast.Call
    scope: ast.FunctionDef | ast.AsyncFunctionDef

    def evaluate(self, node: ast.expr) -> Any:
        return eval(ast.unparse(node), dict(vars(import_module(self.module))))

    def type_of(self, node: ast.expr) -> Any:
        """Return the class of an argument, as far as annotations state it; None if they do not."""
        match node:
            case ast.Name(id=name):
                for parameter in [*self.scope.args.args, *self.scope.args.kwonlyargs]:
                    if parameter.arg == name and parameter.annotation:
                        return self.evaluate(parameter.annotation)
                values = [value for target, value in _assignments(self.scope) if target == name]
                return self.type_of(values[-1]) if values else None
            case ast.Call(func=ast.Name() as function):
                try:
                    found = self.evaluate(function)
                except NameError:  # imported inside the function
                    return None
                return found if isinstance(found, type) else get_type_hints(found).get("return")
        return None


def _assignments(scope: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(scope):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                for target, value in zip(targets, values, strict=True):
                    yield ast.unparse(target), value


def _named_calls() -> Iterator[NamedCall]:
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text("utf-8")
        if "returns=" not in text:
            continue
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        for scope in ast.walk(ast.parse(text)):
            if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            names = {target: value.value for target, value in _assignments(scope) if isinstance(value, ast.Constant)}
            for node in ast.walk(scope):
                if not isinstance(node, ast.Call) or ast.unparse(node.func) not in ("run_guarded", "pool.run"):
                    continue
                first = node.args[0]
                name = first.value if isinstance(first, ast.Constant) else names.get(ast.unparse(first))
                if isinstance(name, str):
                    yield NamedCall(name, module, node, scope)


CALLS = {f"{call.module}: {call.name.rpartition('.')[2]}": call for call in _named_calls()}


def _kinds(hint: Any) -> tuple[type, ...]:
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kinds = (get_origin(part) or part for part in parts)
    return tuple(kind for kind in kinds if isinstance(kind, type) and kind is not type(None))  # which is checked before


def test_tools_name_their_functions() -> None:
    assert {call.name for call in CALLS.values()} >= {
        "mediakit.tools.pdf.pdf_merge.merging:merge",
        "mediakit.engines.pdf.forms.filling:work",
        "mediakit.engines.sql.query:run_query",
    }
    assert len(CALLS) > 40


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_named_function_takes_the_arguments_and_returns_the_stated_class(call: NamedCall) -> None:
    module, _, attribute = call.name.partition(":")
    function = getattr(import_module(module), attribute)
    hints = get_type_hints(function)
    [returns] = [call.evaluate(keyword.value) for keyword in call.node.keywords if keyword.arg == "returns"]
    stated = hints["return"] if get_args(returns) else get_origin(hints["return"]) or hints["return"]
    assert stated == returns
    passed = call.node.args[1:]
    bound = inspect.signature(function).bind(*passed)
    for name, node in bound.arguments.items():
        found = call.type_of(node)
        if found is not None and (expected := _kinds(hints[name])):
            assert all(issubclass(kind, expected) for kind in _kinds(found)), f"{name}: {found} is not {hints[name]}"
