"""Write the documents that come from the code: `python docs/build.py`, or with `--check` name the stale ones."""

# ruff: noqa: INP001  # a script beside the documents, not a package

import inspect
import json
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click
import notebook_pages

from mediakit import errors
from mediakit.api.openapi import ABSTRACT, OPTIONAL, document, errors_of
from mediakit.cli import COMMANDS
from mediakit.cli import main as commands
from mediakit.core import snippets
from mediakit.core.parameters import Parameter
from mediakit.core.tool import Example, Tool
from mediakit.tools.catalogue import TOOLS

ROOT = Path(__file__).resolve().parent.parent
MADE = "<!-- Made from the code by docs/build.py. Change the code, then run `make docs`. -->\n\n"


def reference() -> str:
    """Describe every tool: its call on each face, its fields, what it makes, what can go wrong."""
    rows = [
        (
            f"[{tool.name}](#{tool.name})",
            tool.summary,
            f"`mediakit.{tool.name}`",
            f"`POST {tool.path}`",
            f"`mediakit {tool.command}`",
        )
        for tool in TOOLS
    ]
    overview = table(("Tool", "What it does", "Python", "HTTP", "Shell"), rows)
    return f"{MADE}# Tools\n\n{overview}\n" + "\n".join(_tool(tool) for tool in TOOLS)


def _tool(tool: Tool[..., Any]) -> str:
    parts = [
        f"\n## {tool.name}\n\n{tool.summary} {_line(tool.description)}".rstrip(),
        f"```python\n{_signature(tool)}\n```",
        table(("Field", "Rule", "Meaning"), [_field(parameter) for parameter in tool.parameters]).rstrip(),
        "\n".join(_facts(tool)),
        *(_example(tool, example) for example in tool.examples),
    ]
    return "\n\n".join(parts) + "\n"


def _facts(tool: Tool[..., Any]) -> Iterator[str]:
    raw = [f"`{kind}` (the body is `{field}`)" for kind, field in tool.raw.items()]
    refusals = [f"{error.status} [{error.__name__}](errors.md)" for error in errors_of(tool)]
    yield f"- Send `POST {tool.path}` with {' or '.join(['`application/json`', *raw])}."
    yield f"- It makes {', '.join(tool.makes)}."
    yield f"- It refuses with {', '.join(refusals)}."


def _field(parameter: Parameter) -> tuple[str, str, str]:
    kind = {"choice": "one of", "color": "colour", "object": "object of texts"}.get(parameter.kind, parameter.kind)
    join = " " if parameter.choices or parameter.minimum is not None else "; "
    return f"`{parameter.name}`", join.join(filter(None, (kind, parameter.rule))), parameter.help


def _signature(tool: Tool[..., Any]) -> str:
    arguments = list(inspect.signature(tool.request).parameters.values())
    plain = inspect.Signature([argument.replace(annotation=inspect.Parameter.empty) for argument in arguments])
    return f"mediakit.{tool.name}{plain}"


def _example(tool: Tool[..., Any], example: Example) -> str:
    values = {name: Path(value.name) if isinstance(value, Path) else value for name, value in example.values.items()}
    python, curl, shell = (write(tool, values) for write in (snippets.python, snippets.curl, snippets.shell))
    return f"{example.title}:\n\n```python\n{python}\n```\n\n```sh\n{shell}\n```\n\n```sh\n{curl}\n```"


def error_classes() -> str:
    """Describe every error: its status, its Python bases, and what its HTTP body carries."""
    rows = [_error(kind) for kind in _family(errors.MediakitError)]
    return f"{MADE}# Errors\n\n{ABOUT_ERRORS}\n" + table(
        ("Class", "Status", "Also a", "When", "Body, beside `error`"), rows
    )


ABOUT_ERRORS = """\
Every failure is a class of `mediakit.errors`. HTTP answers with its status and a JSON body whose `error` says what is
wrong and how to mend it; a client raises the same class again. A failed call costs no credit.
"""


def _error(kind: type[errors.MediakitError]) -> tuple[str, ...]:
    bases = [f"`{base.__name__}`" for base in kind.__bases__ if base is not Exception]
    constants = [f'`{name}` = "{value}"' for name, value in kind.constants.items()]
    body = [
        *constants,
        *(f"`{name}`" for name in (*kind.fields, *ABSTRACT.get(kind, ()))),
        *(f"perhaps `{name}`" for name in OPTIONAL.get(kind, ())),
    ]
    return f"`{kind.__name__}`", str(kind.status), ", ".join(bases), _line(kind.__doc__), ", ".join(body)


def _family(kind: type[errors.MediakitError]) -> Iterator[type[errors.MediakitError]]:
    yield kind
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _family(child)


def shell_commands() -> str:
    """Describe every command that is no tool."""
    context = click.Context(commands, info_name="mediakit")
    found = [_command(commands.get_command(context, name), f"mediakit {name}") for name in COMMANDS]
    return f"{MADE}# Commands\n\n{ABOUT_COMMANDS}\n" + "\n".join(part for parts in found for part in parts)


ABOUT_COMMANDS = """\
The tools are commands, too: [their fields](reference.md) are the options, `full_page` as `--full-page`. `-o FILE` names
the file to write, `--json` asks for the envelope that HTTP answers with. Beside the tools there are:
"""


def _command(command: click.Command | None, name: str) -> Iterator[str]:
    assert command is not None  # noqa: S101  # COMMANDS names only commands that exist
    if isinstance(command, click.Group):
        for child, member in command.commands.items():
            yield from _command(member, f"{name} {child}")
        return
    arguments = [_usage(parameter) for parameter in command.params if isinstance(parameter, click.Argument)]
    options = [_option(parameter) for parameter in command.params if isinstance(parameter, click.Option)]
    listed = f"\n{table(('Option', 'Meaning'), options)}" if options else ""
    yield f"## {name}\n\n`{' '.join([name, *arguments])}`: {_line(command.help)}\n{listed}"


def _usage(argument: click.Argument) -> str:
    name = argument.metavar or _choices(argument) or (argument.name or "").upper()
    return name if argument.required else f"[{name}]"


def _option(option: click.Option) -> tuple[str, str]:
    value = "" if option.is_flag else f" {option.metavar or _choices(option) or option.type.name.upper()}"
    default = f"Default {option.default}." if option.show_default else ""
    names = f"`{', '.join(option.opts)}{value}`".replace("|", "\\|")
    return names, " ".join(filter(None, (option.help, default)))


def _choices(parameter: click.Parameter) -> str:
    return "|".join(parameter.type.choices) if isinstance(parameter.type, click.Choice) else ""


def _line(text: str | None) -> str:
    """Join the lines of a docstring."""
    return " ".join((text or "").split())


def openapi() -> str:
    """Write the OpenAPI document, as a server at the usual local address describes itself."""
    description = {**document(TOOLS), "servers": [{"url": snippets.LOCAL}]}
    return json.dumps(description, indent=2, ensure_ascii=False) + "\n"


def environment() -> str:
    """Write the conda environment: Python and pip, and by pip what `pyproject.toml` wants with every extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    chosen = extras["all"][0].partition("[")[2].removesuffix("]").split(",")
    wanted = [*project["dependencies"], *(requirement for extra in chosen for requirement in extras[extra])]
    lines = "\n".join(f"      - {json.dumps(requirement)}" for requirement in wanted)
    return ENVIRONMENT.format(python=project["requires-python"], wanted=lines)


ENVIRONMENT = """\
# Made from pyproject.toml by docs/build.py; `make docs` writes it anew.
#   conda env create -f environment.yml && conda activate mediakit && pip install --no-deps -e .
name: mediakit
channels:
  - conda-forge
dependencies:
  - "python{python}"
  - pip
  - pip:
{wanted}
"""


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Write a Markdown table."""
    names = tuple(head)
    lines = [names, ("---",) * len(names), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


DOCUMENTS: dict[str, Callable[[], str]] = {
    "docs/reference.md": reference,
    "docs/errors.md": error_classes,
    "docs/commands.md": shell_commands,
    "docs/openapi.json": openapi,
    "environment.yml": environment,
}
"""Path of each document to the function that writes it."""


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; name each stale document and exit with 1 if there is one.")
@click.option("--root", type=click.Path(path_type=Path), default=ROOT, help="Folder of the documents.")
def build(*, check: bool, root: Path) -> None:
    """Write the documents that come from the code."""
    texts = {root / name: write() for name, write in DOCUMENTS.items()}
    stale = [path for path, text in texts.items() if not path.is_file() or path.read_text("utf-8") != text]
    for path in stale:
        click.echo(
            f"{path.relative_to(root)} is stale; run `make docs`." if check else f"wrote {path.relative_to(root)}"
        )
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(texts[path], "utf-8")
    unlike = [path.stem for path in notebook_pages.stale()] if check and root == ROOT else []
    for name in unlike:
        click.echo(f"docs/notebooks/{name}.md is stale; run `make docs`.")
    sys.exit(1 if check and (stale or unlike) else 0)


if __name__ == "__main__":
    build()
