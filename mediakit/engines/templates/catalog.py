"""The list of all templates, as a Python sequence, an HTML page and JSON."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, overload

from mediakit.core.introspection import PublicNames
from mediakit.engines.templates import TEMPLATES
from mediakit.engines.templates.preview import preview_html
from mediakit.engines.templates.registry import add_template, unknown_template
from mediakit.engines.templates.template import Template
from mediakit.errors import NotFound

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


class TemplateCatalog(PublicNames, Sequence[Template]):
    """The templates as a sequence that a notebook displays; `templates()["og"]` returns one by its name."""

    def __init__(self, templates: Sequence[Template]) -> None:
        self._templates = tuple(templates)

    @overload
    def __getitem__(self, index: int | str) -> Template: ...
    @overload
    def __getitem__(self, index: slice) -> "TemplateCatalog": ...
    def __getitem__(self, index: int | str | slice) -> "Template | TemplateCatalog":
        """Return a template by name or index.

        Raises:
            NotFound: No template has this name.
        """
        if isinstance(index, slice):
            return TemplateCatalog(self._templates[index])
        if isinstance(index, str):
            found = next((template for template in self._templates if template.name == index), None)
            if found is None:
                raise NotFound(f"template: {unknown_template(index)}")
            return found
        return self._templates[index]

    def __len__(self) -> int:
        return len(self._templates)

    def __iter__(self) -> Iterator[Template]:
        return iter(self._templates)

    def __repr__(self) -> str:
        rows = (f"{t.name:<12} {t.width} x {t.height:<5} {t.description}" for t in self._templates)
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        return preview_html(self._templates)

    def page(self) -> str:
        """Return the templates as an HTML page that loads nothing from the network."""
        return f"{PAGE_HEAD}{preview_html(self._templates)}</body></html>"

    def describe(self) -> list[dict[str, Any]]:
        """Return a JSON-serializable description of each template."""
        return [_description(template) for template in self._templates]


class Templates(PublicNames):
    """Lists the templates, and adds own ones: `mediakit.templates()`, `mediakit.templates.add("my-certificate")`."""

    def __call__(self) -> TemplateCatalog:
        """List the templates: sizes, keys, limits and example texts; a notebook also shows thumbnails."""
        return TemplateCatalog(tuple(TEMPLATES.values()))

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


def _description(template: Template) -> dict[str, Any]:
    return {
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
