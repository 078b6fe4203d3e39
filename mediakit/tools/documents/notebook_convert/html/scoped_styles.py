"""Style sheets of outputs, such as those of pandas' `Styler`, limited to their output and to harmless properties."""

import re
from collections.abc import Iterator

MAX_CHARACTERS = 500_000
MAX_RULES = 20_000

SAFE_PROPERTIES = frozenset(
    (
        *("background", "background-color", "color", "opacity"),
        *("border", "border-bottom", "border-left", "border-right", "border-top"),
        *("border-bottom-color", "border-collapse", "border-color", "border-radius", "border-spacing"),
        *("border-style", "border-top-width", "border-width", "caption-side"),
        *("font-family", "font-size", "font-style", "font-variant", "font-weight", "letter-spacing", "line-height"),
        *("height", "max-width", "min-width", "width"),
        *("padding", "padding-bottom", "padding-left", "padding-right", "padding-top"),
        *("text-align", "text-decoration", "text-transform", "vertical-align", "white-space"),
    )
)

_STYLE = re.compile(r"<style\b[^>]*>(.{0,500000}?)</style\s*>", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_RULE = re.compile(r"([^{}]{1,100000})\{([^{}]{0,20000})\}")
_SELECTOR = re.compile(r"[\w\s.#:()>+~*-]{1,300}", re.ASCII)
_VALUE = re.compile(r"[\w\s.,%#()+*/'\"!-]{1,300}")
_LOADS = re.compile(r"url|expression|image|attr|@|var\s*\(|/\*", re.IGNORECASE)


def scoped_styles(html: str, scope: str) -> str:
    """Return the rules of the style sheets in an output's HTML that apply to tables and texts inside of it.

    Args:
        html: The HTML as the notebook has it.
        scope: Selector of the element that will hold the cleaned HTML.
    """
    css = "\n".join(_STYLE.findall(html))[:MAX_CHARACTERS]
    return "\n".join(_rules(_COMMENT.sub("", css), scope))


def _rules(css: str, scope: str) -> Iterator[str]:
    for number, match in enumerate(_RULE.finditer(css)):
        if number == MAX_RULES:
            return
        selectors = [part.strip() for part in match[1].split(",")]
        declarations = ";".join(_declarations(match[2]))
        if declarations and all(_SELECTOR.fullmatch(selector) for selector in selectors):
            yield f"{','.join(f'{scope} {selector}' for selector in selectors)}{{{declarations}}}"


def _declarations(text: str) -> Iterator[str]:
    for declaration in text.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name.lower() in SAFE_PROPERTIES and _VALUE.fullmatch(value) and not _LOADS.search(value):
            yield f"{name.lower()}:{value}"
