"""Clean untrusted HTML: what can run, send, load or cover something is removed, and the text stays."""

import json
import re
from collections.abc import Set as AbstractSet
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import nh3


_ALLOWED = json.loads((Path(__file__).parent / "allowed_html.json").read_text("utf-8"))
"""Names that are kept: elements, attributes by element, properties of styles, and schemes of addresses."""


def _names(key: str) -> frozenset[str]:
    return frozenset(" ".join(_ALLOWED[key]).split())


MATHS_TAGS, SVG_TAGS = _names("maths elements"), _names("svg elements")
REMOVED_WITH_CONTENT = _names("elements removed with their content")
CHECKBOX_TAG = "input"
SAFE_STYLES = _names("style properties")
"""Properties of inline styles that neither load nor cover anything."""

_REFUSED = re.compile(r"(?:javascript|vbscript|livescript|mocha|file|blob|filesystem|about|jar|view-source|search|ms-)")
_SCHEME = re.compile(r"""\b(?:href|cite)\s*=\s*["']?\s*([A-Za-z][A-Za-z0-9+.-]{1,30}):""")
_IMAGE_DATA = re.compile(r"\s*data:image/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml)[;,]", re.IGNORECASE)
_LOCAL = re.compile(r"\s*#[\w:.-]+\s*")
_HEX_COLOR = re.compile(r"""(?<![("'])#[0-9A-Fa-f]{3,8}\b""")
_FETCHES = re.compile(
    r"url\s*\(\s*(?![\"']?#)|(?:image|src|cross-fade|element|paint)\s*\(|image-set|expression|@import|\\", re.IGNORECASE
)


def clean_html(html: str, *, styles: bool = False, svg: bool = False) -> str:
    """Return a fragment of HTML without scripts, event handlers, forms, frames, style sheets and unsafe addresses.

    Images may load from http and https addresses, relative paths and `data:` URIs; links may have any scheme but
    those that run code or open local files. With `styles`, `style` attributes keep the properties that neither load nor
    cover anything; with `svg`, SVG images stay, without scripts, animations, foreign objects and external references.
    """
    found = {scheme.lower() for scheme in _SCHEME.findall(html)}
    allowed = _names("schemes") | {scheme for scheme in found if not _REFUSED.match(scheme)}
    return _cleaner(frozenset(allowed), styles, svg).clean(html)


@lru_cache(maxsize=32)
def _cleaner(schemes: AbstractSet[str], styles: bool, svg: bool) -> "nh3.Cleaner":  # noqa: FBT001
    import nh3

    tags = _names("text elements") | MATHS_TAGS | {CHECKBOX_TAG} | (SVG_TAGS if svg else frozenset())
    attributes = {name: frozenset(names.split()) for name, names in _ALLOWED["attributes"].items()}
    attributes["*"] = _names("attributes of all elements") | ({"style"} if styles else frozenset())
    attributes.update(dict.fromkeys(MATHS_TAGS, _names("maths attributes")))
    if svg:
        attributes.update(dict.fromkeys(SVG_TAGS, _names("svg attributes")))
    return nh3.Cleaner(
        tags=tags,
        clean_content_tags=REMOVED_WITH_CONTENT - tags,
        attributes=attributes,
        attribute_filter=_filter,
        link_rel=None,
        set_tag_attribute_values={CHECKBOX_TAG: {"type": "checkbox", "disabled": ""}},
        url_schemes=schemes,
        filter_style_properties=SAFE_STYLES if styles else None,
    )


def _filter(tag: str, attribute: str, value: str) -> str | None:
    if attribute in ("href", "xlink:href") and tag != "a":
        is_image = tag == "image" and _IMAGE_DATA.match(value)
        return value if is_image or _LOCAL.fullmatch(value) else None
    if attribute in ("href", "src", "cite") and value.lstrip().lower().startswith("data:"):
        return value if attribute == "src" and _IMAGE_DATA.match(value) else None
    if (tag in SVG_TAGS or attribute == "style") and _FETCHES.search(value):
        return None
    return _HEX_COLOR.sub(lambda color: color[0].lower(), value) if attribute == "style" else value
