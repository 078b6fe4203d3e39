"""`mediakit demo`: a real asset of every tool, and a page that shows them."""

import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import click

from mediakit.cli.sheets.page import Card, page, section, shown
from mediakit.cli.sheets.sheet import Sheet, write
from mediakit.core.messages import readable_size
from mediakit.core.tool import Example, Tool
from mediakit.results.result import Result

EXAMPLE_SITE = "https://example.com"
ABOUT = (
    "Every picture on this page was just made by the call below it; a sample page stands in for https://example.com."
)


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
    """Render every tool's examples and the sheets into FOLDER, with an index page."""
    from mediakit.cli.sample_site import sample_site
    from mediakit.cli.sheets.contents import SHEETS
    from mediakit.tools.catalogue import TOOLS

    with sample_site() as site:
        assets = [
            _render(tool, example, number, folder, site)
            for tool in TOOLS
            for number, example in enumerate(tool.examples, 1)
        ]
    for sheet in SHEETS:
        _write(sheet, folder)
    index = folder / "index.html"
    index.write_text(_page(assets, SHEETS), encoding="utf-8")
    click.echo(f"  {'Page':<18} {index}")


def _write(sheet: Sheet, folder: Path) -> None:
    with click.progressbar(length=len(sheet.figures), label=f"  {sheet.name}", file=sys.stderr) as bar:
        path = write(sheet, folder, done=lambda: bar.update(1))
    click.echo(f"  {sheet.name:<18} {path} ({len(sheet.figures)} figures)")


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
    return Asset(tool, example, result, saved.name, shown(result, saved).name, seconds)


def _at_home(tool: Tool[..., Any], example: Example, site: str) -> dict[str, Any]:
    """Put the sample page in the place of an example's address on the internet."""
    addresses = {parameter.name for parameter in tool.parameters if parameter.schema.get("format") == "uri"}
    return {
        name: value.replace(EXAMPLE_SITE, site) if name in addresses else value
        for name, value in example.values.items()
    }


def _page(assets: list[Asset], sheets: Sequence[Sheet]) -> str:
    parts = [_links(sheets)] if sheets else []
    for tool in dict.fromkeys(asset.tool for asset in assets):
        cards = [_card(asset) for asset in assets if asset.tool is tool]
        parts.append(section(tool.name, tool.summary, cards, code=True))
    return page("mediakit", ABOUT, parts)


def _links(sheets: Sequence[Sheet]) -> str:
    items = (
        f'<li><a href="{sheet.name}.html">{escape(sheet.title)}</a> · {escape(sheet.about)}</li>' for sheet in sheets
    )
    return f'<ul class="sheets">{"".join(items)}</ul>'


def _card(asset: Asset) -> Card:
    result = asset.result
    facts = filter(None, (result.extent, readable_size(len(result.file)), f"{asset.seconds * 1000:.0f} ms"))
    return Card(asset.example.title, Path(asset.name), Path(asset.picture), tuple(facts), result.alt, _call(asset))


def _call(asset: Asset) -> str:
    """Write the call as it works in the demo's folder."""
    from mediakit.core.snippets import python

    values = {
        name: Path(value.name) if isinstance(value, Path) else value for name, value in asset.example.values.items()
    }
    return python(asset.tool, values)
