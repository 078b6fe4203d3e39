"""CSS declarations that load a resource."""

from tests.support.vectors import NOWHERE, PDF, Vector

__all__ = ["CSS"]


def _style(name: str, declarations: str, content: str = "x") -> Vector:
    return Vector(name, f'<style>#{name}{{{declarations}}}</style><div id="{name}">{content}</div>')


CSS = [
    Vector("css-import", "<style>@import '{css}';</style>"),
    Vector("css-import-url", "<style>@import url({css}) layer(a) supports(display:grid) screen, print;</style>"),
    Vector("css-import-data", "<link rel=stylesheet href=\"data:text/css,@import '{css}'\">"),
    Vector(
        "css-import-public",
        "<link rel=stylesheet href={public}/css>",
        {"/css": (200, "@import '{css}';", {"Content-Type": "text/css"})},
    ),
    _style("css-background", "background:url({png})"),
    _style("css-escaped", r"background:u\72l({png})"),
    _style("css-escaped-address", r"background:url(\68ttp://{host}/css-escaped-address.png)"),
    _style("css-image-set", "background:image-set('{png}' 1x)"),
    _style("css-cross-fade", "background:-webkit-cross-fade(url({png}),url({png}),50%)"),
    _style("css-variable", "--u:url({png});background:var(--u)"),
    _style("css-list-style", "display:list-item;list-style:url({png})"),
    Vector("css-content", "<style>#css-content::before{content:url({png})}</style><div id=css-content></div>"),
    _style("css-border-image", "border:9px solid;border-image:url({png}) 9"),
    _style("css-mask", "-webkit-mask-image:url({png});mask-image:url({png})"),
    _style("css-mask-fragment", "mask:url({svg}#m)"),
    Vector("css-filter", "<b style='filter:url({svg}#f)'>x</b>", reaches=NOWHERE),
    _style("css-clip-path", "clip-path:url({svg}#c)"),
    _style("css-shape-outside", "float:left;width:9px;height:9px;shape-outside:url({png})"),
    _style("css-cursor", "cursor:url({png}),auto"),
    Vector("css-offset-path", "<b style='offset-path:url({svg}#p)'>x</b>", reaches=NOWHERE),
    _style(
        "css-marker",
        "marker-start:url({svg}#m);fill:url({svg}#p);stroke:url({svg}#p)",
        "<svg><path d='M0 0L9 9' fill='url({svg}#p)'/></svg>",
    ),
    Vector("css-font", "<style>@font-face{font-family:F1;src:url({png})} #f1{font-family:F1}</style><b id=f1>x</b>"),
    Vector(
        "css-keyframes",
        "<style>@keyframes k1{from,to{background:url({png})}} #k1{animation:k1 9s}</style><b id=k1>x</b>",
    ),
    Vector("css-attribute", "<style>input[value^=s]{background:url({png})}</style><input value=secret>"),
    Vector(
        "css-property",
        "<style>@property --p{syntax:'<image>';inherits:false;initial-value:url({png})}#p1{background:var(--p)}</style>"
        "<b id=p1>x</b>",
    ),
    Vector("css-namespace", "<style>@namespace url({png});</style>", reaches=NOWHERE),
    Vector("css-document", "<style>@document url({png}){b{color:red}}</style>", reaches=NOWHERE),
    Vector("css-behavior", "<b style='behavior:url({png});-moz-binding:url({png})'>x</b>", reaches=NOWHERE),
    Vector(
        "css-media-print",
        "<style>@media print{#mp{background:url({png})}}</style><b id=mp>x</b>",
        reaches=frozenset({PDF}),
    ),
    Vector("css-page-background", "<style>@page{background:url({png})}</style>", reaches=frozenset({PDF})),
    Vector("css-page-margin-box", "<style>@page{@top-left{content:url({png})}}</style>", reaches=frozenset({PDF})),
]
