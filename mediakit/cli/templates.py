"""`mediakit template`: check own templates, and copy a template to start from."""

from collections.abc import Iterator
from pathlib import Path

import click

from mediakit.core.fields import Language
from mediakit.engines.templates import Template
from mediakit.errors import InvalidInput
from mediakit.results.files import ImageResult

LANGUAGES: tuple[Language, ...] = ("en", "es")
THUMBNAIL_WIDTH = 480


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
    """Check own templates, and copy a template to start from."""


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
    from mediakit.engines.templates.inspection import inspect_template

    found, problems = inspect_template(folder)
    for problem in problems:
        click.echo(f"{'warning' if problem.is_warning else 'error'}: {problem}")
    errors = sum(not problem.is_warning for problem in problems)
    if found is None or errors:
        click.echo(f"{errors} error{'s' if errors != 1 else ''} in {folder}.")
        ctx.exit(1)
    if found.is_bundled:
        raise InvalidInput("folder: must be your own template; copy one with mediakit template copy.")
    for style, lang, image in _renders(found):
        saved = f" -> {image.save(output / f'{found.name}-{style}-{lang}.png')}" if output else ""
        click.echo(f"rendered {style} ({lang}), {image.width} x {image.height}{saved}")
        if thumbnails and lang == "en":
            click.echo(f"wrote {_save_thumbnail(found, style, image)}")
    click.echo(f'{found.name}: no errors. Use it with mediakit.templates.add("{folder}").')


@template.command()
@click.argument("name")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--style", help="The only style to copy. By default, all styles are copied.")
def copy(name: str, folder: Path, style: str | None) -> None:
    """Copy the template NAME to a new FOLDER, whose name is the name of your template."""
    from mediakit.engines.templates.copies import copy_template

    load_own_templates()
    copied = copy_template(name, folder, style)
    click.echo(f"Copied {name} to {copied}. Change its files, then run: mediakit template check {copied}")


def _renders(found: Template) -> Iterator[tuple[str, Language, ImageResult]]:
    """Render each style in each language."""
    from mediakit.engines.templates.registry import add_template
    from mediakit.tools.images.capture import capture

    add_template(found.folder)
    for style in found.styles:
        for lang in LANGUAGES:
            yield style, lang, capture(template=found.name, style=style, lang=lang)


def _save_thumbnail(found: Template, style: str, image: ImageResult) -> Path:
    from mediakit.engines.templates.thumbnails import own_thumbnail_path
    from mediakit.tools.images.images import images

    small = images(image, width=min(image.width, THUMBNAIL_WIDTH), format="webp", quality=82)
    return small.save(own_thumbnail_path(found, style))
