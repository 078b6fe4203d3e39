"""Writes single elements of MathML as Office MathML (ECMA-376 part 1, section 22.1)."""

from collections.abc import Callable, Mapping, Sequence

from lxml import etree

from mediakit.engines.docx_writer.wordml import make, properties, text_element, w
from mediakit.engines.docx_writer.xml_tree import Element
from mediakit.engines.markdown.html.elements import word_set

MathNode = etree._Element  # noqa: SLF001 - the only name that lxml has for it
WriteRow = Callable[[Sequence[MathNode]], list[Element]]
"""Writes siblings."""

INVISIBLE = frozenset({"", "\u2061", "\u2062", "\u2063"})
"""Operators such as the one between a function and its argument."""

_BARS = frozenset("¯‾―−_")
_BRACES = frozenset("⏞⏟︷︸⎴⎵⏜⏝")
_ACCENTS = {"^": "\u0302", "~": "\u0303", "˜": "\u0303", "→": "\u20d7", "⃗": "\u20d7", "˙": "\u0307", "¨": "\u0308",
            "ˇ": "\u030c", "˘": "\u0306", "´": "\u0301", "`": "\u0300", "ˆ": "\u0302", "⃛": "\u20db"}  # fmt: skip
FUNCTIONS = word_set(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max "
    "min Pr sec sin sinh sup tan tanh"
)
_LIMITS = word_set("det gcd inf lim liminf limsup max min Pr sup")
"""Functions whose subscript is written below them."""

_STYLES: Mapping[str, Sequence[tuple[str, str]]] = {
    "normal": [("sty", "p")],
    "bold": [("sty", "b")],
    "italic": [("sty", "i")],
    "bold-italic": [("sty", "bi")],
    "double-struck": [("scr", "double-struck"), ("sty", "p")],
    "script": [("scr", "script"), ("sty", "p")],
    "fraktur": [("scr", "fraktur"), ("sty", "p")],
    "sans-serif": [("scr", "sans-serif"), ("sty", "p")],
    "monospace": [("scr", "monospace"), ("sty", "p")],
}


def math_name(node: MathNode) -> str:
    """Return the name of an element without its namespace."""
    return etree.QName(node).localname if isinstance(node.tag, str) else ""


def math_text(node: MathNode) -> str:
    """Return the text of an element."""
    return "".join(map(str, node.itertext()))


def value(name: str, content: str) -> Element:
    """Return a property with a value."""
    return make(f"m:{name}", {"m:val": content})


def write_node(node: MathNode, row: WriteRow) -> list[Element]:
    """Write one element. Elements that only group their content, and unknown ones, are written as a row."""
    name = math_name(node)
    if name in _TOKENS:
        return _TOKENS[name](node)
    writer = _WRITERS.get(name)
    if writer is None or len(node) < _CHILDREN.get(name, 0):
        return row([child for child in node if math_name(child) not in ("annotation", "annotation-xml")])
    return [writer(node, row)]


def _run(text: str, style: str = "", *, is_text: bool = False) -> Element:
    run = make("m:r")
    if is_text:
        run.children.append(make("m:rPr", None, make("m:nor")))
    elif style in _STYLES:
        run.children.append(make("m:rPr", None, *(value(key, setting) for key, setting in _STYLES[style])))
    run.children.append(properties("w:rPr", [w("rFonts", ascii="Cambria Math", hAnsi="Cambria Math")]))
    run.children.append(text_element("m:t", text))
    return run


def _write_identifier(node: MathNode) -> list[Element]:
    text = math_text(node).strip()
    return [_run(text, node.get("mathvariant") or ("normal" if len(text) > 1 else ""))] if text else []


def _write_number(node: MathNode) -> list[Element]:
    text = math_text(node).strip()
    return [_run(text, node.get("mathvariant") or "normal")] if text else []


def _write_operator(node: MathNode) -> list[Element]:
    text = math_text(node).strip()
    return [_run(text, "normal" if text in FUNCTIONS else "")] if text not in INVISIBLE else []


def _write_text(node: MathNode) -> list[Element]:
    text = math_text(node)
    return [_run(text, is_text=True)] if text else []


def _write_space(node: MathNode) -> list[Element]:
    width = (node.get("width") or "0").strip()
    return [_run("\u2003" if width.startswith(("1", "2")) else "\u2009", is_text=True)] if width[:1] not in "0-" else []


def argument(name: str, nodes: Sequence[MathNode], row: WriteRow) -> Element:
    """Return an argument of a structure, such as `m:e`, with its content."""
    return make(f"m:{name}", None, *row(nodes))


def _write_fraction(node: MathNode, row: WriteRow) -> Element:
    children = [argument("num", [node[0]], row), argument("den", [node[1]], row)]
    thickness = (node.get("linethickness") or "").strip().rstrip("ptxem%")
    if thickness in ("0", "0.0"):
        children.insert(0, make("m:fPr", None, value("type", "noBar")))
    return make("m:f", None, *children)


def _write_root(node: MathNode, row: WriteRow) -> Element:
    return make("m:rad", None, argument("deg", [node[1]], row), argument("e", [node[0]], row))


def _write_square_root(node: MathNode, row: WriteRow) -> Element:
    hidden = make("m:radPr", None, value("degHide", "1"))
    return make("m:rad", None, hidden, make("m:deg"), argument("e", list(node), row))


def _write_sub(node: MathNode, row: WriteRow) -> Element:
    if math_text(node[0]).strip() in _LIMITS:
        return _write_under(node, row)
    return make("m:sSub", None, argument("e", [node[0]], row), argument("sub", [node[1]], row))


def _write_sup(node: MathNode, row: WriteRow) -> Element:
    return make("m:sSup", None, argument("e", [node[0]], row), argument("sup", [node[1]], row))


def _write_sub_sup(node: MathNode, row: WriteRow) -> Element:
    slots = zip(("e", "sub", "sup"), node, strict=False)
    return make("m:sSubSup", None, *(argument(slot, [child], row) for slot, child in slots))


def _write_over(node: MathNode, row: WriteRow) -> Element:
    mark, base = math_text(node[1]).strip(), argument("e", [node[0]], row)
    if mark in _BARS:
        return make("m:bar", None, make("m:barPr", None, value("pos", "top")), base)
    if mark in _BRACES:
        return _group(mark, base, "top", "bot")
    if mark in _ACCENTS:
        return make("m:acc", None, make("m:accPr", None, value("chr", _ACCENTS[mark])), base)
    return make("m:limUpp", None, base, argument("lim", [node[1]], row))


def _write_under(node: MathNode, row: WriteRow) -> Element:
    mark, base = math_text(node[1]).strip(), argument("e", [node[0]], row)
    if mark in _BARS:
        return make("m:bar", None, make("m:barPr", None, value("pos", "bot")), base)
    if mark in _BRACES:
        return _group(mark, base, "bot", "top")
    return make("m:limLow", None, base, argument("lim", [node[1]], row))


def _group(mark: str, base: Element, position: str, opposite: str) -> Element:
    found = make("m:groupChrPr", None, value("chr", mark), value("pos", position), value("vertJc", opposite))
    return make("m:groupChr", None, found, base)


def _write_under_over(node: MathNode, row: WriteRow) -> Element:
    lower = make("m:limLow", None, argument("e", [node[0]], row), argument("lim", [node[1]], row))
    return make("m:limUpp", None, make("m:e", None, lower), argument("lim", [node[2]], row))


def _write_table(node: MathNode, row: WriteRow) -> Element:
    lines = [[cell for cell in line if math_name(cell) == "mtd"] for line in node if "tr" in math_name(line)]
    width = max((len(line) for line in lines), default=0) or 1
    first = lines[0][0] if lines and lines[0] else node
    align = (node.get("columnalign") or first.get("columnalign") or "center").split()[:1]
    side = "".join(align) if align in (["left"], ["right"]) else "center"
    column = make("m:mcPr", None, value("count", str(width)), value("mcJc", side))
    parameters = make("m:mPr", None, make("m:mcs", None, make("m:mc", None, column)))
    written = []
    for line in lines or [[]]:
        missing = (make("m:e") for _ in range(width - len(line)))
        written.append(make("m:mr", None, *(argument("e", list(cell), row) for cell in line), *missing))
    return make("m:m", None, parameters, *written)


def _write_fenced(node: MathNode, row: WriteRow) -> Element:
    marks = [("begChr", "open", "("), ("sepChr", "separators", ","), ("endChr", "close", ")")]
    parameters = make("m:dPr", None, *(value(name, (node.get(key) or other)[:1]) for name, key, other in marks))
    arguments = [argument("e", [child], row) for child in node] or [make("m:e")]
    return make("m:d", None, parameters, *arguments)


def _write_box(node: MathNode, row: WriteRow) -> Element:
    return make("m:borderBox", None, argument("e", list(node), row))


def _write_phantom(node: MathNode, row: WriteRow) -> Element:
    return make("m:phant", None, make("m:phantPr", None, value("show", "0")), argument("e", list(node), row))


_TOKENS: Mapping[str, Callable[[MathNode], list[Element]]] = {
    "mi": _write_identifier,
    "mn": _write_number,
    "mo": _write_operator,
    "mtext": _write_text,
    "ms": _write_text,
    "mspace": _write_space,
}
_WRITERS: Mapping[str, Callable[[MathNode, WriteRow], Element]] = {
    "mfrac": _write_fraction,
    "mroot": _write_root,
    "msqrt": _write_square_root,
    "msup": _write_sup,
    "msub": _write_sub,
    "msubsup": _write_sub_sup,
    "mover": _write_over,
    "munder": _write_under,
    "munderover": _write_under_over,
    "mtable": _write_table,
    "mfenced": _write_fenced,
    "menclose": _write_box,
    "mphantom": _write_phantom,
}
_CHILDREN = {"mfrac": 2, "mroot": 2, "msup": 2, "msub": 2, "msubsup": 3, "mover": 2, "munder": 2, "munderover": 3}
"""Children that an element must have. Without them its children are written as a row."""
