"""Runs the program of a part: makes its elements again, filled with data."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from mediakit.core.messages import quote
from mediakit.engines.word_templates import cells
from mediakit.engines.word_templates.context import Context
from mediakit.engines.word_templates.language.evaluation import Evaluation
from mediakit.engines.word_templates.language.problems import ValueProblem
from mediakit.engines.word_templates.language.scope import Bound, Missing, Scope, loop_names
from mediakit.engines.word_templates.language.tags import Tag, place
from mediakit.engines.word_templates.nodes import Choice, Close, Copy, Fill, Loop, Open, Step
from mediakit.engines.word_templates.values import Printer
from mediakit.engines.word_templates.vocabulary import Vocabulary
from mediakit.errors import InvalidInput


class Renderer:
    """Makes a part."""

    def __init__(self, context: Context, words: Vocabulary, printer: Printer) -> None:
        self._context = context
        self._words = words
        self._printer = printer
        self._stack: list[Element] = []
        self._root: Element | None = None

    def render(self, steps: Sequence[Step]) -> Element:
        """Return the root of the part.

        Raises:
            InvalidInput: A value does not fit where it is used, or the document becomes too large.
        """
        self._run(steps, self._context.scope)
        if self._root is None:
            raise ValueError("a program begins with the root of a part")
        return self._root

    def _run(self, steps: Sequence[Step], scope: Scope) -> None:
        for step in steps:
            match step:
                case Open():
                    self._open(step)
                case Close():
                    self._stack.pop()
                case Copy(element, size):
                    self._copy(element, size)
                case Fill():
                    self._guard(step.tag, self._fill, step, scope)
                case Loop():
                    self._loop(step, scope)
                case Choice():
                    self._choose(step, scope)

    def _open(self, step: Open) -> None:
        self._context.count(1)
        if self._stack:
            made = etree.SubElement(self._stack[-1], step.name, step.attributes, step.namespaces)
        else:
            made = self._root = etree.Element(step.name, step.attributes, step.namespaces)
        if step.text:
            made.text = step.text
        self._stack.append(made)

    def _copy(self, element: Element, size: int) -> None:
        self._context.count(size)
        if self._stack:
            self._stack[-1].append(deepcopy(element))
        else:
            self._root = deepcopy(element)

    def _loop(self, loop: Loop, scope: Scope) -> None:
        found = self._guard(loop.tag, self._items, loop.tag, scope)
        for index in range(len(found.value)):
            self._context.count(1)
            self._run(loop.body, scope.inner(loop_names(loop.tag.variable, found.value, index, found.path)))

    def _items(self, tag: Tag, scope: Scope) -> Bound:
        assert tag.expression is not None, "the parser sets it"  # noqa: S101
        found = self._evaluation(scope).value(tag.expression)
        if isinstance(found, Missing):
            self._context.on_missing(found)
            return Bound([], found.path)
        if found.value is None:
            return Bound([], found.path)
        if not isinstance(found.value, list):
            raise ValueProblem(f"{found.path or 'the value'} must be a list, got {quote(found.value)}")
        return found

    def _choose(self, choice: Choice, scope: Scope) -> None:
        for branch in choice.branches:
            if branch.condition is None or self._guard(branch.tag, self._evaluation(scope).is_true, branch.condition):
                self._run(branch.body, scope)
                return

    def _fill(self, step: Fill, scope: Scope) -> None:
        tag = step.tag
        if tag.kind == "value":
            self._print(step, scope)
            return
        cell = next((each for each in reversed(self._stack) if each.tag == self._words.cell), None)
        if cell is None:
            raise ValueProblem(f"{tag.source} must be in a table cell")
        cells.change(cell, tag, self._evaluation(scope), self._words)

    def _print(self, step: Fill, scope: Scope) -> None:
        tag = step.tag
        assert tag.expression is not None, "the parser sets it"  # noqa: S101
        found = self._evaluation(scope).value(tag.expression)
        if isinstance(found, Missing):
            self._context.on_missing(found)
            found = Bound(tag.source if self._context.policy == "keep" else "", found.path)
        if found.value in (None, "") and found.path:
            self._context.blank[found.path] = None
        for element in self._printer.elements(found, step.properties, self._stack):
            self._context.count(2)
            self._stack[-1].append(element)

    def _evaluation(self, scope: Scope) -> Evaluation:
        return Evaluation(scope, self._context.on_missing)

    def _guard(self, tag: Tag, function: Callable[..., Any], *args: Any) -> Any:
        try:
            return function(*args)
        except ValueProblem as problem:
            raise InvalidInput(f"data: {problem.reason}, in {tag.source}{place(tag.part)}.") from None
