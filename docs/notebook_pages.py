"""Run the notebooks in JupyterLab and write each as a page with its outputs: `python docs/notebook_pages.py [--all]`.

Without `--all`, only notebooks run whose cells differ from their page. Use `--all` after the results of tools change.
"""

# ruff: noqa: INP001  # a script, not part of a package

import base64
import html
import io
import json
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

    from tests.support.lab_kit import Lab

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
PAGES = ROOT / "docs" / "notebooks"

HEAD = """\
<!-- Generated from notebooks/{name}.ipynb by docs/notebook_pages.py. Edit the notebook, then run `make docs`. -->

This page shows [a notebook](../../notebooks/{name}.ipynb) with its output. Run `make lab` to open it in JupyterLab.

"""
OUTPUT_START, OUTPUT_END = "<!-- output -->\n", "<!-- end of output -->\n\n"

MAX_WIDTH = 820
"""Width of an image on a code host, in displayed pixels."""

MAX_HEIGHT = 720
"""Height of a form or a table, in displayed pixels; the rest is cropped."""

MAX_ALT_CHARACTERS = 200

MAX_TEXT_CHARACTERS = 100
"""HTML output with fewer characters, and without images or tables, is shown as text."""

Cell = dict[str, Any]


def stale() -> list[Path]:
    """Return the notebooks whose page has other cells, or lacks images."""
    return [path for path in sorted(NOTEBOOKS.glob("*.ipynb")) if not _is_current(path)]


def _is_current(path: Path) -> bool:
    page = PAGES / f"{path.stem}.md"
    if not page.is_file():
        return False
    text = page.read_text("utf-8")
    without_outputs = re.sub(f"{re.escape(OUTPUT_START)}.*?{re.escape(OUTPUT_END)}", "", text, flags=re.DOTALL)
    used_images = set(re.findall(r'<img src="(images/[^"]+)"', text))
    existing_images = {f"images/{file.name}" for file in (PAGES / "images").glob(f"{path.stem}-*")}
    return without_outputs == _page(path.stem, _cells(path), {}) and used_images == existing_images


def _cells(path: Path) -> list[Cell]:
    cells: list[Cell] = json.loads(path.read_text("utf-8"))["cells"]
    return cells


def _page(name: str, cells: Iterable[Cell], outputs: dict[int, str]) -> str:
    return HEAD.format(name=name) + "".join(_cell(cell, outputs.get(index, "")) for index, cell in enumerate(cells))


def _cell(cell: Cell, output: str) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return re.sub(r"\((\w+)\.ipynb\)", r"(\1.md)", source).replace("](../docs/", "](../") + "\n\n"
    language = "text" if source.startswith("%") else "python"
    marked_output = f"{OUTPUT_START}{output}{OUTPUT_END}" if output else ""
    return f"```{language}\n{source}\n```\n\n{marked_output}"


def write_pages(paths: Iterable[Path]) -> None:
    """Run notebooks in a new JupyterLab and write their pages."""
    from tests.support.lab_kit import Lab, chromium

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, chromium() as browser:
        lab = Lab(Path(home))
        try:
            for path in paths:
                _write_page(path, lab, browser)
                lab.end_kernels()
        finally:
            lab.stop()


def _write_page(path: Path, lab: "Lab", browser: "Browser") -> None:
    images: set[Path] = set()
    text = _page(path.stem, _cells(path), _run(path, lab, browser, images))
    if str(lab.root.parent) in text:
        raise click.ClickException(f"{path.name} shows a directory of this machine.")
    (PAGES / f"{path.stem}.md").write_text(text, "utf-8")
    for file in set((PAGES / "images").glob(f"{path.stem}-*")) - images:
        file.unlink()


def _run(path: Path, lab: "Lab", browser: "Browser", images: set[Path]) -> dict[int, str]:
    """Run a notebook, add the images that were written to `images`, and return the outputs by index of the cell."""
    import screenshots

    from tests.support.lab_kit import load, run_all, save

    (lab.root / path.name).write_bytes(path.read_bytes())
    # JupyterLab does not render cells outside the viewport.
    viewport = {"width": 980, "height": 12_000}
    with browser.new_page(viewport=viewport, device_scale_factor=screenshots.DEVICE_SCALE_FACTOR) as page:  # type: ignore[arg-type]
        load(page, lab, path.name)
        run_all(page)
        screenshots.wait_for_images(page)
        save(page)
        outputs: dict[int, str] = {}
        for index, cell in enumerate(_cells(lab.root / path.name)):
            elements = page.locator(".jp-Notebook .jp-Cell").nth(index).locator(".jp-OutputArea-output")
            outputs[index] = "\n".join(_outputs(f"{path.stem}-{index:02}", cell.get("outputs", []), elements, images))
    return outputs


def _outputs(stem: str, outputs: list[dict[str, Any]], elements: "Locator", images: set[Path]) -> Iterator[str]:
    for number, output in enumerate(outputs):
        if output["output_type"] == "error":
            raise click.ClickException(f"{stem}: {output['ename']}: {output['evalue']}")
        target = PAGES / "images" / f"{stem}{'abcdefgh'[number]}"
        if output["output_type"] == "stream":
            yield _text_block("".join(output["text"]))
        elif "application/vnd.jupyter.widget-view+json" in output["data"]:
            yield _screenshot(elements.nth(number), target, images, "The form and its result")
            return  # the next output repeats the form as a plain image
        elif page := output["data"].get("text/html"):
            yield _html_output("".join(page), elements.nth(number), target, images)
        else:
            yield _plain_output(output, target, images)


def _html_output(page: str, element: "Locator", target: Path, images: set[Path]) -> str:
    import screenshots

    text = " ".join(html.unescape(re.sub(r"<style.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL)).split())
    if len(text) < MAX_TEXT_CHARACTERS and not re.search("<(img|table|pre|progress)", page):
        return screenshots.with_placeholders(text) + "\n"
    alt_texts = "; ".join(html.unescape(alt) for alt in re.findall(r'alt=["\']([^"\']+)', page))
    return _screenshot(element, target, images, alt_texts or screenshots.with_placeholders(text))


def _plain_output(output: dict[str, Any], target: Path, images: set[Path]) -> str:
    from PIL import Image

    data, metadata = output["data"], output["metadata"]
    media_type = next((media_type for media_type in data if media_type in ("image/png", "image/jpeg")), None)
    if media_type is None:
        return _text_block("".join(data["text/plain"]))
    description = metadata.get(media_type, {})
    with Image.open(io.BytesIO(base64.b64decode("".join(data[media_type])))) as opened:
        image = opened.convert("RGBA")
    opaque = Image.new("RGB", image.size, "white")
    opaque.paste(image, mask=image)
    return _image(opaque, target, images, description.get("alt", ""), description.get("width", image.width))


def _screenshot(element: "Locator", target: Path, images: set[Path], alt: str) -> str:
    import screenshots

    image = screenshots.limit_height(screenshots.take(element), MAX_HEIGHT)
    return _image(image, target, images, alt, image.width // screenshots.DEVICE_SCALE_FACTOR)


def _image(image: Any, target: Path, images: set[Path], alt: str, width: int) -> str:
    import screenshots

    file = screenshots.write(image, target)
    images.add(file)
    short = alt.strip("<>")
    if len(short) > MAX_ALT_CHARACTERS:
        short = f"{short[:MAX_ALT_CHARACTERS].rsplit(' ', 1)[0]} …"
    return f'<img src="images/{file.name}" alt="{html.escape(short)}" width="{min(width, MAX_WIDTH)}">\n'


def _text_block(text: str) -> str:
    import screenshots

    plain = re.sub(r"\x1b\[[\d;]*m", "", screenshots.with_placeholders(text)).rstrip()
    return f"```text\n{plain}\n```\n"


@click.command()
@click.option("--all", "every", is_flag=True, help="Run every notebook, not only those with a stale page.")
def main(*, every: bool) -> None:
    """Write the pages of the notebooks."""
    paths = sorted(NOTEBOOKS.glob("*.ipynb")) if every else stale()
    if paths:
        write_pages(paths)
    for path in paths:
        click.echo(f"wrote docs/notebooks/{path.stem}.md")


if __name__ == "__main__":
    main()
