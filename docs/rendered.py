"""Run the notebooks in a JupyterLab, and write each as a page with its outputs: `python docs/rendered.py [--all]`.

Only notebooks are run whose page shows other cells; `--all` runs every one, after a change of what the tools draw.
"""

# ruff: noqa: INP001  # a script beside the documents, not a package

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
<!-- Made from notebooks/{name}.ipynb by docs/rendered.py. Change the notebook, then run `make docs`. -->

[This notebook](../../notebooks/{name}.ipynb), as JupyterLab shows it once it has run. `make lab` opens it.

"""
BEGIN, END = "<!-- output -->\n", "<!-- end of output -->\n\n"

WIDEST = 820
"""Pixels that a page of a code host gives a picture."""

TALLEST = 720
"""Pixels of a form or a table that are shown; what comes below is more of the same."""

Cell = dict[str, Any]


def stale() -> list[Path]:
    """Give the notebooks whose page shows other cells than they have, or whose pictures are not all there."""
    return [path for path in sorted(NOTEBOOKS.glob("*.ipynb")) if not _is_current(path)]


def _is_current(path: Path) -> bool:
    page = PAGES / f"{path.stem}.md"
    if not page.is_file():
        return False
    text = page.read_text("utf-8")
    written = re.sub(f"{re.escape(BEGIN)}.*?{re.escape(END)}", "", text, flags=re.DOTALL)
    named = set(re.findall(r'<img src="(images/[^"]+)"', text))
    there = {f"images/{file.name}" for file in (PAGES / "images").glob(f"{path.stem}-*")}
    return written == _page(path.stem, _cells(path), {}) and named == there


def _cells(path: Path) -> list[Cell]:
    cells: list[Cell] = json.loads(path.read_text("utf-8"))["cells"]
    return cells


def _page(name: str, cells: Iterable[Cell], outputs: dict[int, str]) -> str:
    return HEAD.format(name=name) + "".join(_cell(cell, outputs.get(at, "")) for at, cell in enumerate(cells))


def _cell(cell: Cell, output: str) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return re.sub(r"\((\w+)\.ipynb\)", r"(\1.md)", source) + "\n\n"
    language = "text" if source.startswith("%") else "python"
    shown = f"{BEGIN}{output}{END}" if output else ""
    return f"```{language}\n{source}\n```\n\n{shown}"


def render(paths: Iterable[Path]) -> None:
    """Run notebooks in a JupyterLab of their own and write their pages."""
    from tests.support.lab_kit import Lab, chromium

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, chromium() as browser:
        lab = Lab(Path(home))
        try:
            for path in paths:
                _render(path, lab, browser)
                lab.end_kernels()
        finally:
            lab.stop()


def _render(path: Path, lab: "Lab", browser: "Browser") -> None:
    import shots

    from tests.support.lab_kit import load, run_all, save

    (lab.root / path.name).write_bytes(path.read_bytes())
    # A cell out of sight is not drawn.
    with browser.new_page(viewport={"width": 980, "height": 12_000}, device_scale_factor=shots.SHARPNESS) as page:
        load(page, lab, path.name)
        run_all(page)
        shots.settle(page)
        save(page)
        outputs: dict[int, str] = {}
        used: set[Path] = set()
        for at, cell in enumerate(_cells(lab.root / path.name)):
            seen = page.locator(".jp-Notebook .jp-Cell").nth(at).locator(".jp-OutputArea-output")
            outputs[at] = "\n".join(_outputs(f"{path.stem}-{at:02}", cell.get("outputs", []), seen, used))
    text = _page(path.stem, _cells(path), outputs)
    if str(lab.root.parent) in text:
        raise click.ClickException(f"{path.name} shows a folder of this machine.")
    (PAGES / f"{path.stem}.md").write_text(text, "utf-8")
    for file in set((PAGES / "images").glob(f"{path.stem}-*")) - used:
        file.unlink()


def _outputs(stem: str, outputs: list[dict[str, Any]], seen: "Locator", used: set[Path]) -> Iterator[str]:
    for number, output in enumerate(outputs):
        if output["output_type"] == "error":
            raise click.ClickException(f"{stem}: {output['ename']}: {output['evalue']}")
        target = PAGES / "images" / f"{stem}{'abcdefgh'[number]}"
        if output["output_type"] == "stream":
            yield _text("".join(output["text"]))
        elif "application/vnd.jupyter.widget-view+json" in output["data"]:
            yield _photograph(seen.nth(number), target, used, "The form, with its result beside it")
            return  # what follows is its copy for readers without a kernel
        elif page := output["data"].get("text/html"):
            yield _page_part("".join(page), seen.nth(number), target, used)
        else:
            yield _bundle(output, target, used)


def _page_part(page: str, seen: "Locator", target: Path, used: set[Path]) -> str:
    import shots

    words = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
    if len(words) < 100 and not re.search("<(img|table|pre|progress)", page):
        return shots.steady(words) + "\n"
    named = "; ".join(html.unescape(alt) for alt in re.findall(r'alt=["\']([^"\']+)', page))
    return _photograph(seen, target, used, named or shots.steady(words))


def _bundle(output: dict[str, Any], target: Path, used: set[Path]) -> str:
    from PIL import Image

    data, metadata = output["data"], output["metadata"]
    kind = next((kind for kind in data if kind in ("image/png", "image/jpeg")), None)
    if kind is None:
        return _text("".join(data["text/plain"]))
    about = metadata.get(kind, {})
    with Image.open(io.BytesIO(base64.b64decode("".join(data[kind])))) as opened:
        picture = opened.convert("RGBA")
    paper = Image.new("RGB", picture.size, "white")
    paper.paste(picture, mask=picture)
    return _picture(paper, target, used, about.get("alt", ""), about.get("width", picture.width))


def _photograph(seen: "Locator", target: Path, used: set[Path], alt: str) -> str:
    import shots

    picture = shots.faded(shots.shoot(seen), TALLEST)
    return _picture(picture, target, used, alt, picture.width // shots.SHARPNESS)


def _picture(picture: Any, target: Path, used: set[Path], alt: str, width: int) -> str:
    import shots

    file = shots.write(picture, target)
    used.add(file)
    short = alt.strip("<>")
    short = short if len(short) <= 200 else f"{short[:200].rsplit(' ', 1)[0]} …"
    return f'<img src="images/{file.name}" alt="{html.escape(short)}" width="{min(width, WIDEST)}">\n'


def _text(text: str) -> str:
    import shots

    plain = re.sub(r"\x1b\[[\d;]*m", "", shots.steady(text)).rstrip()
    return f"```text\n{plain}\n```\n"


@click.command()
@click.option("--all", "every", is_flag=True, help="Run every notebook, not only those whose page is stale.")
def main(*, every: bool) -> None:
    """Write the notebooks' pages."""
    wanted = sorted(NOTEBOOKS.glob("*.ipynb")) if every else stale()
    if wanted:
        render(wanted)
    for path in wanted:
        click.echo(f"wrote docs/notebooks/{path.stem}.md")


if __name__ == "__main__":
    main()
