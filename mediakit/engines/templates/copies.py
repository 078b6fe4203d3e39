"""Copies a template to a folder, to start an own one from."""

import re
import shutil
from pathlib import Path

from mediakit.core.messages import quote
from mediakit.engines.templates.manifest import FIRST_STYLE_FILE, MANIFEST_FILE
from mediakit.engines.templates.registry import BUNDLED, NAME, TEMPLATES, unknown_template
from mediakit.engines.templates.template import Template
from mediakit.errors import InvalidInput

_STYLES_LINE = re.compile(r"^styles = .*\n", re.MULTILINE)


def copy_template(name: str, folder: Path, style: str | None = None) -> Path:
    """Copy the files of a template to a new folder.

    Args:
        name: The name of the template.
        folder: The new folder; its name is the name of the copy.
        style: The only style to copy; default all styles.

    Raises:
        InvalidInput: The template or style does not exist, or the folder exists or has a name that is not allowed.
    """
    if name not in TEMPLATES:
        raise InvalidInput(f"template: {unknown_template(name)}")
    template = TEMPLATES[name]
    if style is not None and (problem := template.style_problem(style)):
        raise InvalidInput(f"style: {problem}")
    _check_folder(folder)
    shutil.copytree(template.folder, folder)
    if style is not None:
        _keep_style(template, folder, style)
    return folder


def _check_folder(folder: Path) -> None:
    name = folder.resolve().name
    if not NAME.fullmatch(name) or name in BUNDLED:
        raise InvalidInput(
            f"folder: must have a name of lowercase letters, digits, - and _ that no template of mediakit has, "
            f"got {quote(name)}."
        )
    if folder.exists():
        raise InvalidInput(f"folder: {folder} exists already.")


def _keep_style(template: Template, folder: Path, style: str) -> None:
    """Make one style the only one."""
    (folder / template.style_file(style)).rename(folder / "kept")
    for other in template.styles:
        (folder / template.style_file(other)).unlink(missing_ok=True)
    (folder / "kept").rename(folder / FIRST_STYLE_FILE)
    manifest = folder / MANIFEST_FILE
    line = f'styles = ["{style}"]\n'
    manifest.write_text(_STYLES_LINE.sub(line, manifest.read_text(encoding="utf-8"), count=1), encoding="utf-8")
