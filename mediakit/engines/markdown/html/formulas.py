"""Formulas: their TeX source if the page contains it, or else MathML converted to TeX."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from html.entities import codepoint2name
from urllib.parse import parse_qs, unquote, urlsplit

from lxml import etree, html
from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import HEADING_LEVELS, class_names, is_hidden, tag_name, word_set

_TEX_ENCODINGS = ("application/x-tex", "text/x-tex", "latex", "tex")
_FORMULA_IMAGE_CLASSES = {"latex": False, "ql-img-inline-formula": False, "ql-img-displayed-equation": True}
"""Classes of images of formulas whose alternative text is TeX, and whether they are display formulas."""

_FORMULA_NAMES = re.compile(r"(?:^|[\s_-])(?:math|tex(?!t)|latex|equation|formula|katex|mimetex)", re.IGNORECASE)
"""Start of a class name of an image of a formula. Its alternative text is TeX if it has a sign of TeX."""

_TEX_SIGN = re.compile(r"[\\^_{}=]")
_TEX_SERVICE = re.compile(
    r"(?:^|\.)(?:codecogs\.com|forkosh\.com|quicklatex\.com|upmath\.me|math\.now\.sh|mathurl\.com)$"
)
"""Hosts that draw the formula in the path or the query of an address."""

_TEX_PARAMETERS = ("chl", "tex", "latex", "math", "formula", "eq", "f", "from")
"""Parameters of addresses that contain a formula."""

_TEX_ADDRESS = re.compile(
    r"latex\.codecogs\.com|chart\?cht=tx|latex\.php|/equation\?tex=|/render/math\?|mathtex|mimetex|mathtran|"
    r"math\.now\.sh|upmath\.me|texify|tex\.z-dn\.net|tex\.s2cms",
    re.IGNORECASE,
)
_TEX_SETTINGS = re.compile(
    r"\\(?:inline|displaystyle|large|Large|LARGE|huge|Huge|small|tiny|normalsize)(?![a-zA-Z])|"
    r"\\(?:dpi|bg|fn|fg|color)(?:\{[^}]*\}|_\w+)"
)
"""Size and colors of the image, in front of the formula in an address."""

_TEX_ATTRIBUTES = ("data-math", "data-tex", "data-latex", "data-formula", "data-equation", "data-expr", "data-katex")
_NOT_TEX = (None, "", "true", "false", "inline", "block", "1")
"""Values of these attributes that are settings."""

_TABLE_PARTS = word_set("table thead tbody tfoot tr td th")
"""Elements whose attributes are formulas of a spreadsheet, not TeX."""

_TEXT_ELEMENTS = ("p", "table", "li", "dl", "pre", *HEADING_LEVELS)
"""Elements that no drawn formula contains. Around them, these attributes have another meaning."""

_FORMULA_SIGNS = ("math", "mjx", "formula", "equation", "data-expr", "cht=tx")
_TEX_NAME = re.compile(r"tex(?!t)")
"""Parts of the name of an element, a class or an attribute of formulas, or of an address. The class "text" is none."""

_CONTAINER_CLASSES = word_set(
    "katex katex-display mwe-math-element MathJax MathJax_CHTML MathJax_SVG MathJax_Display MathJax_SVG_Display "
    "MJXc-display mjx-chtml MathJax_Preview"
)
_TEX_DELIMITERS = re.compile(r"\s*(?:\\\((.*)\\\)|\\\[(.*)\\\]|\$\$(.*)\$\$|\$(.*)\$)\s*", re.DOTALL)
_find_candidates = etree.XPath(
    "descendant::*[self::math or self::img or self::mjx-container or self::amp-mathml or "
    "self::script[starts-with(translate(@type, 'MATH', 'math'), 'math/')] or @data-mathml or "
    + " or ".join(f"@{name}" for name in _TEX_ATTRIBUTES)
    + " or contains(@class, 'katex') or contains(@class, 'MathJax') or contains(@class, 'mjx') "
    "or contains(@class, 'math')]"
)
"""Finds elements that can be formulas, the outer ones first."""

_DISPLAY_WRAPPER = re.compile(r"\{\\displaystyle\s(.*)\}", re.DOTALL)
_NAMED_SYMBOLS = word_set(
    "times le ge ne sum prod int nabla alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho "
    "sigma tau upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
"""Commands of TeX for characters that HTML calls the same."""

_SYMBOLS = {
    **{chr(code): f"\\{name} " for code, name in codepoint2name.items() if name in _NAMED_SYMBOLS},
    "−": "-",
    "⋅": r"\cdot ",
    "∞": r"\infty ",
    "√": r"\sqrt ",
    "±": r"\pm ",
    "→": r"\to ",
    "⇒": r"\Rightarrow ",
    "∈": r"\in ",
    "∂": r"\partial ",
    "≈": r"\approx ",
    **dict.fromkeys("\u2061\u2062\u2063\u2064", ""),
    **{sign: f"\\{sign}" for sign in "{}%"},
}
"""TeX of the characters that MathML contains."""

_ACCENTS = {
    "¯": "overline",
    "‾": "overline",
    "^": "hat",
    "\u0302": "hat",
    "→": "vec",
    "\u20d7": "vec",
    "~": "tilde",
    "\u0303": "tilde",
    "˙": "dot",
    "\u0307": "dot",
    "¨": "ddot",
    "\u0308": "ddot",
    "⏞": "overbrace",
}
_ACCENTS_BELOW = {"⏟": "underbrace", "_": "underline", "\u0332": "underline"}
_PREVIEW_CLASSES = word_set(
    "MathJax MathJax_Preview MathJax_Display MathJax_SVG katex-html mwe-math-fallback-image-inline"
)
_FUNCTIONS = word_set(
    "arccos arcsin arctan cos cosh cot det dim exp gcd inf ker lim ln log max min sin sinh sup tan tanh"
)


def formula_of_math(math: HtmlElement) -> tuple[str, bool]:
    """Return the TeX of a `math` element, and whether it is a display formula."""
    return _tex(math), math.get("display") == "block"


def _image_formula(image: HtmlElement) -> tuple[str, bool] | None:
    """Return the formula that an image shows: the TeX in its address, or in its alternative text."""
    alt, classes = (image.get("alt") or "").strip(), class_names(image)
    kind = next((name for name in classes.split() if name in _FORMULA_IMAGE_CLASSES), None)
    if alt and kind:
        return _without_delimiters(alt), _FORMULA_IMAGE_CLASSES[kind]
    tex = _tex_in_address(image.get("src") or image.get("data-src") or "")
    if not tex and _TEX_SIGN.search(alt) and _FORMULA_NAMES.search(classes):
        tex = _unwrap(_without_delimiters(alt))
    return (tex, "display" in classes) if tex else None


def _tex_in_address(address: str) -> str:
    """Return the formula in the address of an image that a service draws. Empty for other images."""
    if not _TEX_ADDRESS.search(address):
        return ""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    values = parse_qs(parts.query)
    found = next((values[name][0] for name in _TEX_PARAMETERS if values.get(name)), "")
    if not found:
        query = parts.query or parts.path.rpartition("/")[2]
        found = unquote(query).replace("&space;", " ") if _TEX_SERVICE.search(parts.hostname or "") else ""
    return _TEX_SETTINGS.sub("", found).strip().strip("$").strip()


def may_have_formulas(source: str) -> bool:
    """Return whether HTML contains a name that formulas have. Much faster than the search for them in the tree."""
    lower = source.lower()
    return any(sign in lower for sign in _FORMULA_SIGNS) or _TEX_NAME.search(lower) is not None


def normalize_formulas(root: HtmlElement, source: str = "") -> None:
    """Replace the formulas of a page, in all forms that pages use, with `math` elements that state their TeX.

    Formulas are often in the page twice: drawn by a script or an image, and hidden as MathML. One of them remains. TeX
    in the text is found only with the HTML of the page, `source`.
    """
    _mark_formulas_in_text(root, source)
    find = {"img": _image_formula, "math": formula_of_math, "script": _script_formula}
    replaced: set[HtmlElement] = set()
    for element in _find_candidates(root):
        if element in replaced or element.getparent() is None:
            continue
        if element.tag in ("span", "div") and _has_script_after(element):
            replaced.update(element.iter())
            element.drop_tree()
        elif (formula := find.get(tag_name(element), _container_formula)(element)) is not None:
            place = _formula_wrapper(element)
            replaced.update(place.iter())
            _drop_fallback_images(place)
            _replace_with_math(place, *formula)
        elif not _PREVIEW_CLASSES.isdisjoint(class_names(element).split()):
            del element.attrib["class"]  # the page has no source of this formula: its text is kept


_TEX_SCRIPTS = ("mathjax", "auto-render", "rendermathinelement", "arithmatex")
"""Names of the scripts that draw the formulas in a text, and the class of such formulas."""

_TEX_SCRIPT = re.compile(r"<script\b[^<]*?(?:mathjax|auto-render|rendermathinelement)|=\s*[\"']?arithmatex\b")

_DOLLAR_SETTING = re.compile(r"[\[(:]\s*(['\"])\$\1\s*,")
"""Setting of these scripts: a single dollar sign is a delimiter."""

_TEX_IN_TEXT = (
    r"\\\((?:(?!\\\().)+?\\\)|\\\[(?:(?!\\\[).)+?\\\]|\$\$.+?\$\$"
    r"|\\begin\{(equation|align|gather|multline)(\*?)\}(?:(?!\\begin\{\1[}*]).)+?\\end\{\1\2\}"
)
"""TeX between delimiters. A second start ends the search for the end of the first, which keeps its time linear."""

_DOLLARS_IN_TEXT = r"|(?<![\\$\w])\$(?![\s$])[^$]*?[^$\s\\]\$(?![\d$])"
_VERBATIM_ELEMENTS = ("pre", "code", "script", "style", "textarea", "math", "svg", "kbd", "samp")


def _mark_formulas_in_text(root: HtmlElement, source: str) -> None:
    """Make `math` elements of the TeX between delimiters in a text, if a script of the page draws it."""
    lower = source.lower()
    if not any(name in lower for name in _TEX_SCRIPTS) or not _TEX_SCRIPT.search(lower):
        return
    pattern = re.compile(_TEX_IN_TEXT + (_DOLLARS_IN_TEXT if _DOLLAR_SETTING.search(source) else ""), re.DOTALL)
    for element in list(root.iter()):
        parent = element.getparent()
        if (matches := list(pattern.finditer(element.text or ""))) and _is_text_of_page(element):
            element.text = _insert_formulas(matches, partial(element.insert, 0))
        if parent is None or element is root:
            continue
        if (matches := list(pattern.finditer(element.tail or ""))) and _is_text_of_page(parent):
            element.tail = _insert_formulas(matches, element.addnext)


def _is_text_of_page(element: HtmlElement) -> bool:
    around = (element, *element.iterancestors())
    return not any(each.tag in _VERBATIM_ELEMENTS or "math" in class_names(each).split() for each in around)


def _insert_formulas(matches: Sequence[re.Match[str]], insert: Callable[[HtmlElement], None]) -> str:
    """Insert the formulas of a text, with the text after each of them, and return the text before the first."""
    text = matches[0].string
    ends = [*(match.start() for match in matches[1:]), len(text)]
    for match, end in reversed(list(zip(matches, ends, strict=True))):
        formula = html.Element("math")
        is_display = match[0].startswith(("$$", "\\[", "\\begin"))
        _replace_with_math(formula, _without_delimiters(match[0]), is_display)
        formula.tail = text[match.end() : end]
        insert(formula)
    return text[: matches[0].start()]


def _script_formula(script: HtmlElement) -> tuple[str, bool] | None:
    kind = (script.get("type") or "").lower()
    return ((script.text or "").strip(), "mode=display" in kind) if kind.startswith("math/tex") else None


def _container_formula(element: HtmlElement) -> tuple[str, bool] | None:
    """Return the formula that an element states in its attributes, its text, or an element inside."""
    names = set(class_names(element).split())
    is_display = bool(names & {"katex-display", "MathJax_Display", "MathJax_SVG_Display", "MJXc-display", "display"})
    is_display = is_display or element.get("display") in ("true", "block")
    value = next((value for name in _TEX_ATTRIBUTES if (value := element.get(name)) not in _NOT_TEX), None)
    if value and tag_name(element) not in _TABLE_PARTS and next(element.iterdescendants(*_TEXT_ELEMENTS), None) is None:
        return _without_delimiters(value), is_display or element.get("data-display") in ("true", "block")
    is_container = tag_name(element) in ("mjx-container", "amp-mathml") or bool(names & _CONTAINER_CLASSES)
    if is_container and (inner := next(element.iter("math"), None)) is not None:
        return _tex(inner), is_display or inner.get("display") == "block"
    if mathml := element.get("data-mathml"):
        return _tex_of_mathml(mathml), is_display
    if is_container:
        return _formula_inside(element, is_display=is_display)
    text = element.text or ""
    if "math" in names and len(element) == 0 and _TEX_DELIMITERS.fullmatch(text):
        return _without_delimiters(text), text.strip().startswith((r"\[", "$$"))
    return None


def _formula_inside(element: HtmlElement, *, is_display: bool) -> tuple[str, bool] | None:
    """Return the formula that a descendant of a container states as TeX or as an image."""
    for inner in element.iterdescendants():
        if value := next(filter(None, map(inner.get, _TEX_ATTRIBUTES)), None):
            return value, is_display
        if inner.tag == "img" and (alt := (inner.get("alt") or "").strip()):
            return _unwrap(_without_delimiters(alt)), is_display or "display" in class_names(inner)
    return None


def _tex_of_mathml(source: str) -> str:
    try:
        root = html.fragment_fromstring(source, create_parent="div")
    except (etree.ParserError, ValueError):
        return ""
    math = next(root.iter("math"), None)
    return _tex(math) if math is not None else ""


def _without_delimiters(tex: str) -> str:
    match = _TEX_DELIMITERS.fullmatch(tex)
    return next(part for part in match.groups() if part is not None).strip() if match else tex.strip()


def _has_script_after(element: HtmlElement) -> bool:
    """Return whether a script with the source follows the drawn formula of MathJax 2."""
    if _PREVIEW_CLASSES.isdisjoint(class_names(element).split()):
        return False
    for sibling in element.itersiblings():
        if sibling.tag == "script" and (sibling.get("type") or "").lower().startswith("math/"):
            return True
        if _PREVIEW_CLASSES.isdisjoint(class_names(sibling).split()):
            return False
    return False


def _formula_wrapper(element: HtmlElement) -> HtmlElement:
    """Return the outermost hidden element around a formula that contains nothing else, or the formula."""
    wrapper = element
    for ancestor in element.iterancestors("span", "div"):
        if len(ancestor) > 1 or (ancestor.text or "").strip() or (ancestor[0].tail or "").strip():
            break
        if is_hidden(ancestor):
            wrapper = ancestor
    return wrapper


def _drop_fallback_images(place: HtmlElement) -> None:
    """Remove the images of a formula beside its MathML."""
    if place.tag == "img":
        return
    for image in (place.getprevious(), place.getnext()):
        if image is not None and image.tag == "img":
            is_adjacent = not ((place if image is place.getnext() else image).tail or "").strip()
            alt, names = image.get("alt") or "", class_names(image)
            if is_adjacent and (_FORMULA_NAMES.search(names) or "fallback" in names or (is_hidden(place) and alt)):
                image.drop_tree()


def _replace_with_math(element: HtmlElement, tex: str, is_display: bool) -> None:  # noqa: FBT001  # a pair of values
    del element[:]
    element.attrib.clear()
    element.tag, element.text = "math", None
    if is_display:
        element.set("display", "block")
    annotation = element.makeelement("annotation", {"encoding": "application/x-tex"})
    annotation.text = tex
    element.append(annotation)


def _tex(math: HtmlElement) -> str:
    for annotation in math.iter("annotation"):
        if (annotation.get("encoding") or "").lower() in _TEX_ENCODINGS:
            return _unwrap(annotation.text_content())
    if math.get("alttext"):
        return _unwrap(math.get("alttext") or "")
    return re.sub(r"\s+", " ", "".join(map(_convert, math))).strip()


def _unwrap(tex: str) -> str:
    wrapped = _DISPLAY_WRAPPER.fullmatch(tex.strip())
    return (wrapped[1] if wrapped else tex).strip()


def _convert(element: HtmlElement) -> str:  # noqa: C901, PLR0911, PLR0912  # a case for each element of MathML Core
    parts = [_convert(child) for child in element]
    text = "".join(_SYMBOLS.get(character, character) for character in (element.text or "").strip())
    match tag_name(element), parts:
        case "mfrac", [top, bottom]:
            return f"\\frac{{{top}}}{{{bottom}}}"
        case "msup", [base, power]:
            return f"{base}^{{{power}}}"
        case "msub", [base, index]:
            return f"{base}_{{{index}}}"
        case (("msubsup" | "munderover"), [base, low, high]):
            return f"{base}_{{{low}}}^{{{high}}}"
        case "munder", [base, low]:
            accent = _ACCENTS_BELOW.get(low.strip())
            return f"\\{accent}{{{base}}}" if accent else f"{base}_{{{low}}}"
        case "mover", [base, high]:
            accent = _ACCENTS.get(high.strip())
            return f"\\{accent}{{{base}}}" if accent else f"{base}^{{{high}}}"
        case "msqrt", _:
            return f"\\sqrt{{{''.join(parts)}}}"
        case "mroot", [base, index]:
            return f"\\sqrt[{index}]{{{base}}}"
        case "mtable", _:
            return r"\begin{matrix}" + r" \\ ".join(parts) + r"\end{matrix}"
        case (("mtr" | "mlabeledtr"), _):
            return " & ".join(parts)
        case "mtext", _:
            return f"\\text{{{(element.text or '').strip()}}}"
        case (("mi" | "mo"), []) if text in _FUNCTIONS:
            return f"\\{text} "
        case "mi", [] if len(text) > 1 and text.isalpha():
            return f"\\operatorname{{{text}}}"
        case (("annotation" | "annotation-xml"), _):
            return ""
        case _:
            return text + "".join(parts)
