"""Clean untrusted HTML: what can run, send, load or cover something is removed, and the text stays."""

import re
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import nh3


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


TEXT_TAGS = _names(
    "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn "
    "dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark nav "
    "ol p pre q rp rt ruby s samp section small source span strike strong sub summary sup table tbody td tfoot "
    "th thead time tr tt u ul var wbr"
)
MATHS_TAGS = _names(
    "math menclose merror mfenced mfrac mglyph mi mlabeledtr mmultiscripts mn mo mover mpadded mphantom mprescripts "
    "mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics"
)
SVG_TAGS = _names(
    "svg circle clipPath defs desc ellipse feBlend feColorMatrix feComposite feFlood feGaussianBlur feMerge "
    "feMergeNode feOffset filter g image line linearGradient marker mask path pattern polygon polyline radialGradient "
    "rect stop symbol text textPath title tspan use"
)
REMOVED_WITH_CONTENT = _names(
    "script style template noscript noembed noframes iframe frame frameset object embed applet audio video canvas "
    "textarea select option title xmp plaintext foreignObject foreignobject"
)
"""Elements whose content is removed with them."""

CHECKBOX_TAG = "input"

_EVERYWHERE = _names("align class dir id lang role title aria-label aria-hidden aria-describedby")
_ATTRIBUTES = {
    "a": _names("href name"),
    "blockquote": frozenset(["cite"]),
    "col": _names("span width"),
    "colgroup": _names("span width"),
    "del": _names("cite datetime"),
    "details": frozenset(["open"]),
    "font": _names("color face size"),
    "img": _names("alt height src width"),
    "input": _names("checked disabled type"),
    "ins": _names("cite datetime"),
    "li": frozenset(["value"]),
    "ol": _names("reversed start type"),
    "q": frozenset(["cite"]),
    "source": _names("media type"),
    "table": _names("bgcolor border cellpadding cellspacing summary width"),
    "td": _names("bgcolor colspan height headers rowspan valign width"),
    "th": _names("abbr bgcolor colspan height headers rowspan scope valign width"),
    "time": frozenset(["datetime"]),
    "tr": _names("bgcolor valign"),
}
_MATHS_ATTRIBUTES = _names(
    "accent accentunder close columnalign columnlines columnspacing columnspan depth display displaystyle fence form "
    "height largeop linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits "
    "notation open rowalign rowlines rowspacing rowspan rspace scriptlevel separator separators stretchy symmetric "
    "voffset width xmlns"
)
_SVG_ATTRIBUTES = _names(
    "clip-path clip-rule clipPathUnits color cx cy d dominant-baseline dx dy fill fill-opacity fill-rule filter "
    "flood-color flood-opacity font-family font-size font-style font-weight fx fy gradientTransform gradientUnits "
    "height href in in2 letter-spacing marker-end marker-mid marker-start markerHeight markerUnits markerWidth mask "
    "maskContentUnits maskUnits mode offset opacity operator orient pathLength patternContentUnits patternTransform "
    "patternUnits points preserveAspectRatio r refX refY result rotate rx ry shape-rendering spreadMethod startOffset "
    "stdDeviation stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin "
    "stroke-miterlimit stroke-opacity stroke-width text-anchor textLength transform type values vector-effect version "
    "viewBox width x x1 x2 xlink:href xmlns y y1 y2"
)
SAFE_STYLES = _names(
    "background background-color border border-bottom border-bottom-color border-collapse border-color border-left "
    "border-radius border-right border-spacing border-style border-top border-top-width border-width caption-side "
    "clip-rule color display fill fill-opacity fill-rule font font-family font-size font-style font-variant "
    "font-weight height letter-spacing line-height list-style-type margin margin-bottom margin-left margin-right "
    "margin-top max-height max-width min-width mix-blend-mode opacity overflow overflow-x overflow-y padding "
    "padding-bottom padding-left padding-right padding-top paint-order stop-color stop-opacity stroke "
    "stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width "
    "text-align text-anchor text-decoration text-indent text-transform vertical-align white-space width word-break"
)
"""Properties of inline styles that neither load nor cover anything."""

SCHEMES = _names("http https mailto tel sms ftp ftps sftp irc ircs xmpp geo news nntp magnet data")
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
    those that run code or open local files.

    Args:
        html: A fragment of HTML.
        styles: Keep `style` attributes, with properties that neither load nor cover anything.
        svg: Keep SVG images, without scripts, animations, foreign objects and external references.
    """
    found = {scheme.lower() for scheme in _SCHEME.findall(html)}
    allowed = SCHEMES | {scheme for scheme in found if not _REFUSED.match(scheme)}
    return _cleaner(frozenset(allowed), styles, svg).clean(html)


@cache
def _tags(svg: bool) -> AbstractSet[str]:  # noqa: FBT001
    return TEXT_TAGS | MATHS_TAGS | {CHECKBOX_TAG} | (SVG_TAGS if svg else frozenset())


@lru_cache(maxsize=32)
def _cleaner(schemes: AbstractSet[str], styles: bool, svg: bool) -> "nh3.Cleaner":  # noqa: FBT001
    import nh3

    tags = _tags(svg)
    return nh3.Cleaner(
        tags=tags,
        clean_content_tags=REMOVED_WITH_CONTENT - tags,
        attributes=_attributes(styles, svg),
        attribute_filter=_filter,
        link_rel=None,
        set_tag_attribute_values={CHECKBOX_TAG: {"type": "checkbox", "disabled": ""}},
        url_schemes=schemes,
        filter_style_properties=SAFE_STYLES if styles else None,
    )


@cache
def _attributes(styles: bool, svg: bool) -> dict[str, AbstractSet[str]]:  # noqa: FBT001
    attributes: dict[str, AbstractSet[str]] = {"*": _EVERYWHERE | ({"style"} if styles else frozenset()), **_ATTRIBUTES}
    attributes.update(dict.fromkeys(MATHS_TAGS, _MATHS_ATTRIBUTES))
    if svg:
        attributes.update(dict.fromkeys(SVG_TAGS, _SVG_ATTRIBUTES))
    return attributes


def _filter(tag: str, attribute: str, value: str) -> str | None:
    if attribute in ("href", "xlink:href") and tag != "a":
        is_image = tag == "image" and _IMAGE_DATA.match(value)
        return value if is_image or _LOCAL.fullmatch(value) else None
    if attribute in ("href", "src", "cite") and value.lstrip().lower().startswith("data:"):
        return value if attribute == "src" and _IMAGE_DATA.match(value) else None
    if (tag in SVG_TAGS or attribute == "style") and _FETCHES.search(value):
        return None
    return _HEX_COLOR.sub(lambda color: color[0].lower(), value) if attribute == "style" else value
