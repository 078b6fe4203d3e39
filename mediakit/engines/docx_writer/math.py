"""Writes formulas: MathML as Office MathML (ECMA-376 part 1, section 22.1).

In Office MathML, operators and functions contain what they apply to, and brackets what is between them.
"""

from collections.abc import Callable, Mapping, Sequence

from lxml import etree

from mediakit.engines.docx_writer.elements import Element, make, text_element, w
from mediakit.engines.markdown.html.elements import word_set

MathNode = etree._Element  # noqa: SLF001 - the only name that lxml has for it

_NARY = frozenset("∑∏∐∫∬∭∮∯∰⋀⋁⋂⋃⨀⨁⨂⨆")
_INTEGRALS = frozenset("∫∬∭∮∯∰")
_BRACKETS = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌈": "⌉", "⌊": "⌋"}
_CLOSING = frozenset(_BRACKETS.values())
_WITH_LIMITS = ("munder", "mover", "munderover")
_SCRIPTED = frozenset({"msub", "msup", "msubsup", *_WITH_LIMITS})
_MAX_OPERANDS = 20
"""Operators in a row that are nested, such as sums of sums."""

_INVISIBLE = frozenset({"", "\u2061", "\u2062", "\u2063"})
"""Operators such as the one between a function and its argument."""

_BARS = frozenset("¯‾―−_")
_BRACES = frozenset("⏞⏟︷︸⎴⎵⏜⏝")
_ACCENTS = {"^": "\u0302", "~": "\u0303", "˜": "\u0303", "→": "\u20d7", "⃗": "\u20d7", "˙": "\u0307", "¨": "\u0308",
            "ˇ": "\u030c", "˘": "\u0306", "´": "\u0301", "`": "\u0300", "ˆ": "\u0302", "⃛": "\u20db"}  # fmt: skip
_FUNCTIONS = word_set(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max "
    "min Pr sec sin sinh sup tan tanh"
)
_LIMITS = word_set("det gcd inf lim liminf limsup max min Pr sup")
"""Functions whose subscript is written below them."""

_STYLES: Mapping[str, Mapping[str, str]] = {
    "normal": {"sty": "p"},
    "bold": {"sty": "b"},
    "italic": {"sty": "i"},
    "bold-italic": {"sty": "bi"},
    **{name: {"scr": name, "sty": "p"} for name in ("double-struck", "script", "fraktur", "sans-serif", "monospace")},
}


def write_math(math: MathNode) -> Element | None:
    """Return a formula as `m:oMath`, or None if it is empty."""
    content = _write_row(list(math))
    return _m("oMath", *content) if content else None


# Rows: fences, large operators and functions take the siblings that they apply to.


def _write_row(nodes: Sequence[MathNode]) -> list[Element]:
    """Write siblings."""
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
        end = _closing(nodes, position, lambda each: _is_fence(each, "prefix") - _is_fence(each, "postfix"))
        end = len(nodes) if end is None else end
        closing = _symbol(nodes[end]) if end < len(nodes) else ""
        return [_delimited(_symbol(node), closing, nodes[after:end])], end + 1
    if _is_large_operator(node):
        operand, end = _write_operand(nodes, after, depth)
        return [_write_nary(node, operand)], end
    if _is_function(node):
        operand, end = _write_operand(nodes, after, depth)
        if operand:
            return [_m("func", _m("fName", *_write_node(node)), _m("e", *operand))], end
    return _write_node(node), after


def _write_operand(nodes: Sequence[MathNode], start: int, depth: int) -> tuple[list[Element], int]:
    """Write what an operator or a function applies to; nothing if an operator follows it."""
    position = start
    while position < len(nodes) and _name(nodes[position]) == "mo" and _symbol(nodes[position]) in _INVISIBLE:
        position += 1
    if position == len(nodes) or depth == _MAX_OPERANDS:
        return [], start
    node = nodes[position]
    if _name(node) != "mo" or _is_fence(node, "prefix") or _is_large_operator(node) or _is_function(node):
        return _write_unit(nodes, position, depth + 1)
    opening = _symbol(node)
    closing = _BRACKETS.get(opening)

    def change(node: MathNode) -> int:
        text = _symbol(node) if _name(node) == "mo" else ""
        return (text == opening) - (text == closing)

    end = _closing(nodes, position, change) if closing else None
    if end is None:
        return [], start
    return [_delimited(opening, _symbol(nodes[end]), nodes[position + 1 : end])], end + 1


def _closing(nodes: Sequence[MathNode], start: int, change: Callable[[MathNode], int]) -> int | None:
    """Return the index of what closes the bracket at `start`, by how each node changes the depth; None if nothing."""
    depth = 0
    for index in range(start, len(nodes)):
        depth += change(nodes[index])
        if depth == 0:
            return index
    return None


def _is_fence(node: MathNode, form: str) -> bool:
    if _name(node) != "mo":
        return False
    if node.get("fence") == "true" and node.get("form"):
        return node.get("form") == form
    return node.get("minsize") is not None and _symbol(node) in (_BRACKETS if form == "prefix" else _CLOSING)


def _base(node: MathNode) -> MathNode:
    """Return what scripts and limits stand at, or the node itself."""
    return node[0] if _name(node) in _SCRIPTED and len(node) else node


def _is_large_operator(node: MathNode) -> bool:
    base = _base(node)
    return _name(base) == "mo" and _symbol(base) in _NARY


def _is_function(node: MathNode) -> bool:
    base = _base(node)
    return _name(base) in ("mo", "mi") and _symbol(base) in _FUNCTIONS


def _delimited(begin: str, end: str, inner: Sequence[MathNode]) -> Element:
    begin, end = ("" if each == "." else each[:1] for each in (begin, end))
    return _m("d", _properties("dPr", begChr=begin, endChr=end), _argument("e", inner))


def _write_nary(node: MathNode, operand: list[Element]) -> Element:
    name, symbol, limits = _name(node), _symbol(_base(node)), list(node)[1:]
    below = limits[:1] if name in ("msub", "munder", "msubsup", "munderover") else []
    above = limits[len(below) : len(below) + 1] if name in ("msup", "mover", "msubsup", "munderover") else []
    is_beside = symbol in _INTEGRALS and name not in _WITH_LIMITS
    hidden = {key: "1" for key, nodes in (("subHide", below), ("supHide", above)) if not nodes}
    properties = _properties("naryPr", chr=symbol, limLoc="subSup" if is_beside else "undOvr", **hidden)
    return _m("nary", properties, _argument("sub", below), _argument("sup", above), _m("e", *operand))


# Single elements.


def _write_node(node: MathNode) -> list[Element]:
    """Write one element. Elements that only group their content, and unknown ones, are written as a row."""
    name = _name(node)
    if name in _TOKENS:
        return _TOKENS[name](node)
    writer = _WRITERS.get(name)
    if writer is None or len(node) < _CHILDREN.get(name, 0):
        return _write_row([child for child in node if _name(child) not in ("annotation", "annotation-xml")])
    return [writer(node)]


def _name(node: MathNode) -> str:
    """Return the name of an element without its namespace."""
    return etree.QName(node).localname if isinstance(node.tag, str) else ""


def _symbol(node: MathNode) -> str:
    """Return the text of an element."""
    return "".join(map(str, node.itertext())).strip()


def _m(name: str, *children: Element) -> Element:
    return make(f"m:{name}", None, *children)


def _properties(container: str, **values: str) -> Element:
    """Return properties, which must have the order of the schema."""
    return _m(container, *(make(f"m:{name}", {"m:val": value}) for name, value in values.items()))


def _argument(name: str, nodes: Sequence[MathNode]) -> Element:
    """Return an argument of a structure, such as `m:e`, with its content."""
    return _m(name, *_write_row(nodes))


def _structure(name: str, node: MathNode, **children: int) -> Element:
    """Return a structure whose arguments have children of an element, by their index."""
    return _m(name, *(_argument(argument, [node[index]]) for argument, index in children.items()))


def _run(text: str, *properties: Element) -> list[Element]:
    """Return a run of a formula, or nothing if it has no text."""
    font = w("rPr", w("rFonts", ascii="Cambria Math", hAnsi="Cambria Math"))
    return [_m("r", *properties, font, text_element("m:t", text))] if text else []


def _write_token(node: MathNode) -> list[Element]:
    """Write an identifier, a number or an operator."""
    text, name = _symbol(node), _name(node)
    if name == "mo" and text in _INVISIBLE:
        return []
    is_upright = text in _FUNCTIONS if name == "mo" else name == "mn" or len(text) > 1
    style = (node.get("mathvariant") if name != "mo" else "") or ("normal" if is_upright else "")
    return _run(text, *([_properties("rPr", **_STYLES[style])] if style in _STYLES else []))


def _write_space(node: MathNode) -> list[Element]:
    width = (node.get("width") or "0").strip()
    if width[:1] in ("", "0", "-"):
        return []
    return _run("\u2003" if width.startswith(("1", "2")) else "\u2009", _m("rPr", _m("nor")))


def _write_fraction(node: MathNode) -> Element:
    thickness = (node.get("linethickness") or "").strip().rstrip("ptxem%")
    properties = [_properties("fPr", type="noBar")] if thickness in ("0", "0.0") else []
    return _m("f", *properties, _argument("num", [node[0]]), _argument("den", [node[1]]))


def _write_limit(node: MathNode) -> Element:
    """Write what stands above or below something: a bar, a brace, an accent, or a limit."""
    mark, base, is_above = _symbol(node[1]), _argument("e", [node[0]]), _name(node) == "mover"
    sides = ("top", "bot") if is_above else ("bot", "top")
    if mark in _BARS:
        return _m("bar", _properties("barPr", pos=sides[0]), base)
    if mark in _BRACES:
        return _m("groupChr", _properties("groupChrPr", chr=mark, pos=sides[0], vertJc=sides[1]), base)
    if mark in _ACCENTS and is_above:
        return _m("acc", _properties("accPr", chr=_ACCENTS[mark]), base)
    return _m("limUpp" if is_above else "limLow", base, _argument("lim", [node[1]]))


def _write_table(node: MathNode) -> Element:
    lines = [[cell for cell in line if _name(cell) == "mtd"] for line in node if "tr" in _name(line)] or [[]]
    width = max(map(len, lines)) or 1
    sides = [cell.get("columnalign") or "center" for cell in lines[0]] + ["center"] * (width - len(lines[0]))
    columns = _m("mcs", *(_m("mc", _properties("mcPr", count="1", mcJc=side)) for side in sides))
    written = []
    for line in lines:
        missing = (_m("e") for _ in range(width - len(line)))
        written.append(_m("mr", *(_argument("e", list(cell)) for cell in line), *missing))
    return _m("m", _m("mPr", columns), *written)


def _write_fenced(node: MathNode) -> Element:
    marks = {"begChr": ("open", "("), "sepChr": ("separators", ","), "endChr": ("close", ")")}
    values = {name: (node.get(key) or other)[:1] for name, (key, other) in marks.items()}
    return _m("d", _properties("dPr", **values), *([_argument("e", [child]) for child in node] or [_m("e")]))


_TOKENS: Mapping[str, Callable[[MathNode], list[Element]]] = {
    **dict.fromkeys(("mi", "mn", "mo"), _write_token),
    **dict.fromkeys(("mtext", "ms"), lambda node: _run("".join(map(str, node.itertext())), _m("rPr", _m("nor")))),
    "mspace": _write_space,
}
_WRITERS: Mapping[str, Callable[[MathNode], Element]] = {
    "mfrac": _write_fraction,
    "mroot": lambda node: _structure("rad", node, deg=1, e=0),
    "msqrt": lambda node: _m("rad", _properties("radPr", degHide="1"), _m("deg"), _argument("e", list(node))),
    "msup": lambda node: _structure("sSup", node, e=0, sup=1),
    "msub": lambda node: _write_limit(node) if _symbol(node[0]) in _LIMITS else _structure("sSub", node, e=0, sub=1),
    "msubsup": lambda node: _structure("sSubSup", node, e=0, sub=1, sup=2),
    **dict.fromkeys(("mover", "munder"), _write_limit),
    "munderover": lambda node: _m(
        "limUpp", _m("e", _structure("limLow", node, e=0, lim=1)), _argument("lim", [node[2]])
    ),
    "mtable": _write_table,
    "mfenced": _write_fenced,
    "menclose": lambda node: _m("borderBox", _argument("e", list(node))),
    "mphantom": lambda node: _m("phant", _properties("phantPr", show="0"), _argument("e", list(node))),
}
_CHILDREN = {"mfrac": 2, "mroot": 2, "msup": 2, "msub": 2, "msubsup": 3, "mover": 2, "munder": 2, "munderover": 3}
"""Children that an element must have. Without them its children are written as a row."""
