"""HTML of the demo pages: a grid of cards with captions, in light and dark mode."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from mediakit.results.image import ImageResult
from mediakit.results.pdf import PdfResult
from mediakit.results.result import Result


@dataclass(frozen=True)
class Card:
    """A result with its preview and caption."""

    title: str
    file: Path
    preview: Path
    """File to display: the first page of a PDF, an HTML view of data, or the file itself."""
    facts: tuple[str, ...] = ()
    alt: str = ""
    call: str = ""
    """The Python call that returned the result."""

    def relative_to(self, folder: Path) -> "Card":
        """Return the card with paths relative to a folder, as links of a page in that folder."""
        return replace(self, file=self.file.relative_to(folder), preview=self.preview.relative_to(folder))

    def html(self) -> str:
        """Return the HTML of the card."""
        call = f"<code>{escape(self.call)}</code>" if self.call else ""
        return (
            f'<figure><a href="{self.file.as_posix()}">{self._preview_html()}</a>'
            f"<figcaption><b>{escape(self.title)}</b><span>{escape(' · '.join(self.facts))}</span>{call}</figcaption>"
            "</figure>"
        )

    def _preview_html(self) -> str:
        source, alt = self.preview.as_posix(), escape(self.alt or self.title)
        if self.preview.suffix == ".html":
            return f'<iframe src="{source}" title="{alt}" loading="lazy" tabindex="-1" sandbox></iframe>'
        return f'<img src="{source}" loading="lazy" alt="{alt}">'


def save_preview(result: Result, file: Path) -> Path:
    """Return the path of the preview of a saved result, and save the preview if it is another file.

    An image is its own preview, a PDF is previewed by its first page, and any other result as in a notebook.
    """
    if isinstance(result, ImageResult):
        return file
    if isinstance(result, PdfResult):
        preview = file.with_suffix(".pdf.png")
        with suppress(ImportError):  # PyMuPDF is optional; without it the page shows the alt text
            result.to_pil(dpi=PDF_DPI).save(preview)
        return preview
    view = file.with_name(f"{file.name}.html")
    bundle, _ = result._repr_mimebundle_()  # IPython's protocol
    view.write_text(f"{HEAD}<style>{DATA_STYLE}</style>\n{bundle['text/html']}\n</html>\n", encoding="utf-8")
    return view


def section_html(title: str, description: str, cards: Sequence[Card], *, code: bool = False) -> str:
    """Return the HTML of a heading, a description and a grid of cards; `code` formats the heading as code."""
    css_class = ' class="code"' if code else ""
    paragraph = f"<p>{escape(description)}</p>" if description else ""
    grid = "".join(card.html() for card in cards)
    return f'<section><h2{css_class}>{escape(title)}</h2>{paragraph}<div class="grid">{grid}</div></section>'


def page_html(title: str, description: str, sections: Sequence[str], *, index_link: bool = False) -> str:
    """Return the HTML of a demo page; `index_link` adds a link to the index page."""
    navigation = '<nav><a href="index.html">mediakit</a></nav>' if index_link else ""
    return (
        f"{HEAD}<title>{escape(title)}</title>\n<style>{STYLE}</style>\n{navigation}<h1>{escape(title)}</h1>\n"
        f"<p>{escape(description)}</p>\n" + "\n".join(sections) + "\n</html>\n"
    )


PDF_DPI = 80
"""Resolution of PDF previews, in pixels per inch."""

HEAD = (
    '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
)

DATA_STYLE = """
  :root { color-scheme: light dark; }
  body { margin: 12px; }
"""

STYLE = """
  :root { color-scheme: light dark; --ink: #0f172a; --soft: #64748b; --page: #f8fafc; --card: #fff; --line: #e2e8f0; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e2e8f0; --soft: #94a3b8; --page: #0b1120; --card: #111a2e; --line: #1e293b; }
  }
  body { margin: 0 auto; max-width: 1120px; padding: 56px 24px; font: 16px/1.5 system-ui, sans-serif;
         color: var(--ink); background: var(--page); }
  h1 { margin: 0; font-size: 40px; letter-spacing: -0.02em; }
  h1 + p, section > p { margin: 4px 0 0; color: var(--soft); }
  h2 { margin: 56px 0 0; font-size: 24px; font-weight: 600; line-height: 1.3; }
  h2.code { font-family: ui-monospace, monospace; }
  nav { margin-bottom: 8px; }
  nav a, .contact-sheets a { color: inherit; }
  .contact-sheets { margin: 24px 0 0; padding: 0; list-style: none; }
  .contact-sheets a { font-weight: 600; }
  .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(320px, 1fr)); gap: 20px; margin-top: 20px; }
  figure { margin: 0; display: flex; flex-direction: column; overflow: hidden; background: var(--card);
           border: 1px solid var(--line); border-radius: 12px; }
  figure a { display: grid; place-items: center; height: 240px; padding: 16px; border-bottom: 1px solid var(--line);
             background: repeating-conic-gradient(#0000 0 25%, #80808014 0 50%) 0 0 / 20px 20px; }
  img { max-width: 100%; max-height: 240px; }
  iframe { width: 100%; height: 240px; border: 0; pointer-events: none; }
  figcaption { display: flex; flex-direction: column; gap: 4px; padding: 16px; }
  figcaption span { color: var(--soft); font-size: 14px; }
  code { overflow-wrap: anywhere; white-space: pre-wrap; font: 13px/1.5 ui-monospace, monospace; color: var(--soft); }
"""
