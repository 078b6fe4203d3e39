"""Cleans the HTML, the SVG images and the style sheets of outputs: nothing of them runs, loads or covers the page."""

import re
from collections.abc import Iterator, Mapping
from html import escape, unescape
from typing import TYPE_CHECKING

from mediakit.engines.notebooks import NotebookImage
from mediakit.engines.rich_text.cleaning import SAFE_STYLES, clean_html
from mediakit.engines.xml import parse_xml
from mediakit.errors import InvalidInput
from mediakit.tools.documents.notebook_convert.selection import Remarks

if TYPE_CHECKING:
    from lxml import etree

_FORM_FIELD = re.compile(r"<(?=/?input\b)", re.IGNORECASE)
_HEAD = re.compile(r"<head\b.*?</head\s*>", re.IGNORECASE | re.DOTALL)
_IMAGE = re.compile(r"<img\b[^>]*>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_REMOTE = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_ATTACHMENT = re.compile(r"attachment-\d+")


def clean_output(html: str, remarks: Remarks) -> str:
    """Return the HTML of an output without its head, scripts, form fields and images from elsewhere."""
    without_fields = _FORM_FIELD.sub("<x-", _HEAD.sub("", html))  # unknown elements are removed
    return embed_images(clean_html(without_fields, styles=True, svg=True), {}, remarks)


def embed_images(html: str, attached: Mapping[str, NotebookImage], remarks: Remarks) -> str:
    """Return HTML whose images are all `data:` URIs. Others become links or their alternative text.

    Args:
        html: HTML as nh3 writes it, with attributes in double quotes.
        attached: Images by the address that the HTML has for them.
        remarks: Counts the images that are omitted.
    """

    def embed(match: re.Match[str]) -> str:
        attributes = {name: unescape(value) for name, value in _ATTRIBUTE.findall(match[0])}
        source = attributes.get("src", "").strip()
        alt = " ".join(attributes.get("alt", "").split())
        if source in attached:
            return match[0].replace(f'src="{escape(source)}"', f'src="{attached[source].data_uri}"')
        if source.lower().startswith("data:image/"):
            return match[0]
        if _REMOTE.match(source):
            remarks.add("remote_image")
            address = f"https:{source}" if source.startswith("//") else source
            return f'<a class="missing-image" href="{escape(address)}">{escape(alt or address)}</a>'
        remarks.add("broken_image" if _ATTACHMENT.fullmatch(source) else "missing_image")
        return f'<span class="missing-image">{escape(alt or source or "image")}</span>'

    return _IMAGE.sub(embed, html)


MAX_STYLE_CHARACTERS = 500_000
MAX_STYLE_RULES = 20_000

_STYLE = re.compile(r"<style\b[^>]*>(.{0,500000}?)</style\s*>", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_RULE = re.compile(r"([^{}]{1,100000})\{([^{}]{0,20000})\}")
_SELECTOR = re.compile(r"[\w\s.#:()>+~*-]{1,300}", re.ASCII)
_VALUE = re.compile(r"[\w\s.,%#()+*/'\"!-]{1,300}")
_LOADS_IN_VALUE = re.compile(r"url|expression|image|attr|@|var\s*\(|/\*", re.IGNORECASE)


def scoped_styles(html: str, scope: str) -> str:
    """Return the rules of the style sheets in an output's HTML, such as those of pandas' `Styler`.

    They apply only inside of the output, and have only properties that neither load nor cover anything.

    Args:
        html: The HTML as the notebook has it.
        scope: Selector of the element that will hold the cleaned HTML.
    """
    css = "\n".join(_STYLE.findall(html))[:MAX_STYLE_CHARACTERS]
    return "\n".join(_scoped_rules(_COMMENT.sub("", css), scope))


def _scoped_rules(css: str, scope: str) -> Iterator[str]:
    for number, match in enumerate(_RULE.finditer(css)):
        if number == MAX_STYLE_RULES:
            return
        selectors = [part.strip() for part in match[1].split(",")]
        declarations = []
        for declaration in match[2].split(";"):
            name, _, value = (part.strip() for part in declaration.partition(":"))
            if name.lower() in SAFE_STYLES and _VALUE.fullmatch(value) and not _LOADS_IN_VALUE.search(value):
                declarations.append(f"{name.lower()}:{value}")
        if declarations and all(_SELECTOR.fullmatch(selector) for selector in selectors):
            yield f"{','.join(f'{scope} {selector}' for selector in selectors)}{{{';'.join(declarations)}}}"


MAX_SVG_CHARACTERS = 20_000_000

REMOVED_SVG_ELEMENTS = frozenset(
    (
        *("script", "handler", "listener", "foreignObject", "iframe", "object", "embed", "audio", "video", "canvas"),
        *("animate", "animateColor", "animateMotion", "animateTransform", "discard", "set"),
    )
)

_DOCTYPE = re.compile(r"<!DOCTYPE\s[^\[>]*>", re.IGNORECASE)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_SVG_NAMESPACE = "http://www.w3.org/2000/svg"
_KEPT_ADDRESS = re.compile(r"\s*(?:#|data:image/(?:png|jpeg|gif|webp);base64,)", re.IGNORECASE)
_LOADS = re.compile(r"@import|expression\s*\(|image-set|\\|url\s*\(\s*[\"']?\s*(?!#|[\"'\s])", re.IGNORECASE)


def clean_svg(text: str) -> bytes | None:
    """Return an SVG image without anything that runs or loads; None if it cannot be read."""
    from lxml import etree

    root = _svg_root(text)
    if root is None:
        return None
    etree.strip_elements(root, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    for style in root.iter("{*}style"):
        if _LOADS.search("".join(style.itertext())):
            style.tag = "script"
    etree.strip_elements(root, *(f"{{*}}{name}" for name in REMOVED_SVG_ELEMENTS), with_tail=False)
    for link in root.iter("{*}a"):  # its content stays
        link.tag = f"{{{_SVG_NAMESPACE}}}g"
        link.attrib.clear()
    for element in root.iter(etree.Element):
        for attribute, value in element.attrib.items():
            name = etree.QName(attribute).localname.lower()
            is_outside = name in ("href", "src") and not _KEPT_ADDRESS.match(value)
            if name.startswith("on") or is_outside or _LOADS.search(value):
                del element.attrib[attribute]
    return etree.tostring(root, encoding="utf-8")


def _svg_root(text: str) -> "etree._Element | None":
    from lxml import etree

    source = _DECLARATION.sub("", _DOCTYPE.sub("", text, count=1)).strip()
    if len(source) > MAX_SVG_CHARACTERS:
        return None
    try:
        root = parse_xml(source.encode(errors="replace"), "image")
        if root.tag == "svg":  # without the namespace of SVG, browsers show nothing
            named = re.sub(r"^<svg", f'<svg xmlns="{_SVG_NAMESPACE}"', etree.tostring(root, encoding="unicode"))
            root = parse_xml(named.encode(), "image")
    except InvalidInput:
        return None
    return root if etree.QName(root).localname == "svg" else None
