"""HTML previews of templates for notebooks and the page `/templates`: thumbnails, sizes and keys."""

from collections.abc import Iterable
from html import escape

from mediakit.engines.templates.manifest import Manifest
from mediakit.engines.templates.thumbnails import thumbnail_uri

STYLE = """<style>
  .mk-templates { display: grid; grid-template-columns: repeat(auto-fill, minmax(290px, 1fr)); gap: 26px;
    font-family: system-ui, sans-serif; }
  .mk-templates figure { margin: 0; }
  .mk-templates img { display: block; width: 100%; height: 240px; object-fit: contain; border-radius: 10px;
    background: #8a94a31f; padding: 14px; box-sizing: border-box; }
  .mk-templates figcaption { margin-top: 10px; line-height: 1.45; font-size: 14px; }
  .mk-templates code { font-size: 15px; font-weight: 650; }
  .mk-templates table { width: 100%; margin-top: 8px; font-size: 12.5px; border-collapse: collapse; }
  .mk-templates :is(td, th) { padding: 4px 8px 4px 0; text-align: left; vertical-align: top;
    border-bottom: 1px solid #8a94a340; overflow-wrap: anywhere; background: none; }
  .mk-templates ul { display: flex; gap: 8px; margin: 8px 0 0; padding: 0; list-style: none; }
  .mk-templates li { flex: 0 1 96px; min-width: 0; margin: 0; font-size: 12.5px; }
  .mk-templates li img { height: 72px; padding: 5px; border-radius: 7px; }
  .mk-templates summary { cursor: pointer; margin-top: 4px; }
</style>"""


def preview_html(templates: Iterable[Manifest]) -> str:
    """Return a grid of templates with thumbnails, sizes and keys as HTML."""
    return f'{STYLE}<div class="mk-templates">{"".join(map(_figure, templates))}</div>'


def _figure(template: Manifest) -> str:
    rows = "".join(
        f"<tr><td>{key.name}</td><td>{key.max_length}</td><td>{escape(key.en)}</td><td>{escape(key.es)}</td></tr>"
        for key in template.by_name.values()
    )
    return (
        f'<figure><img src="{thumbnail_uri(template)}" alt="Template {template.name}"><figcaption>'
        f"<code>{template.name}</code> · {template.width} × {template.height} · PDF {template.pdf_format}<br>"
        f"{escape(template.description)}{_styles(template)}"
        f"<details><summary>{len(template.by_name)} keys</summary><table>"
        f"<tr><th>Key</th><th>Max. length</th><th>English</th><th>Spanish</th></tr>{rows}</table></details>"
        "</figcaption></figure>"
    )


def _styles(template: Manifest) -> str:
    """Return the thumbnails of all styles; empty if there is one."""
    if len(template.styles) == 1:
        return ""
    items = "".join(
        f'<li><img src="{thumbnail_uri(template, style)}" alt="">{escape(style)}</li>' for style in template.styles
    )
    return f'<ul aria-label="Styles of {template.name}">{items}</ul>'
