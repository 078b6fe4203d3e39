"""SVG, MathML and XML, inline and as separate documents."""

from tests.support.vectors import EVERYWHERE, NOWHERE, UNSANDBOXED, Response, Vector

__all__ = ["XML"]

_SVG = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='40' height='40'>"


def _svg(name: str, content: str, *, reaches: frozenset[str] = EVERYWHERE) -> Vector:
    return Vector(name, f"{_SVG}{content}</svg>", reaches=reaches)


def _document(name: str, kind: str, content: str, reaches: frozenset[str]) -> Vector:
    reply: Response = (200, content, {"Content-Type": kind})
    return Vector(name, "<iframe src={public}/page></iframe>", {"/page": reply}, reaches)


XML = [
    _svg("svg-image", "<image href='{png}' width='9' height='9'/>"),
    _svg("svg-image-xlink", "<image xlink:href='{png}' width='9' height='9'/>"),
    _svg("svg-use", "<use href='{svg}#a'/>", reaches=NOWHERE),
    _svg(
        "svg-feimage", "<filter id='fi'><feImage href='{png}'/></filter><rect width='9' height='9' filter='url(#fi)'/>"
    ),
    _svg("svg-script", "<script xlink:href='{js}'/>", reaches=UNSANDBOXED),
    _svg(
        "svg-foreign-object",
        "<foreignObject width='9' height='9'><iframe src='{html}'></iframe></foreignObject>",
    ),
    _svg("svg-style", "<style>@import '{css}';</style>"),
    _svg("svg-set", "<image width='9' height='9'><set attributeName='href' to='{png}' begin='0s'/></image>"),
    _svg(
        "svg-animate",
        "<image width='9' height='9'><animate attributeName='href' values='{png};{png}' dur='9s'/></image>",
    ),
    _svg("svg-text-path", "<text><textPath href='{svg}#p'>x</textPath></text>", reaches=NOWHERE),
    _svg("svg-mpath", "<rect><animateMotion><mpath href='{svg}#p'/></animateMotion></rect>", reaches=NOWHERE),
    _svg(
        "svg-gradient",
        "<linearGradient id='lg' href='{svg}#g'/><rect width='9' height='9' fill='url(#lg)'/>",
        reaches=NOWHERE,
    ),
    _svg("svg-a", "<a href='{html}'><text>x</text></a>", reaches=NOWHERE),
    Vector("svg-in-data-img", f"<img src=\"data:image/svg+xml,{_SVG}<image href='{{png}}'/></svg>\">", reaches=NOWHERE),
    Vector("svg-in-data-frame", f"<iframe src=\"data:image/svg+xml,{_SVG}<image href='{{png}}'/></svg>\"></iframe>"),
    Vector(
        "svg-in-data-object",
        f"<object data=\"data:image/svg+xml,{_SVG}<image href='{{png}}'/></svg>\"></object>",
    ),
    Vector("mathml", "<math href='{html}'><mi xlink:href='{html}'>x</mi><mglyph src='{png}'/></math>", reaches=NOWHERE),
    _document("svg-document", "image/svg+xml", f"{_SVG}<image href='{{png}}' width='9' height='9'/></svg>", EVERYWHERE),
    _document("svg-document-script", "image/svg+xml", f"{_SVG}<script href='{{js}}'/></svg>", UNSANDBOXED),
    _document(
        "xml-stylesheet",
        "application/xml",
        "<?xml-stylesheet type='text/css' href='{css}'?><a>x</a>",
        EVERYWHERE,
    ),
    _document("xslt", "application/xml", "<?xml-stylesheet type='text/xsl' href='{css}'?><a>x</a>", NOWHERE),
    _document("xml-external-dtd", "application/xml", "<!DOCTYPE a SYSTEM '{html}'><a>x</a>", NOWHERE),
    _document(
        "xml-external-entity", "application/xml", "<!DOCTYPE a [<!ENTITY e SYSTEM '{html}'>]><a>&e;</a>", NOWHERE
    ),
    _document(
        "xml-parameter-entity", "application/xml", "<!DOCTYPE a [<!ENTITY % e SYSTEM '{html}'>%e;]><a>x</a>", NOWHERE
    ),
    _document(
        "xinclude",
        "application/xml",
        "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='{html}'/></a>",
        NOWHERE,
    ),
]
