"""Writes formulas: MathML as Office MathML, whose operators and functions contain what they apply to."""

from collections.abc import Sequence

from mediakit.engines.docx_writer.maths_nodes import (
    FUNCTIONS,
    INVISIBLE,
    MathNode,
    argument,
    math_name,
    math_text,
    value,
    write_node,
)
from mediakit.engines.docx_writer.wordml import make
from mediakit.engines.docx_writer.xml_tree import Element

_NARY = frozenset("∑∏∐∫∬∭∮∯∰⋀⋁⋂⋃⨀⨁⨂⨆")
_INTEGRALS = frozenset("∫∬∭∮∯∰")
_BRACKETS = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌈": "⌉", "⌊": "⌋"}
_CLOSING = frozenset(_BRACKETS.values())
_WITH_LIMITS = ("munder", "mover", "munderover")
_SCRIPTED = frozenset({"msub", "msup", "msubsup", *_WITH_LIMITS})
_MAX_OPERANDS = 20
"""Operators in a row that are nested, such as sums of sums."""


def write_maths(math: MathNode) -> Element | None:
    """Return a formula as `m:oMath`, or None if it is empty."""
    content = _write_row(list(math))
    return make("m:oMath", None, *content) if content else None


def _write_row(nodes: Sequence[MathNode]) -> list[Element]:
    """Write siblings. Fences, large operators and functions take the siblings that they apply to."""
    written: list[Element] = []
    position = 0
    while position < len(nodes):
        elements, position = _write_unit(nodes, position)
        written += elements
    return written


def _write_unit(nodes: Sequence[MathNode], position: int, depth: int = 0) -> tuple[list[Element], int]:
    """Write the next sibling with all that belongs to it. Returns its elements and the position after it."""
    node, after = nodes[position], position + 1
    if _is_fence(node, "prefix"):
        end = _closing_fence(nodes, position)
        closing = math_text(nodes[end]) if end < len(nodes) else ""
        return [_delimited(math_text(node), closing, nodes[after:end])], end + 1
    if _is_large_operator(node):
        operand, following = _write_operand(nodes, after, depth)
        return [_write_nary(node, operand)], following
    if _is_function(node):
        operand, following = _write_operand(nodes, after, depth)
        if operand:
            name = make("m:fName", None, *write_node(node, _write_row))
            return [make("m:func", None, name, make("m:e", None, *operand))], following
    return write_node(node, _write_row), after


def _write_operand(nodes: Sequence[MathNode], start: int, depth: int) -> tuple[list[Element], int]:
    """Write what an operator or a function applies to; nothing if an operator follows it."""
    position = start
    while position < len(nodes) and math_name(nodes[position]) == "mo" and _symbol(nodes[position]) in INVISIBLE:
        position += 1
    if position == len(nodes) or depth == _MAX_OPERANDS:
        return [], start
    node = nodes[position]
    if math_name(node) != "mo" or _is_fence(node, "prefix") or _is_large_operator(node) or _is_function(node):
        return _write_unit(nodes, position, depth + 1)
    end = _closing_bracket(nodes, position)
    if end is None:
        return [], start
    return [_delimited(math_text(node), math_text(nodes[end]), nodes[position + 1 : end])], end + 1


def _closing_bracket(nodes: Sequence[MathNode], start: int) -> int | None:
    """Return the index of the bracket that closes the one at `start`; None if there is none."""
    opening = _symbol(nodes[start])
    closing = _BRACKETS.get(opening)
    depth = 0
    for index in range(start, len(nodes) if closing else start):
        text = _symbol(nodes[index]) if math_name(nodes[index]) == "mo" else ""
        depth += (text == opening) - (text == closing)
        if depth == 0:
            return index
    return None


def _closing_fence(nodes: Sequence[MathNode], start: int) -> int:
    """Return the index of the fence that closes the one at `start`, or the number of nodes if none does."""
    depth = 0
    for index in range(start, len(nodes)):
        depth += _is_fence(nodes[index], "prefix")
        depth -= _is_fence(nodes[index], "postfix")
        if depth == 0:
            return index
    return len(nodes)


def _is_fence(node: MathNode, form: str) -> bool:
    if math_name(node) != "mo":
        return False
    if node.get("fence") == "true" and node.get("form"):
        return node.get("form") == form
    return node.get("minsize") is not None and _symbol(node) in (_BRACKETS if form == "prefix" else _CLOSING)


def _delimited(begin: str, end: str, inner: Sequence[MathNode]) -> Element:
    parameters = make("m:dPr", None, value("begChr", _fence(begin)), value("endChr", _fence(end)))
    return make("m:d", None, parameters, argument("e", inner, _write_row))


def _fence(text: str) -> str:
    return "" if text.strip() in (".", "") else text.strip()[:1]


def _symbol(node: MathNode) -> str:
    return math_text(node).strip()


def _base(node: MathNode) -> MathNode:
    """Return what scripts and limits stand at, or the node itself."""
    return node[0] if math_name(node) in _SCRIPTED and len(node) else node


def _is_large_operator(node: MathNode) -> bool:
    base = _base(node)
    return math_name(base) == "mo" and _symbol(base) in _NARY


def _is_function(node: MathNode) -> bool:
    base = _base(node)
    return math_name(base) in ("mo", "mi") and _symbol(base) in FUNCTIONS


def _write_nary(node: MathNode, operand: list[Element]) -> Element:
    symbol = _symbol(_base(node))
    below, above = _limits(node)
    is_beside = symbol in _INTEGRALS and math_name(node) not in _WITH_LIMITS
    parameters = [value("chr", symbol), value("limLoc", "subSup" if is_beside else "undOvr")]
    parameters += [] if below else [value("subHide", "1")]
    parameters += [] if above else [value("supHide", "1")]
    limits = [argument("sub", below, _write_row), argument("sup", above, _write_row)]
    return make("m:nary", None, make("m:naryPr", None, *parameters), *limits, make("m:e", None, *operand))


def _limits(node: MathNode) -> tuple[list[MathNode], list[MathNode]]:
    """Return what is below and above an operator, or nothing."""
    name, children = math_name(node), list(node)[1:]
    if name in ("msub", "munder"):
        return children[:1], []
    if name in ("msup", "mover"):
        return [], children[:1]
    return (children[:1], children[1:2]) if name in ("msubsup", "munderover") else ([], [])
