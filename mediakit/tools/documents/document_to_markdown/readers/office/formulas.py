"""Formulas of Office documents (OMML) as LaTeX (ISO/IEC 29500-1, 22.1)."""

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import word_set
from mediakit.tools.documents.document_to_markdown.readers.office import Element, M, W
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import new_element

_TEX: Mapping[str, Mapping[str, str]] = json.loads((Path(__file__).parent / "tex.json").read_text("utf-8"))
_COMMANDS, LARGE_OPERATORS = _TEX["characters"], _TEX["large operators"]
ACCENTS, GROUPS, DELIMITERS = _TEX["accents"], _TEX["groups"], _TEX["delimiters"]
ALPHABETS = _TEX["alphabets"]
"""Commands by the script of a run (ISO/IEC 29500-1, 22.1.2.91)."""
INTEGRALS = frozenset("∫∬∭∮∯∰")
FUNCTIONS = word_set(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max "
    "min Pr sec sin sinh sup tan tanh"
)
_UNICODE_ALPHABETS = (
    ("DOUBLE-STRUCK", "mathbb"),
    ("SCRIPT", "mathcal"),
    ("FRAKTUR", "mathfrak"),
    ("BLACK-LETTER", "mathfrak"),
    ("MONOSPACE", "mathtt"),
    ("SANS-SERIF", "mathsf"),
    ("BOLD", "mathbf"),
)


def tex_characters(text: str) -> str:
    """Return the characters of a formula as LaTeX."""
    return "".join(_character(character) for character in text)


def escape_text(text: str) -> str:
    """Return the characters of normal text, as an argument of the command `text`."""
    return "".join(f"\\{character}" if character in "{}%#$_&" else character for character in text)


def _character(character: str) -> str:
    command = _COMMANDS.get(character)
    if command is not None:
        return command
    if not (0x1D400 <= ord(character) <= 0x1D7FF or 0x2102 <= ord(character) <= 0x2138):  # no mathematical alphabet
        return character
    name = unicodedata.name(character, "")
    plain = unicodedata.normalize("NFKC", character)
    inner = _COMMANDS.get(plain, plain).strip()
    alphabet = next((command for word, command in _UNICODE_ALPHABETS if word in name), "")
    return f"\\{alphabet}{{{inner}}}" if alphabet else _COMMANDS.get(plain, plain)


_COMMAND_END = re.compile(r"(\\[a-zA-Z]+) (?![a-zA-Z])")
_VAL = f"{M}val"
_FALSE = ("0", "off", "false")
_MATRICES = {
    ("(", ")"): "pmatrix",
    ("[", "]"): "bmatrix",
    ("|", "|"): "vmatrix",
    ("‖", "‖"): "Vmatrix",
    ("{", "}"): "Bmatrix",
}
_SIMPLE = re.compile(r"[a-zA-Z0-9']|\\[a-zA-Z]+")
_SKIPPED = frozenset(
    (f"{M}ctrlPr", f"{W}rPr", f"{W}del", f"{W}moveFrom", f"{M}oMathParaPr", f"{M}argPr", f"{W}bookmarkStart")
)


def formula_element(formula: Element, *, display: bool) -> HtmlElement | None:
    """Return a formula as HTML, on a line of its own or in the text. None if it is empty."""
    tex = _COMMAND_END.sub(r"\1", re.sub(r"[ \n\t]+", " ", _children(formula))).strip()
    if not tex:
        return None
    math = new_element("math")
    math.set("alttext", tex)
    if display:
        math.set("display", "block")
    return math


def _children(element: Element | None) -> str:
    return "" if element is None else "".join(_CONVERTERS.get(child.tag, _children)(child) for child in element)


def _part(element: Element, name: str) -> str:
    return _children(element.find(f"{M}{name}")).strip()


def _property(element: Element, name: str) -> str | None:
    """Return the value of a property such as `chr`. None if it is not stated; empty for an empty value."""
    found = element.find(f"{M}{_local(element)}Pr/{M}{name}")
    return None if found is None else found.get(_VAL, "")


def _is_set(element: Element, name: str) -> bool:
    found = element.find(f"{M}{_local(element)}Pr/{M}{name}")
    return found is not None and found.get(_VAL, "1") not in _FALSE


def _local(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _run(run: Element) -> str:
    text = "".join(part.text or "" for part in run if part.tag in (f"{M}t", f"{W}t"))
    properties = run.find(f"{M}rPr")
    if properties is None or not text.strip():
        return tex_characters(text)
    if properties.find(f"{M}nor") is not None:
        return f"\\text{{{escape_text(text)}}}"
    style = properties.find(f"{M}sty")
    script = properties.find(f"{M}scr")
    alphabet = ALPHABETS.get("" if script is None else script.get(_VAL, ""))
    tex = tex_characters(text)
    if alphabet:
        return f"\\{alphabet}{{{tex.strip()}}}"
    match "" if style is None else style.get(_VAL, ""):
        case "b" | "bi" if any(character.isalnum() for character in text):
            return f"\\mathbf{{{tex.strip()}}}"
        case "p" if (word := text.strip()).isalpha() and word.isascii():
            return f"\\{word} " if word in FUNCTIONS else f"\\mathrm{{{word}}}"
    return tex


def _fraction(element: Element) -> str:
    top, bottom = _part(element, "num"), _part(element, "den")
    match _property(element, "type"):
        case "lin":
            return f"{_group(top)}/{_group(bottom)}"
        case "skw":
            return f"{{}}^{{{top}}}/_{{{bottom}}}"
        case "noBar":
            return f"\\binom{{{top}}}{{{bottom}}}"
    return f"\\frac{{{top}}}{{{bottom}}}"


def _group(tex: str) -> str:
    """Return LaTeX as one unit that a script or a fraction line binds to."""
    return tex if _SIMPLE.fullmatch(tex) else f"{{{tex}}}"


def _scripts(element: Element) -> str:
    """Return what has scripts, behind it or, of `sPre`, in front of it."""
    scripts = _script("_", _part(element, "sub")) + _script("^", _part(element, "sup"))
    base = _part(element, "e")
    return f"{{}}{scripts}{base}" if element.tag == f"{M}sPre" else _group(base) + scripts


def _script(sign: str, tex: str) -> str:
    return f"{sign}{{{tex}}}" if tex else ""


def _radical(element: Element) -> str:
    degree = "" if _is_set(element, "degHide") else _part(element, "deg")
    return f"\\sqrt{f'[{degree}]' if degree else ''}{{{_part(element, 'e')}}}"


def _large_operator(element: Element) -> str:
    character = _property(element, "chr")
    character = "∫" if character is None else character
    operator = LARGE_OPERATORS.get(character) or tex_characters(character).strip()
    place = _property(element, "limLoc")
    if place == "undOvr" and character in INTEGRALS:
        operator += r"\limits"
    elif place == "subSup" and character not in INTEGRALS:
        operator += r"\nolimits"
    low = "" if _is_set(element, "subHide") else _script("_", _part(element, "sub"))
    high = "" if _is_set(element, "supHide") else _script("^", _part(element, "sup"))
    return f"{operator}{low}{high} {_part(element, 'e')}"


def _delimiters(element: Element) -> str:
    begin, end, separator = (_property(element, name) for name in ("begChr", "endChr", "sepChr"))
    begin, end = "(" if begin is None else begin, ")" if end is None else end
    parts = list(element.iterchildren(f"{M}e"))
    if len(parts) == 1 and (only := _only_element(parts[0])) is not None:
        if only.tag == f"{M}m" and (begin, end) in _MATRICES:
            return _rows(only, _MATRICES[begin, end])
        if only.tag in (f"{M}m", f"{M}eqArr") and (begin, end) == ("{", ""):
            return _rows(only, "cases")
        if only.tag == f"{M}f" and _property(only, "type") == "noBar" and (begin, end) == ("(", ")"):
            return _fraction(only)  # a binomial coefficient has its own parentheses
    is_bar = separator in (None, "|", "│")
    between = r"\middle|" if is_bar else tex_characters(separator or "").strip()
    inner = f" {between} ".join(_children(part).strip() for part in parts)
    return f"\\left{_delimiter(begin)} {inner} \\right{_delimiter(end)}"


def _only_element(part: Element) -> Element | None:
    """Return the element that a part consists of. None if it has several."""
    parts = (child for child in part if child.tag not in _SKIPPED)
    shown = [child for child in parts if child.tag != f"{M}r" or "".join(child.itertext()).strip()]
    return shown[0] if len(shown) == 1 else None


def _delimiter(character: str) -> str:
    return DELIMITERS.get(character, tex_characters(character).strip() or ".")


def _rows(element: Element, environment: str) -> str:
    """Return the rows of a matrix, or the lines of an array of equations."""
    is_matrix = element.tag == f"{M}m"
    lines = element.iterchildren(f"{M}mr" if is_matrix else f"{M}e")
    rows = (line.iterchildren(f"{M}e") if is_matrix else (line,) for line in lines)
    content = r" \\ ".join(" & ".join(_children(cell).strip() for cell in row) for row in rows)
    return f"\\begin{{{environment}}} {content} \\end{{{environment}}}"


def _function(element: Element) -> str:
    name = _part(element, "fName")
    if name.isalpha() and name.isascii():
        name = f"\\{name}" if name in FUNCTIONS else f"\\operatorname{{{name}}}"
    elif match := re.fullmatch(r"\\mathrm\{([a-zA-Z]+)\}(.*)", name):
        name = f"\\operatorname{{{match[1]}}}{match[2]}"
    return f"{name} {_part(element, 'e')}"


def _limit(element: Element, sign: str, command: str) -> str:
    base, limit = _part(element, "e"), _part(element, "lim")
    name = base.removeprefix("\\")
    if limit in GROUPS:
        return f"{GROUPS[limit]}{{{base}}}"
    if name in FUNCTIONS:
        return f"\\{name}{sign}{{{limit}}} "
    if base.startswith((r"\underbrace", r"\overbrace", r"\sum", r"\prod", r"\operatorname")):
        return f"{base}{sign}{{{limit}}}"
    return f"\\{command}{{{limit}}}{{{base}}}"


def _accent(element: Element) -> str:
    character = _property(element, "chr")
    command = ACCENTS.get("\u0302" if character is None else character, r"\hat")
    inner = _part(element, "e")
    wide = {r"\hat": r"\widehat", r"\tilde": r"\widetilde", r"\vec": r"\overrightarrow", r"\bar": r"\overline"}
    if not _SIMPLE.fullmatch(inner):
        command = wide.get(command, command)
    return f"{command}{{{inner}}}"


def _bar(element: Element) -> str:
    command = "overline" if _property(element, "pos") == "top" else "underline"
    return f"\\{command}{{{_part(element, 'e')}}}"


def _group_character(element: Element) -> str:
    character = _property(element, "chr")
    command = GROUPS.get("⏟" if character is None else character)
    inner = _part(element, "e")
    if command:
        if _property(element, "pos") == "top":
            command = command.replace("under", "over")
        return f"{command}{{{inner}}}"
    place = "overset" if _property(element, "pos") == "top" else "underset"
    return f"\\{place}{{{tex_characters(character or '').strip()}}}{{{inner}}}"


def _phantom(element: Element) -> str:
    show = element.find(f"{M}phantPr/{M}show")
    inner = _part(element, "e")
    return f"\\phantom{{{inner}}}" if show is not None and show.get(_VAL) in _FALSE else inner


_CONVERTERS: dict[object, Callable[[Element], str]] = {
    f"{M}r": _run,
    f"{M}f": _fraction,
    **dict.fromkeys((f"{M}sSup", f"{M}sSub", f"{M}sSubSup", f"{M}sPre"), _scripts),
    f"{M}rad": _radical,
    f"{M}nary": _large_operator,
    f"{M}d": _delimiters,
    f"{M}m": lambda element: _rows(element, "matrix"),
    f"{M}eqArr": lambda element: _rows(element, "aligned"),
    f"{M}func": _function,
    f"{M}limLow": lambda element: _limit(element, "_", "underset"),
    f"{M}limUpp": lambda element: _limit(element, "^", "overset"),
    f"{M}acc": _accent,
    f"{M}bar": _bar,
    f"{M}groupChr": _group_character,
    f"{M}borderBox": lambda element: f"\\boxed{{{_part(element, 'e')}}}",
    f"{M}phant": _phantom,
    **dict.fromkeys(_SKIPPED, lambda _: ""),
}
