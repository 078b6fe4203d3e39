"""`mediakit demo`: a real asset of every tool, and a page that shows them."""

import html
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from mediakit.core.results import PdfResult, Result, readable_size
from mediakit.core.tool import Example, Tool

EXAMPLE_SITE = "https://example.com"


@dataclass(frozen=True)
class Asset:
    """One example, rendered and written."""

    tool: Tool[..., Any]
    example: Example
    result: Result
    name: str
    picture: str
    """Name of the file that shows it; the page of a PDF, or itself."""
    seconds: float


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default="demo")
def demo(folder: Path) -> None:
    """Render every tool's examples into FOLDER, with an index page."""
    from mediakit.cli.sample_site import sample_site
    from mediakit.tools import TOOLS

    with sample_site() as site:
        assets = [
            _render(tool, example, number, folder, site)
            for tool in TOOLS
            for number, example in enumerate(tool.examples, 1)
        ]
    page = folder / "index.html"
    page.write_text(_page(assets), encoding="utf-8")
    click.echo(f"  {'Page':<18} {page}")


def _render(tool: Tool[..., Any], example: Example, number: int, folder: Path, site: str) -> Asset:
    request = tool.validate(_at_home(tool, example, site))
    began = time.perf_counter()
    result = tool.run(request)
    saved = result.save(folder / f"{tool.command}-{number}")
    seconds = time.perf_counter() - began
    for source in example.values.values():
        if isinstance(source, Path):
            shutil.copyfile(source, folder / source.name)
    click.echo(f"  {tool.command:<18} {saved} ({readable_size(len(result.file))})")
    return Asset(tool, example, result, saved.name, _picture(result, saved), seconds)


def _picture(result: Result, saved: Path) -> str:
    if not isinstance(result, PdfResult):
        return saved.name
    shown = saved.with_suffix(".pdf.png")
    with suppress(ImportError):  # without PyMuPDF the page names what it cannot show
        result.to_pil().save(shown)
    return shown.name


def _at_home(tool: Tool[..., Any], example: Example, site: str) -> dict[str, Any]:
    """Put the sample page in the place of an example's address on the internet."""
    addresses = {parameter.name for parameter in tool.parameters if parameter.schema.get("format") == "uri"}
    return {
        name: value.replace(EXAMPLE_SITE, site) if name in addresses else value
        for name, value in example.values.items()
    }


def _page(assets: list[Asset]) -> str:
    sections = []
    for tool in dict.fromkeys(asset.tool for asset in assets):
        cards = "".join(_card(asset) for asset in assets if asset.tool is tool)
        sections.append(
            f'<section><h2>{tool.name}</h2><p>{html.escape(tool.summary)}</p><div class="grid">{cards}</div></section>'
        )
    return PAGE.replace("{sections}", "\n".join(sections))


def _card(asset: Asset) -> str:
    result = asset.result
    size, time_taken = readable_size(len(result.file)), f"{asset.seconds * 1000:.0f} ms"
    facts = " · ".join(filter(None, (result.extent, size, time_taken)))
    alt = html.escape(result.alt or asset.example.title)
    return (
        f'<figure><a href="{asset.name}"><img src="{asset.picture}" alt="{alt}"></a>'
        f"<figcaption><b>{html.escape(asset.example.title)}</b><span>{facts}</span>"
        f"<code>{html.escape(_call(asset))}</code></figcaption></figure>"
    )


def _call(asset: Asset) -> str:
    """Write the call as it works in the demo's folder."""
    from mediakit.core.snippets import python

    values = {
        name: Path(value.name) if isinstance(value, Path) else value for name, value in asset.example.values.items()
    }
    return python(asset.tool, values)


PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>mediakit: what it makes</title>
<style>
  :root { color-scheme: light dark; --ink: #0f172a; --soft: #64748b; --page: #f8fafc; --card: #fff; --line: #e2e8f0; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e2e8f0; --soft: #94a3b8; --page: #0b1120; --card: #111a2e; --line: #1e293b; }
  }
  body { margin: 0 auto; max-width: 1120px; padding: 56px 24px; font: 16px/1.5 system-ui, sans-serif;
         color: var(--ink); background: var(--page); }
  h1 { margin: 0; font-size: 40px; letter-spacing: -0.02em; }
  h1 + p, section > p { margin: 4px 0 0; color: var(--soft); }
  h2 { margin: 56px 0 0; font: 600 24px/1.3 ui-monospace, monospace; }
  .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(320px, 1fr)); gap: 20px; margin-top: 20px; }
  figure { margin: 0; display: flex; flex-direction: column; overflow: hidden; background: var(--card);
           border: 1px solid var(--line); border-radius: 12px; }
  figure a { display: grid; place-items: center; height: 240px; padding: 16px; border-bottom: 1px solid var(--line);
             background: repeating-conic-gradient(#0000 0 25%, #80808014 0 50%) 0 0 / 20px 20px; }
  img { max-width: 100%; max-height: 240px; }
  figcaption { display: flex; flex-direction: column; gap: 4px; padding: 16px; }
  figcaption span { color: var(--soft); font-size: 14px; }
  code { overflow-wrap: anywhere; white-space: pre-wrap; font: 13px/1.5 ui-monospace, monospace; color: var(--soft); }
</style>
<h1>mediakit</h1>
<p>Every picture on this page was just made by the call below it; a sample page stands in for https://example.com.</p>
{sections}
</html>
"""
