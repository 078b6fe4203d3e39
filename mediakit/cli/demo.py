"""`mediakit demo`: renders the examples of every tool and an index page."""

import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import click

from mediakit.cli.contact_sheets.contact_sheet import ContactSheet, save_contact_sheet
from mediakit.cli.contact_sheets.html_page import Card, page_html, save_preview, section_html
from mediakit.core.messages import readable_size
from mediakit.core.tool import Example, Tool
from mediakit.results.result import Result

EXAMPLE_SITE = "https://example.com"
DESCRIPTION = (
    "Every image on this page was rendered by the call below it. A local sample page replaces https://example.com."
)


@dataclass(frozen=True)
class DemoFile:
    """The saved result of one example."""

    tool: Tool[..., Any]
    example: Example
    result: Result
    name: str
    """File name."""
    preview: str
    """File name of the preview."""
    seconds: float


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default="demo")
def demo(folder: Path) -> None:
    """Render the examples of every tool and the contact sheets into FOLDER, with an index page."""
    from mediakit.cli.contact_sheets.catalog import CONTACT_SHEETS
    from mediakit.cli.sample_site import sample_site
    from mediakit.tools.catalogue import all_tools

    with sample_site() as site:
        files = [
            _render(tool, example, number, folder, site)
            for tool in all_tools()
            for number, example in enumerate(tool.examples, 1)
        ]
    for sheet in CONTACT_SHEETS:
        _save_contact_sheet(sheet, folder)
    index = folder / "index.html"
    index.write_text(_index_html(files, CONTACT_SHEETS), encoding="utf-8")
    click.echo(f"  {'Page':<18} {index}")


def _save_contact_sheet(sheet: ContactSheet, folder: Path) -> None:
    with click.progressbar(length=len(sheet.figures), label=f"  {sheet.name}", file=sys.stderr) as bar:
        path = save_contact_sheet(sheet, folder, on_figure=lambda: bar.update(1))
    click.echo(f"  {sheet.name:<18} {path} ({len(sheet.figures)} figures)")


def _render(tool: Tool[..., Any], example: Example, number: int, folder: Path, site: str) -> DemoFile:
    request = tool.validate(_use_sample_site(tool, example, site))
    start = time.perf_counter()
    result = tool.run(request)
    file = result.save(folder / f"{tool.command}-{number}")
    seconds = time.perf_counter() - start
    for source in _paths(list(example.values.values())):
        shutil.copyfile(source, folder / source.name)
    click.echo(f"  {tool.command:<18} {file} ({readable_size(len(result.file))})")
    return DemoFile(tool, example, result, file.name, save_preview(result, file).name, seconds)


def _use_sample_site(tool: Tool[..., Any], example: Example, site: str) -> dict[str, Any]:
    """Return the values of an example with its URL replaced by that of the sample page."""
    url_fields = {parameter.name for parameter in tool.parameters if parameter.schema.get("format") == "uri"}
    return {
        name: value.replace(EXAMPLE_SITE, site) if name in url_fields else value
        for name, value in example.values.items()
    }


def _index_html(files: list[DemoFile], sheets: Sequence[ContactSheet]) -> str:
    sections = [_contact_sheet_links(sheets)] if sheets else []
    for tool in dict.fromkeys(file.tool for file in files):
        cards = [_card(file) for file in files if file.tool is tool]
        sections.append(section_html(tool.name, tool.summary, cards, code=True))
    return page_html("mediakit", DESCRIPTION, sections)


def _contact_sheet_links(sheets: Sequence[ContactSheet]) -> str:
    items = (
        f'<li><a href="{sheet.name}.html">{escape(sheet.title)}</a> · {escape(sheet.description)}</li>'
        for sheet in sheets
    )
    return f'<ul class="contact-sheets">{"".join(items)}</ul>'


def _card(file: DemoFile) -> Card:
    result = file.result
    facts = filter(None, (result.extent, readable_size(len(result.file)), f"{file.seconds * 1000:.0f} ms"))
    return Card(file.example.title, Path(file.name), Path(file.preview), tuple(facts), result.alt, _call(file))


def _call(file: DemoFile) -> str:
    """Return the Python call of an example, with paths relative to the demo folder."""
    from mediakit.core import snippets

    return snippets.python(file.tool, snippets.example_values(file.tool, file.example.values))


def _paths(value: Any) -> Iterator[Path]:
    """Yield the paths in a value."""
    if isinstance(value, Path):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _paths(item)
