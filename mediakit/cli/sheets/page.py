"""The look of the demo's pages: light and dark, a grid of cards with captions."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from mediakit.results.data import DataResult
from mediakit.results.pdf import PdfResult
from mediakit.results.result import Result


@dataclass(frozen=True)
class Card:
    """A picture with its caption."""

    title: str
    file: Path
    picture: Path
    """What shows the file: the first page of a PDF, or the file itself."""
    facts: tuple[str, ...] = ()
    alt: str = ""
    call: str = ""
    """The Python that made it."""

    def beside(self, folder: Path) -> "Card":
        """Name the files as a page in `folder` links to them."""
        return replace(self, file=self.file.relative_to(folder), picture=self.picture.relative_to(folder))

    def html(self) -> str:
        """Write the card."""
        call = f"<code>{escape(self.call)}</code>" if self.call else ""
        return (
            f'<figure><a href="{self.file.as_posix()}">{self._view()}</a><figcaption><b>{escape(self.title)}</b>'
            f"<span>{escape(' · '.join(self.facts))}</span>{call}</figcaption></figure>"
        )

    def _view(self) -> str:
        source, words = self.picture.as_posix(), escape(self.alt or self.title)
        if self.picture.suffix == ".html":
            return f'<iframe src="{source}" title="{words}" loading="lazy" tabindex="-1" sandbox></iframe>'
        return f'<img src="{source}" loading="lazy" alt="{words}">'


def shown(result: Result, saved: Path) -> Path:
    """Give what shows a saved result: data as a notebook shows it, the first page of a PDF, or the file itself."""
    if isinstance(result, DataResult):
        view = saved.with_suffix(".html")
        bundle, _ = result._repr_mimebundle_()  # IPython's protocol
        view.write_text(f"{HEAD}<style>{VIEW}</style>\n{bundle['text/html']}\n</html>\n", encoding="utf-8")
        return view
    if not isinstance(result, PdfResult):
        return saved
    picture = saved.with_suffix(".pdf.png")
    with suppress(ImportError):  # without PyMuPDF the page names what it cannot show
        result.to_pil(dpi=PDF_DPI).save(picture)
    return picture


def section(title: str, about: str, cards: Sequence[Card], *, code: bool = False) -> str:
    """Write a heading, a sentence and a grid of cards; `code` sets the heading as code."""
    kind = ' class="code"' if code else ""
    lead = f"<p>{escape(about)}</p>" if about else ""
    grid = "".join(card.html() for card in cards)
    return f'<section><h2{kind}>{escape(title)}</h2>{lead}<div class="grid">{grid}</div></section>'


def page(title: str, about: str, parts: Sequence[str], *, home: bool = False) -> str:
    """Write a page of the demo; `home` links back to the index."""
    back = '<nav><a href="index.html">mediakit</a></nav>' if home else ""
    return (
        f"{HEAD}<title>{escape(title)}</title>\n<style>{STYLE}</style>\n{back}<h1>{escape(title)}</h1>\n"
        f"<p>{escape(about)}</p>\n" + "\n".join(parts) + "\n</html>\n"
    )


PDF_DPI = 80
"""Pixels an inch of the pictures that stand for PDFs."""

HEAD = (
    '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
)

VIEW = """
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
  nav a, .sheets a { color: inherit; }
  .sheets { margin: 24px 0 0; padding: 0; list-style: none; }
  .sheets a { font-weight: 600; }
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
