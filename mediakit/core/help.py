"""The help text of a tool: its fields as a table with limits and defaults, its result and examples."""

import inspect
import textwrap

from mediakit.core import snippets
from mediakit.core.messages import quote
from mediakit.core.parameters import Parameter
from mediakit.core.spec import DescribedTool

ALLOWED_WIDTH = 20
DEFAULT_WIDTH = 12
MEANING_WIDTH = 44
"""Widths of columns, in characters. The tooltip of JupyterLab is about 95 characters wide."""

MAX_EXAMPLES = 3


def help_text(tool: DescribedTool, call: str, note: str) -> str:
    """Return the docstring of a tool.

    Args:
        tool: The tool.
        call: What stands before the parentheses of a call, such as `await mediakit.qr.aio`.
        note: A sentence about this way to call it; may be empty.
    """
    examples = []
    for example in tool.examples[:MAX_EXAMPLES]:
        code = snippets.python(tool, snippets.example_values(tool, example.values))
        examples.append(f"# {example.title}\n{code.replace(f'mediakit.{tool.name}', call, 1)}")
    media = ", ".join(tool.produces)
    _, section, errors = (inspect.getdoc(tool.function) or "").partition("\nRaises:")
    parts = [
        " ".join(filter(None, (tool.summary, note))),
        tool.description,
        field_table(tool.parameters),
        f"Returns:\n    {' | '.join(kind.__name__ for kind in tool.kinds)}: {media}",
        f"{section}{errors}".strip(),
        "Examples:\n" + textwrap.indent("\n\n".join(examples), "    "),
    ]
    return "\n\n".join(filter(None, parts))


def field_table(fields: tuple[Parameter, ...]) -> str:
    """Return a table of fields in aligned columns."""
    width = max(len("Field"), *(len(field.name) for field in fields))
    defaults = max(len("required"), *(len(_default(field)) for field in fields))
    widths = (width, ALLOWED_WIDTH, min(defaults, DEFAULT_WIDTH), MEANING_WIDTH)
    head = _row(("Field", "Allowed", "Default", "Meaning"), widths)
    rule = "  ".join("-" * each for each in widths)
    rows = [_row((field.name, _allowed(field), _default(field), _meaning(field)), widths) for field in fields]
    return "\n".join((*head, rule, *(line for row in rows for line in row)))


def _row(cells: tuple[str, ...], widths: tuple[int, ...]) -> list[str]:
    """Return the lines of a row, with long cells wrapped."""
    columns = [textwrap.wrap(cell, width) or [""] for cell, width in zip(cells, widths, strict=True)]
    height = max(map(len, columns))
    padded = [column + [""] * (height - len(column)) for column in columns]
    lines = zip(*padded, strict=True)
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]


def _allowed(field: Parameter) -> str:
    """Return the allowed values of a Python call, which also takes CSS colors where HTTP does not."""
    if field.kind == "color":
        return "CSS color"
    kinds = {"boolean": "True or False", "object": "texts by key", "table": "rows", "list": "a list"}
    return field.allowed or kinds.get(field.kind, field.kind)


def _default(field: Parameter) -> str:
    if field.required:
        return "required"
    if field.default is None:
        return ""
    return repr(field.default) if isinstance(field.default, bool | str) else quote(field.default)


def _meaning(field: Parameter) -> str:
    aliases = f" Also accepted as {' or '.join(field.aliases)}." if field.aliases else ""
    return f"{field.help}{aliases}"
