"""`mediakit template`: list the templates, check own ones, and copy one to start from."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mediakit.core.fields import Language
from mediakit.core.messages import quote
from mediakit.engines.templates import Page, Template
from mediakit.errors import InvalidInput
from mediakit.results.files import ImageResult

if TYPE_CHECKING:
    from mediakit.engines.templates.manifest import Problem

LANGUAGES: tuple[Language, ...] = ("en", "es")
THUMBNAIL_WIDTH = 480
SAMPLE_WORDS = "Words of different lengths that fill the lines "

_STYLES_LINE = re.compile(r"^styles = .*\n", re.MULTILINE)
_Render = tuple[str, Language, ImageResult]
"""A style in a language."""


def load_own_templates() -> None:
    """Add the templates of the setting MEDIAKIT_TEMPLATES.

    Raises:
        InvalidInput: The folder does not exist, or a template has a problem.
    """
    from mediakit.settings import Settings

    if folder := Settings().server.templates:
        from mediakit.engines.templates.registry import add_templates

        add_templates(folder)


@click.group()
def template() -> None:
    """List the templates, check own ones, and copy one to start from."""


@template.command("list")
def list_templates() -> None:
    """List the templates with their sizes."""
    from mediakit.engines.templates.registry import templates

    load_own_templates()
    click.echo(templates())


@template.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for a PNG of each style in each language.",
)
@click.option("--thumbnails", is_flag=True, help="Write thumbnails for lists and forms into FOLDER.")
@click.pass_context
def check(ctx: click.Context, folder: Path, output: Path | None, thumbnails: bool) -> None:  # noqa: FBT001  # click
    """Check the template in FOLDER: report every problem with file and line, and render each style.

    The exit code is 1 if there is an error. Warnings are keys that are never used, missing examples, and texts that do
    not fit.
    """
    from mediakit.engines.templates.registry import read_template

    found, problems = read_template(folder)
    errors = sum(not problem.is_warning for problem in problems)
    renders: list[_Render] = []
    if found and not errors and not found.is_bundled:
        renders, misfits = _rendered(found)
        problems += misfits
    for problem in problems:
        click.echo(f"{'warning' if problem.is_warning else 'error'}: {problem}")
    if found is None or errors:
        click.echo(f"{errors} error{'s' if errors != 1 else ''} in {folder}.")
        ctx.exit(1)
    if found.is_bundled:
        raise InvalidInput("folder: must be your own template; copy one with mediakit template copy.")
    for style, lang, image in renders:
        saved = f" -> {image.save(output / f'{found.name}-{style}-{lang}.png')}" if output else ""
        click.echo(f"rendered {style} ({lang}), {image.width} x {image.height}{saved}")
        if thumbnails and lang == "en":
            from mediakit.engines.templates.template import own_thumbnail_path
            from mediakit.tools.images.images import images

            small = images(image, width=min(image.width, THUMBNAIL_WIDTH), format="webp", quality=82)
            click.echo(f"wrote {small.save(own_thumbnail_path(found, style))}")
    click.echo(f'{found.name}: no errors. Use it with mediakit.templates.add("{folder}").')


@template.command()
@click.argument("name")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--style", help="The only style to copy. By default, all styles are copied.")
def copy(name: str, folder: Path, style: str | None) -> None:
    """Copy the template NAME to a new FOLDER, whose name is the name of your template."""
    load_own_templates()
    _copy(name, folder, style)
    click.echo(f"Copied {name} to {folder}. Change its files, then run: mediakit template check {folder}")


def _copy(name: str, folder: Path, style: str | None) -> None:
    from mediakit.engines.templates import TEMPLATES
    from mediakit.engines.templates.registry import BUNDLED, NAME, unknown_template

    if name not in TEMPLATES:
        raise InvalidInput(f"template: {unknown_template(name)}")
    copied = TEMPLATES[name]
    if style is not None and (problem := copied.style_problem(style)):
        raise InvalidInput(f"style: {problem}")
    new_name = folder.resolve().name
    if not NAME.fullmatch(new_name) or new_name in BUNDLED:
        raise InvalidInput(
            f"folder: must have a name of lowercase letters, digits, - and _ that no template of mediakit has, "
            f"got {quote(new_name)}."
        )
    if folder.exists():
        raise InvalidInput(f"folder: {folder} exists already.")
    shutil.copytree(copied.folder, folder)
    if style is not None:
        _keep_style(copied, folder, style)


def _keep_style(copied: Template, folder: Path, style: str) -> None:
    """Make one style the only one."""
    from mediakit.engines.templates.manifest import FIRST_STYLE_FILE, MANIFEST_FILE

    (folder / copied.style_file(style)).rename(folder / "kept")
    for other in copied.styles:
        (folder / copied.style_file(other)).unlink(missing_ok=True)
    (folder / "kept").rename(folder / FIRST_STYLE_FILE)
    manifest = folder / MANIFEST_FILE
    line = f'styles = ["{style}"]\n'
    manifest.write_text(_STYLES_LINE.sub(line, manifest.read_text(encoding="utf-8"), count=1), encoding="utf-8")


def _rendered(found: Template) -> tuple[list[_Render], list["Problem"]]:
    """Return each style in each language, and the texts that do not fit: examples, and texts of the maximum length."""
    from mediakit.engines.templates.manifest import Problem

    longest = {key.name: _long_text(key.max_length) for key in found.keys if key.format == "text"}
    renders: list[_Render] = []
    problems = []
    for style in found.styles:
        file = str(found.folder / found.style_file(style))
        for lang in LANGUAGES:
            image, page, fitting = _render(found, {}, style, lang)
            renders.append((style, lang, image))
            if fitted := page.keys_of(fitting["fitted"]):
                message = f"example texts ({lang}) do not fit at full size: {', '.join(fitted)}."
                problems.append(Problem(file, 0, message, is_warning=True))
        _, page, fitting = _render(found, longest, style, "en")
        if cut := page.keys_of(fitting["cut"]):
            message = f"truncated at their max_length, even at the smallest font size: {', '.join(cut)}."
            problems.append(Problem(file, 0, message, is_warning=True))
    return renders, problems


def _render(found: Template, data: Mapping[str, str], style: str, lang: Language) -> tuple[ImageResult, Page, Any]:
    from mediakit.core.runtime import runtime
    from mediakit.engines.browser.html import render_image

    page = found.fill(data, lang, style=style)
    drawn = runtime.run(render_image(page.html, width=page.width, height=page.height, layout_script=page.fitting))
    size = {"width": drawn.width, "height": drawn.height, "format": "png"}
    return ImageResult(drawn.content, "image/png", size), page, drawn.layout


def _long_text(length: int) -> str:
    return (SAMPLE_WORDS * (length // len(SAMPLE_WORDS) + 1))[:length].strip()
