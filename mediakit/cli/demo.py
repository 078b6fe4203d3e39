"""`mediakit demo`: renders every example of every tool, and a page that shows them beside their calls."""

import json
import shutil
import threading
import time
from base64 import b64decode
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from mediakit.core import snippets
from mediakit.core.media import extension_of
from mediakit.core.tool import Example, Tool
from mediakit.results.result import Result
from mediakit.samples import LANDSCAPE, PAGE
from mediakit.tools.tasks import keywords

CALL_THREADS = 2
"""Examples that run at the same time: the default number of render slots of the browser."""

EXAMPLE_SITE = "https://example.com"

MAX_HTML_LENGTH = 200
"""Characters of the longest HTML in a call on the page; longer HTML is a file beside it."""

IMAGE_SUFFIXES = (".png", ".jpg", ".webp", ".gif", ".svg", ".avif")
"""Suffixes of the images that browsers show."""

VIEW = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title><base target="_blank">
<style>:root {{ color-scheme: light dark }} body {{ margin: 14px; font: 14px/1.5 system-ui, sans-serif }}</style>
{body}
"""


@dataclass(frozen=True)
class Run:
    """The call of an example."""

    tool: Tool[..., Any]
    example: Example
    stem: str
    """Name of its files without a suffix, such as `qr-1`."""
    outcome: Result | Exception
    seconds: float


@dataclass(frozen=True)
class Figure:
    """One example on the page. File names are relative to the page."""

    title: str
    call: str
    """The call in Python, as HTML with colors."""
    error: str = ""
    """What failed; the fields below are empty then."""
    facts: str = ""
    """Size and duration."""
    files: tuple[str, ...] = ()
    """The saved result."""
    image: str = ""
    """File name of an image of the result."""
    view: str = ""
    """File name of an HTML document that shows the result, if it has no image."""
    alt: str = ""


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default="demo")
@click.pass_context
def demo(ctx: click.Context, folder: Path) -> None:
    """Render every example of every tool into FOLDER, with a page that shows them.

    `examples.json` lists the figures of each tool for other pages. The exit code is 1 if an example fails. The page is
    written nevertheless, and shows the error.
    """
    from mediakit.tools.catalogue import all_tools

    start = time.perf_counter()
    (folder / "previews").mkdir(parents=True, exist_ok=True)
    tools = {}
    for tool, figures in _render(all_tools(), folder):
        tools[tool] = figures
        for number, figure in enumerate(figures, 1):
            if figure.error:
                click.echo(f'  {tool.command} {number} "{figure.title}": {figure.error}', err=True)
        click.echo(f"  {tool.command:<22} {len(figures)} examples")
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    template = environment.from_string(Path(__file__).with_suffix(".html").read_text("utf-8"))
    by_tag = {tag: list(group) for tag, group in groupby(tools.items(), key=lambda item: item[0].spec.tag)}
    (folder / "index.html").write_text(
        template.render(by_tag=by_tag, tool_count=len(tools), words=_words), encoding="utf-8"
    )
    listed = {tool.name: [asdict(figure) for figure in figures] for tool, figures in tools.items()}
    (folder / "examples.json").write_text(json.dumps(listed, indent=1), encoding="utf-8")
    every = [figure for figures in tools.values() for figure in figures]
    failed = sum(bool(figure.error) for figure in every)
    summary = f"{len(every)} examples of {len(tools)} tools in {time.perf_counter() - start:.0f} s"
    click.echo(f"  {folder / 'index.html'}: {summary}{f', {failed} failed' if failed else ''}")
    ctx.exit(1 if failed else 0)


def _render(tools: Sequence[Tool[..., Any]], folder: Path) -> Iterator[tuple[Tool[..., Any], list[Figure]]]:
    """Yield the figures of each tool. The next examples run while a result is saved and previewed."""
    examples = [(tool, number, each) for tool in tools for number, each in enumerate(tool.examples, 1)]
    with _sample_site() as site, ThreadPoolExecutor(CALL_THREADS) as threads:
        runs = threads.map(lambda each: _run(each[0], each[2], f"{each[0].command}-{each[1]}", site), examples)
        for tool, of_tool in groupby(runs, key=lambda run: run.tool):
            yield tool, [_figure(run, folder) for run in of_tool]


def _run(tool: Tool[..., Any], example: Example, stem: str, site: str) -> Run:
    """Run an example. The sample page replaces https://example.com where it is opened."""
    urls = {parameter.name for parameter in tool.parameters if parameter.kind == "url"}
    values = {
        name: value.replace(EXAMPLE_SITE, site) if name in urls else value for name, value in example.values.items()
    }
    start = time.perf_counter()
    outcome: Result | Exception
    try:
        outcome = tool.run(tool.validate(values))
    except Exception as error:  # noqa: BLE001  # the page shows it
        outcome = error
    return Run(tool, example, stem, outcome, time.perf_counter() - start)


def _figure(run: Run, folder: Path) -> Figure:
    """Save and preview a result. What fails is the error of the figure."""
    call = ""
    try:
        call = _python(run, folder)
        if isinstance(run.outcome, Exception):
            raise run.outcome  # noqa: TRY301  # handled like an error of the result
        shutil.rmtree(folder / run.stem, ignore_errors=True)  # the files of an earlier demo
        saved = run.outcome.save(folder / run.stem)
        files = sorted(saved.rglob("*")) if saved.is_dir() else [saved]
        preview = _preview(run.outcome, saved, folder, run.stem)
        facts = repr(run.outcome).strip("<>").partition(" ")[2].removesuffix(repr(preview.get("alt"))).strip()
        return Figure(
            run.example.title,
            call,
            facts=f"{facts} · {run.seconds:.2f}\N{NO-BREAK SPACE}s",
            files=tuple(path.relative_to(folder).as_posix() for path in files if path.is_file()),
            **preview,
        )
    except Exception as error:  # noqa: BLE001  # the page shows it
        first_line = next(iter(str(error).splitlines()), "")
        return Figure(run.example.title, call, error=f"{type(error).__name__}: {first_line}")


def _python(run: Run, folder: Path) -> str:
    """Return the call as HTML with colors. Its files are copied into the folder, so that it runs there."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    html = {parameter.name for parameter in run.tool.parameters if parameter.kind == "html"}

    def local(value: Any, name: str = "") -> Any:
        if isinstance(value, list):
            return [local(item) for item in value]
        if isinstance(value, Path):
            return Path(Path(shutil.copy(value, folder)).name)
        if name in html and len(value) > MAX_HTML_LENGTH:
            (folder / f"{run.stem}-input.html").write_text(value, encoding="utf-8")
            return Path(f"{run.stem}-input.html")
        return value

    values = {name: local(value, name) for name, value in run.example.values.items()}
    return highlight(snippets.python(run.tool, values), PythonLexer(), HtmlFormatter(nowrap=True))


def _preview(result: Result, saved: Path, folder: Path, stem: str) -> dict[str, str]:
    """Return the fields of a figure that show a result: the saved image, or what a notebook shows."""
    if saved.suffix in IMAGE_SUFFIXES and saved.is_file():
        return {"image": saved.name, "alt": result.alt}
    data, metadata = result._repr_mimebundle_()  # IPython's protocol
    kind = next((kind for kind in ("image/png", "image/jpeg") if kind in data), "")
    if kind:
        image = folder / "previews" / f"{stem}.{extension_of(kind)}"
        image.write_bytes(data[kind] if isinstance(data[kind], bytes) else b64decode(data[kind], validate=True))
        return {"image": f"previews/{image.name}", "alt": str(metadata.get(kind, {}).get("alt", ""))}
    body = data.get("text/html") or f"<pre>{escape(data['text/plain'])}</pre>"
    (folder / "previews" / f"{stem}.html").write_text(VIEW.format(title=escape(stem), body=body), encoding="utf-8")
    return {"view": f"previews/{stem}.html"}


def _words(tool: Tool[..., Any]) -> str:
    """Return what the search finds a tool by, besides the titles of its examples."""
    return " ".join((tool.name, tool.summary, tool.spec.tag, keywords(tool.name)))


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@contextmanager
def _sample_site() -> Iterator[str]:
    """Serve the sample page, allow the browser of this process to open it, and yield its URL."""
    from mediakit.engines.browser import configure
    from mediakit.settings import BrowserSettings

    with TemporaryDirectory() as root:
        shutil.copy(PAGE, root)
        shutil.copy(LANDSCAPE, root)
        with ThreadingHTTPServer(("127.0.0.1", 0), partial(_QuietHandler, directory=root)) as server:
            address = f"127.0.0.1:{server.server_address[1]}"
            settings = BrowserSettings()
            configure(settings.model_copy(update={"allowed_networks": (*settings.allowed_networks, address)}))
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
            try:
                yield f"http://{address}"
            finally:
                server.shutdown()
