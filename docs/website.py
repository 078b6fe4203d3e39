"""Build the site of the documentation: `python docs/website.py`. It shows the results that `mediakit demo demo` wrote.

The pages of the tools, the gallery and the table of tasks are generated from the tools: from their requests, results,
errors and examples, and from the words in `mediakit/tools/words.json`. Sphinx renders them beside the other pages.
"""

# ruff: noqa: INP001  # a script, not part of a package

import html
import json
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sphinx.cmd.build import main as sphinx_build

import mediakit
from mediakit.api.openapi import SERVICE_TOOLS, document, errors_of
from mediakit.api.public_pages import FOLDER
from mediakit.core import snippets
from mediakit.core.parameters import Parameter
from mediakit.core.tool import Tool
from mediakit.engines.templates import TEMPLATES, TemplateName
from mediakit.tools.catalogue import CATALOGUE, all_tools, load_tool
from mediakit.tools.tasks import RECIPES, TASKS, keywords

DOCS = Path(__file__).resolve().parent
DEMO = DOCS.parent / "demo"
IMAGES = DOCS / "site_images"
TOOL_PAGES = DOCS / "tools"
SITE = DOCS / "_build" / "html"

IMAGE_WIDTH = 720
"""Pixels of the widest image of a page."""

MAX_TEXT_LENGTH = 1000
"""Characters of the longest text in a call."""

MAX_LINE_LENGTH = 79
"""Characters of a call, after which each argument has a line of its own."""

MIN_IMAGES_OF_FILTER = 4
"""Cards of a tool that has a button of its own in the gallery."""

FORMS = {
    "form.jpg": ("mail_merge", "Certificate, with a live preview"),
    "form-chart.png": ("chart", "Chart with an editable table"),
    "form-qr.png": ("qr", "QR code in a dark theme"),
    "form-compare.jpg": ("image_compare", "Two images behind a divider"),
    "form-table.png": ("table_image", "Columns of a table"),
}
"""Screenshots of forms in `images`, which `notebook_screenshots.py` takes: the tool and a title."""


@dataclass(frozen=True)
class Call:
    """A call in three languages, with the image of its result."""

    anchor: str
    title: str
    tool: str
    image: str
    """File name in `IMAGES`; empty if the result is data."""
    alt: str
    python: str
    shell: str = ""
    curl: str = ""
    form: str = ""
    facts: str = ""
    tags: tuple[str, ...] = ()


def build() -> int:
    """Write the generated pages, run Sphinx, and return its exit code."""
    for folder in (IMAGES, TOOL_PAGES, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    IMAGES.mkdir()
    TOOL_PAGES.mkdir()
    figures = json.loads((DEMO / "examples.json").read_text("utf-8"))
    calls = {tool.name: list(_examples(tool, figures[tool.name])) for tool in all_tools()}
    styles = list(_template_styles())
    api = document(all_tools())
    for tool in all_tools():
        _write(TOOL_PAGES / f"{tool.command}.md", "tool.md", tool=tool, calls=calls[tool.name], **_facts(tool, api))
    for path in SERVICE_TOOLS:
        _write(TOOL_PAGES / f"{path.strip('/')}.md", "service_tool.md", path=path, **_service_facts(path, api))
    tags = {tag: [load_tool(name) for name in names] for tag, names in CATALOGUE.items() if names}
    _write(TOOL_PAGES / "index.md", "tools.md", tags=tags, services=[path.strip("/") for path in SERVICE_TOOLS])
    _write_gallery([call for of_tool in calls.values() for call in of_tool], styles, list(_forms()))
    _write(DOCS / "tasks.md", "tasks.md", tasks=list(_tasks()))
    arguments = ["-b", "html", "-W", "--keep-going", "-q", "-j", "2", "-c", str(DOCS)]
    code = sphinx_build([*arguments, "-d", str(SITE.parent / "doctrees"), str(DOCS.parent), str(SITE)])
    for source_map in SITE.rglob("*.map"):
        source_map.unlink()
    return code


@cache
def _environment() -> Environment:
    environment = Environment(  # noqa: S701  # Markdown
        loader=FileSystemLoader(DOCS / "_pages"), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["cell"] = lambda text: " ".join(str(text).split()).replace("|", "\\|")
    return environment


def _write(path: Path, template: str, /, **values: Any) -> None:
    path.write_text(_environment().get_template(f"{template}.jinja").render(values), "utf-8")


def _examples(tool: Tool[..., Any], figures: Sequence[Mapping[str, Any]]) -> Iterator[Call]:
    """Yield the examples of a tool with the results that the demo saved."""
    for number, (example, figure) in enumerate(zip(tool.examples, figures, strict=True), 1):
        if figure["error"]:
            sys.exit(f'docs: {tool.name}, "{example.title}": {figure["error"]}')
        values = {name: _short(value) for name, value in snippets.example_values(tool, example.values).items()}
        anchor = f"{tool.command}-{number}"
        yield Call(
            anchor,
            example.title,
            tool.name,
            _image(DEMO / figure["image"], anchor) if figure["image"] else "",
            figure["alt"] or example.title,
            snippets.python(tool, values),
            snippets.shell(tool, values),
            snippets.curl(tool, values, snippets.DEFAULT_URL),
            _form_call(tool, values),
            figure["facts"].rpartition(" · ")[0],
            (tool.spec.tag, tool.name),
        )


def _form_call(tool: Tool[..., Any], values: Mapping[str, Any]) -> str:
    """Return the call that opens the form of a tool with values; files are named by their paths."""
    arguments = [f"{name}={_literal(value)}" for name, value in values.items()]
    line = f'mediakit.form("{tool.name}", {", ".join(arguments)})'
    if len(line) <= MAX_LINE_LENGTH:
        return line
    return "\n".join((f'mediakit.form(\n    "{tool.name}",', *(f"    {each}," for each in arguments), ")"))


def _literal(value: Any) -> str:
    """Return a value as Python, with paths as texts, and with double quotes where that needs no escapes."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    text = repr(str(value) if isinstance(value, Path) else value)
    return f'"{text[1:-1]}"' if text.startswith("'") and '"' not in text else text


def _short(value: Any) -> Any:
    """Return the name of a file in place of a long text, so that calls have about ten lines."""
    return Path("guide.md") if isinstance(value, str) and len(value) > MAX_TEXT_LENGTH else value


def _image(source: Path, stem: str) -> str:
    """Write an image for a page, and return its file name. Animations and drawings stay as they are."""
    if source.suffix == ".svg":
        return Path(shutil.copy(source, IMAGES / f"{stem}.svg")).name
    small = mediakit.images(source, width=IMAGE_WIDTH, without_enlargement=True, format="webp")
    return small.save(IMAGES / f"{stem}.webp").name


def _template_styles() -> Iterator[Call]:
    """Yield a call for each style of each template."""
    tool = load_tool("capture")
    for template in TEMPLATES.values():
        for style in template.styles:
            name, values = cast("TemplateName", template.name), {"template": template.name, "style": str(style)}
            result = mediakit.capture(template=name, style=str(style))
            result.save(path := SITE.parent / f"{name}-{style}.png")
            yield Call(
                f"template-{name}-{style}",
                f"Template {name}, style {style}",
                "capture",
                _image(path, f"template-{name}-{style}"),
                result.alt or f"Template {name} with its example texts, style {style}",
                snippets.python(tool, values),
                snippets.shell(tool, values),
                snippets.curl(tool, values, snippets.DEFAULT_URL),
                _form_call(tool, values),
                tags=("Templates",),
            )


def _forms() -> Iterator[Call]:
    """Yield the calls of forms."""
    for file, (name, title) in FORMS.items():
        anchor = f"shown-{Path(file).stem}"
        image = _image(DOCS / "images" / file, anchor)
        yield Call(anchor, title, name, image, f"Form: {title}", f'mediakit.form("{name}")', tags=("Forms", name))


def _write_gallery(calls: Sequence[Call], styles: Sequence[Call], forms: Sequence[Call]) -> None:
    """Write the gallery: cards of styles and of calls whose result is an image, and of forms."""
    cards = [*styles, *(call for call in calls if call.image), *forms]
    counts = Counter(tag for card in cards for tag in card.tags)
    tags = ["Templates", "Forms", *CATALOGUE]
    names = [tag for tag in counts if tag not in tags and counts[tag] >= MIN_IMAGES_OF_FILTER]
    filters = [(tag, counts[tag]) for tag in [*tags, *names] if counts[tag]]
    words = [f"{keywords(card.tool)} {' '.join(card.tags)}" for card in cards]
    shown = {"cards": cards, "styles": styles, "forms": forms}
    _write(DOCS / "gallery.md", "gallery.md", **shown, filters=filters, words=json.dumps(words))


def _facts(tool: Tool[..., Any], api: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page of a tool states: fields, result, errors and limits."""
    schemas = api["components"]["schemas"]
    envelope = schemas[f"{tool.request.__name__.removesuffix('Request')}Result"]
    thumbnail = FOLDER / "thumbnails" / f"{tool.command}.webp"
    shutil.copy(thumbnail, IMAGES / f"tool-{thumbnail.name}")
    shutil.copy(DOCS / "images" / "forms" / thumbnail.name, IMAGES / f"form-{thumbnail.name}")
    return {
        "thumbnail": f"tool-{thumbnail.name}",
        "fields": [_field(parameter) for parameter in tool.parameters],
        "members": list(_members(envelope, schemas)),
        "errors": errors_of(tool),
        "limits": list(_limits(tool)),
        "words": keywords(tool.name),
    }


def _field(parameter: Parameter) -> tuple[str, str, str, str, str]:
    kind = {"html": "text", "url": "URL", "object": "object of texts", "table": "list of rows"}
    default = "required" if parameter.required else "" if parameter.default is None else f"`{parameter.default!r}`"
    also = f" Also accepted as {' or '.join(f'`{name}`' for name in parameter.aliases)}." if parameter.aliases else ""
    return (
        parameter.name,
        kind.get(parameter.kind, parameter.kind),
        parameter.allowed,
        default,
        f"{parameter.help}{also}",
    )


def _members(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the members of a JSON object and of its `meta`: name, type and meaning."""
    for name, member in schema["properties"].items():
        target = schemas.get(member.get("$ref", "").rpartition("/")[2], member)
        meaning = member.get("description") or target.get("description", "")
        if name == "meta":
            for inner, each in target.get("properties", {}).items():
                found = schemas.get(each.get("$ref", "").rpartition("/")[2], each)
                yield f"meta.{inner}", _type(each, schemas), each.get("description") or found.get("description", "")
        else:
            yield name, _type(member, schemas), meaning


def _type(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """Return the type of a member in a few words."""
    if "$ref" in schema:
        return _type(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(_type(option, schemas) for option in options))
    if schema.get("type") == "array" and "items" in schema:
        return f"list of {_type(schema['items'], schemas)}"
    kind = schema.get("type", "any")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _limits(tool: Tool[..., Any]) -> Iterator[str]:
    if tool.file_fields:
        yield "A file has at most 20 MB."
    yield f"A call ends within {tool.spec.deadline_seconds} seconds."
    if tool.spec.needs_browser:
        condition = "" if tool.spec.needs_browser is True else f" with `{tool.spec.needs_browser}`"
        yield f"It needs a browser{condition}; `mediakit browser install` finds or installs one."
    for package, calls in tool.spec.licensed_packages.items():
        yield f"It needs [{package}](../licenses.md){f' for {calls}' if calls else ''}."


def _service_facts(path: str, api: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page of a tool of the server states."""
    operation = api["paths"][path]["get"]
    schemas = api["components"]["schemas"]
    reference = operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
    members = list(_members(schemas[reference.rpartition("/")[2]], schemas))
    return {"operation": operation, "members": members, "name": path.strip("/"), "server": snippets.DEFAULT_URL}


def _tasks() -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    """Yield the tasks: what people call them, the line of code, the tools, and other words."""
    for recipe in RECIPES:
        words = f"{keywords(recipe.tool)} {recipe.tool}"
        yield recipe.title, recipe.call, (recipe.tool,), html.escape(words)
    for task in TASKS:
        if task.call:
            yield f"{task.title[0].upper()}{task.title[1:]}", task.call, task.tools, html.escape(task.words)


if __name__ == "__main__":
    sys.exit(build())
