"""Which elements, attributes and styles the HTML of a template may have: no scripts, nothing from the network."""

import re
from collections.abc import Iterator

VOID_ELEMENTS = frozenset({"area", "br", "col", "hr", "img", "wbr"})
"""Elements without an end tag."""

_FORBIDDEN_ELEMENTS = frozenset(
    {
        *("html", "head", "body", "main", "base", "link", "meta", "title", "template"),
        *("script", "noscript", "iframe", "frame", "frameset", "noframes", "object", "embed", "noembed", "applet"),
        *("form", "input", "button", "select", "option", "textarea", "portal", "fencedframe"),
        *("audio", "video", "source", "track", "canvas", "math", "plaintext", "xmp"),
        *("animate", "animatemotion", "animatetransform", "set"),
    }
)
_URL_ATTRIBUTES = frozenset(
    {
        *("href", "xlink:href", "src", "srcset", "poster", "background", "data", "action", "formaction"),
        *("cite", "longdesc", "ping"),
    }
)
_ATTRIBUTE_NAME = re.compile(r"[a-z_][a-z0-9_:.-]*", re.ASCII)
_LINK = re.compile(r"(https?://|mailto:|tel:|#)", re.ASCII | re.IGNORECASE)
_INLINE_IMAGE = re.compile(r"data:image/(png|jpeg|webp|svg\+xml)[;,]", re.ASCII | re.IGNORECASE)

_CSS_COMMENT = re.compile(r"/\*.*?(\*/|$)", re.DOTALL)
_CSS_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})[ \t\r\n\f]?|\\(.)", re.DOTALL)
_CSS_URL = re.compile(r"(?:url|src)\(\s*[\"']?(?!data:|#|\s|[\"'])", re.IGNORECASE)
_CSS_FORBIDDEN = re.compile(r"@import|@namespace|(?:https?:)?//[a-z0-9]|image-set\(|</", re.IGNORECASE)
_DATA_URL = re.compile(
    r"""url\(\s*(?:"data:[^"\\\n]*"|'data:[^'\\\n]*'|data:[^"'()\\\s]*)\s*\)""",
    re.IGNORECASE,
)


def element_problem(tag: str) -> str | None:
    """Return why an element is not allowed, or None."""
    if tag not in _FORBIDDEN_ELEMENTS:
        return None
    if tag in ("html", "head", "body", "main"):
        return f"<{tag}> is not allowed: write only a <style> and what is inside of the body."
    return f"<{tag}> is not allowed in a template."


def attribute_problem(tag: str, name: str, value: str) -> str | None:
    """Return why an attribute is not allowed, or None."""
    if not _ATTRIBUTE_NAME.fullmatch(name):
        return f"the attribute name {name[:40]!r} is not valid."
    if name.startswith("on"):
        return f"{name} is not allowed: scripts do not run."
    if name == "style":
        return css_problem(value)
    if name not in _URL_ATTRIBUTES:
        return None
    allowed = _LINK if tag == "a" and name == "href" else _INLINE_IMAGE
    if name in ("href", "src", "xlink:href") and (not value or allowed.match(value) or value.startswith("#")):
        return None
    hint = "use a file of the folder, or a data: URI" if tag in ("img", "image") else "use https://, mailto: or #"
    return f"{name}={value[:60]!r} is not allowed: templates load nothing; {hint}."


def css_problem(css: str) -> str | None:
    """Return why CSS is not allowed, or None."""
    plain = _CSS_ESCAPE.sub(_unescaped, _DATA_URL.sub("", _CSS_COMMENT.sub(" ", css)))
    found = next(_forbidden_parts(plain), None)
    if found == "{{":
        return "the style must not contain {{...}}; use the variable --NAME of a color key."
    return f"the style has {found!r}, which is not allowed: templates load nothing." if found else None


def css_problem_lines(css: str) -> Iterator[tuple[int, str]]:
    """Yield the line, from 0, and the message of each problem in a style element."""
    plain = _CSS_COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), css)
    found = [(number, problem) for number, line in enumerate(plain.split("\n")) if (problem := css_problem(line))]
    whole = css_problem(plain)
    yield from found or ([(0, whole)] if whole else [])


def _forbidden_parts(css: str) -> Iterator[str]:
    for pattern in (_CSS_FORBIDDEN, _CSS_URL):
        for match in pattern.finditer(css):
            yield css[match.start() : match.end() + 30].split("\n", maxsplit=1)[0]
    if "{{" in css:
        yield "{{"


def _unescaped(match: re.Match[str]) -> str:
    if not match[1]:
        return match[2]
    code = int(match[1], 16)
    return chr(code) if 0 < code <= 0x10FFFF else " "
