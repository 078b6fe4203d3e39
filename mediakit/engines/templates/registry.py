"""The templates by name: those of this package, and own ones that are added from folders; and their list."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, SupportsIndex, get_args, overload

from mediakit.core.introspection import PublicNames
from mediakit.core.messages import choice_hint, quote
from mediakit.core.suggestions import SynonymTable
from mediakit.engines.templates.manifest import DESIGNS, Problem
from mediakit.engines.templates.template import Template, preview_html
from mediakit.errors import InvalidInput, NotFound

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

PAGE_HEAD = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Templates</title>
<meta name="viewport" content="width=device-width"><style>
  :root { color-scheme: light dark; }
  body { max-width: 1120px; margin: 48px auto; padding: 0 24px; font-family: system-ui, sans-serif; }
  h1 { font-size: 34px; letter-spacing: -0.02em; margin-bottom: 6px; }
  .lead { margin: 0 0 32px; opacity: 0.75; }
</style></head><body><h1>Templates</h1>
<p class="lead">Send <code>template</code>, <code>style</code>, <code>data</code> and <code>lang</code>
to a tool that renders HTML.
Missing keys keep their example text; an empty text hides its element.</p>"""


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
        raise InvalidInput(f"MEDIAKIT_TEMPLATES: must be a folder of template folders, got {folder}.")
    folders = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith((".", "_")))
    return [add_template(path) for path in folders]


def read_template(folder: Path) -> tuple[Template | None, list[Problem]]:
    """Return the template of a folder with the problems of all its files; None if its manifest has errors."""
    from mediakit.engines.templates.manifest import manifest_problems

    folder, problem = folder.expanduser().resolve(), ""
    if not folder.is_dir():
        problem = "must be a folder with template.toml and template.html."
    elif not NAME.fullmatch(folder.name):
        problem = f"the name of a template must be lowercase letters, digits, - and _, got {quote(folder.name)}."
    elif folder.name in BUNDLED and folder.parent != DESIGNS:
        problem = f"{quote(folder.name)} is the name of a template of mediakit; rename the folder."
    if problem:
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


class TemplateCatalog(PublicNames, tuple[Template, ...]):
    """The templates as a tuple that a notebook displays; `templates()["og"]` returns one by its name."""

    __slots__ = ()

    @overload
    def __getitem__(self, index: SupportsIndex | str) -> Template: ...
    @overload
    def __getitem__(self, index: slice) -> "TemplateCatalog": ...
    def __getitem__(self, index: SupportsIndex | str | slice) -> "Template | TemplateCatalog":
        """Return a template by name or index.

        Raises:
            NotFound: No template has this name.
        """
        if isinstance(index, slice):
            return TemplateCatalog(super().__getitem__(index))
        if not isinstance(index, str):
            return super().__getitem__(index)
        if (found := next((template for template in self if template.name == index), None)) is None:
            raise NotFound(f"template: {unknown_template(index)}")
        return found

    def __repr__(self) -> str:
        rows = (f"{t.name:<12} {t.width:>5} x {t.height:<5} {t.description}" for t in self)
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        return preview_html(self)

    def page(self) -> str:
        """Return the templates as an HTML page that loads nothing from the network."""
        return f"{PAGE_HEAD}{preview_html(self)}</body></html>"

    def describe(self) -> list[dict[str, Any]]:
        """Return a JSON-serializable description of each template."""
        return [
            {
                "name": template.name,
                "description": template.description,
                "width": template.width,
                "height": template.height,
                "pdf_format": template.pdf_format,
                "landscape": template.landscape,
                "styles": list(template.styles),
                "keys": [
                    {
                        "name": key.name,
                        "max_length": key.max_length,
                        "examples": {"en": key.en, "es": key.es},
                        "format": key.format,
                        "main": key.main,
                    }
                    for key in template.by_name.values()
                ],
            }
            for template in self
        ]


class Templates(PublicNames):
    """Lists the templates, and adds own ones: `mediakit.templates()`, `mediakit.templates.add("my-certificate")`."""

    @overload
    def __call__(self) -> TemplateCatalog: ...
    @overload
    def __call__(self, name: str) -> Template: ...
    def __call__(self, name: str | None = None) -> TemplateCatalog | Template:
        """List the templates: sizes, keys, limits and example texts; a notebook also shows thumbnails.

        Args:
            name: Return only the template of this name.

        Raises:
            NotFound: No template has this name.
        """
        found = TemplateCatalog(TEMPLATES.values())
        return found if name is None else found[name]

    def add(self, folder: str | Path) -> Template:
        """Add an own template, which can then be used by the name of its folder.

        Call it again after you have changed the files of the folder.

        Args:
            folder: A folder with `template.toml` and `template.html`. `mediakit template copy` creates one.

        Raises:
            InvalidInput: A file has a problem, or the name is one of a template of mediakit.
        """
        return add_template(folder)

    def __repr__(self) -> str:
        return f"<mediakit.templates: {', '.join(TEMPLATES)}>"


templates = Templates()
