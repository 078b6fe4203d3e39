"""The templates by name: those of this package, and own ones that are added from folders."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal, get_args

from mediakit.core.messages import choice_hint, quote
from mediakit.core.suggestions import SynonymTable
from mediakit.engines.templates.manifest import DESIGNS, Problem, manifest_problems
from mediakit.engines.templates.template import Template
from mediakit.errors import InvalidInput

TemplateName = Literal["social", "og", "invoice", "receipt", "certificate", "youtube"]
"""The templates of this package."""

BUNDLED: tuple[str, ...] = get_args(TemplateName)

TEMPLATE_SYNONYMS: SynonymTable = {
    "social": "post, instagram, facebook, linkedin, square",
    "og": "open graph, link preview, twitter card, share image",
    "invoice": "bill, factura",
    "receipt": "ticket, sales slip",
    "certificate": "diploma, award",
    "youtube": "thumbnail, video, video thumbnail",
}
"""Other words for the templates of this package."""

TEMPLATES: dict[str, Template] = {name: Template.load(DESIGNS / name) for name in BUNDLED}
"""All templates by name. Own templates are last."""

on_change: list[Callable[[], None]] = []
"""Called after a template was added, for example to update the names in the schema of a tool."""

NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}", re.ASCII)


def add_template(folder: str | Path) -> Template:
    """Read a template from a folder and add it under the name of the folder; an own template is replaced.

    Raises:
        InvalidInput: The folder does not exist, its name is not allowed, or its files have a problem.
    """
    template, problems = read_template(Path(folder))
    errors = [problem for problem in problems if not problem.is_warning]
    if template is None or errors:
        more = f" ({len(errors) - 1} more; run: mediakit template check {folder})" if len(errors) > 1 else ""
        raise InvalidInput(f"{errors[0]}{more}")
    register(template)
    return template


def register(template: Template) -> None:
    """Add a template under its name; one with the same name is replaced."""
    TEMPLATES[template.name] = template
    for changed in on_change:
        changed()


def add_templates(folder: Path) -> list[Template]:
    """Add every template in the folders of a folder, by name.

    Raises:
        InvalidInput: The folder does not exist, or one of its templates has a problem.
    """
    if not folder.is_dir():
        raise InvalidInput(f"{folder}: must be a folder of template folders.")
    folders = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith((".", "_")))
    return [add_template(path) for path in folders]


def read_template(folder: Path) -> tuple[Template | None, list[Problem]]:
    """Return the template of a folder with the problems of all its files; None if its manifest has errors."""
    folder = folder.expanduser().resolve()
    if problem := _folder_problem(folder):
        return None, [Problem(str(folder), 0, problem)]
    problems = manifest_problems(folder)
    if any(not problem.is_warning for problem in problems):
        return None, problems
    template = Template.load(folder)
    for style in template.styles:
        problems += template.design(style, strict=False).problems
    return template, problems


def unknown_template(name: object) -> str:
    """Return why a name is not one of a template."""
    *first, last = (f"'{known}'" for known in TEMPLATES)
    hint = choice_hint(name, list(TEMPLATES), TEMPLATE_SYNONYMS)
    return f"must be one of {', '.join(first)} or {last}, got {quote(name)}.{hint}"


def _folder_problem(folder: Path) -> str:
    if not folder.is_dir():
        return "must be a folder with template.toml and template.html."
    if not NAME.fullmatch(folder.name):
        return f"the name of a template must be lowercase letters, digits, - and _, got {quote(folder.name)}."
    if folder.name in BUNDLED and folder.parent != DESIGNS:
        return f"{quote(folder.name)} is the name of a template of mediakit; rename the folder."
    return ""
