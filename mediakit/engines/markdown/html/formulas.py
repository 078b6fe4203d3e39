"""Formulas: their TeX source if the page contains it, or else MathML converted to TeX."""

import re

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import class_names, tag_name, word_set

_TEX_ENCODINGS = ("application/x-tex", "text/x-tex", "latex", "tex")
_FORMULA_IMAGE_CLASSES = {"latex": False, "ql-img-inline-formula": False, "ql-img-displayed-equation": True}
"""Classes of images of formulas whose alternative text is TeX, and whether they are display formulas."""

_DISPLAY_WRAPPER = re.compile(r"\{\\displaystyle\s(.*)\}", re.DOTALL)
_SYMBOLS = {
    "−": "-",
    "×": r"\times ",
    "⋅": r"\cdot ",
    "≤": r"\le ",
    "≥": r"\ge ",
    "≠": r"\ne ",
    "∞": r"\infty ",
    "∑": r"\sum ",
    "∏": r"\prod ",
    "∫": r"\int ",
    "√": r"\sqrt ",
    "±": r"\pm ",
    "→": r"\to ",
    "⇒": r"\Rightarrow ",
    "∈": r"\in ",
    "∂": r"\partial ",
    "∇": r"\nabla ",
    "≈": r"\approx ",
    "α": r"\alpha ",
    "β": r"\beta ",
    "γ": r"\gamma ",
    "δ": r"\delta ",
    "ε": r"\epsilon ",
    "θ": r"\theta ",
    "λ": r"\lambda ",
    "μ": r"\mu ",
    "π": r"\pi ",
    "ρ": r"\rho ",
    "σ": r"\sigma ",
    "τ": r"\tau ",
    "φ": r"\phi ",
    "ω": r"\omega ",
    "Δ": r"\Delta ",
    "Σ": r"\Sigma ",
    "Ω": r"\Omega ",
    "\u2061": "",
    "\u2062": "",
    "\u2063": "",
    "\u2064": "",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
}
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


def find_formula(element: HtmlElement) -> tuple[str, bool] | None:
    """Return a formula's TeX and whether it is a display formula. None if the element is not a formula."""
    tag = tag_name(element)
    if tag == "img":
        return _image_formula(element)
    if tag == "math":
        return _tex(element), element.get("display") == "block"
    if tag == "script":
        kind = (element.get("type") or "").lower()
        return ((element.text or "").strip(), "mode=display" in kind) if kind.startswith("math/tex") else None
    if tag == "mjx-container" or (tag in ("span", "div") and _is_formula_class(class_names(element))):
        inner = next(element.iter("math"), None)
        display = "katex-display" in class_names(element) or element.get("display") == "true"
        return (_tex(inner), display or inner.get("display") == "block") if inner is not None else None
    return None


def _image_formula(image: HtmlElement) -> tuple[str, bool] | None:
    """Return the formula that an image shows, if its alternative text is TeX."""
    tex = (image.get("alt") or "").strip()
    kind = next((name for name in class_names(image).split() if name in _FORMULA_IMAGE_CLASSES), None)
    return (tex, _FORMULA_IMAGE_CLASSES[kind]) if tex and kind else None


def is_formula_preview(element: HtmlElement) -> bool:
    """Return whether an element only displays a formula whose source is in an element next to it.

    The containers of MathJax 3 and 4 are not previews: they contain the source.
    """
    names = class_names(element)
    return bool(names) and element.tag != "mjx-container" and not _PREVIEW_CLASSES.isdisjoint(names.split())


def _is_formula_class(names: str) -> bool:
    return bool({"katex", "katex-display", "MathJax_CHTML", "mwe-math-element"} & set(names.split()))


def _tex(math: HtmlElement) -> str:
    for annotation in math.iter("annotation"):
        if (annotation.get("encoding") or "").lower() in _TEX_ENCODINGS:
            return _unwrap(annotation.text_content())
    if math.get("alttext"):
        return _unwrap(math.get("alttext") or "")
    return re.sub(r"\s+", " ", _convert_children(math)).strip()


def _unwrap(tex: str) -> str:
    tex = tex.strip()
    wrapped = _DISPLAY_WRAPPER.fullmatch(tex)
    return (wrapped[1] if wrapped else tex).strip()


def _convert_children(element: HtmlElement) -> str:
    return "".join(_convert(child) for child in element)


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
