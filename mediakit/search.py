"""`mediakit.find("invoice")`: the tools for a task as cards, each with what it does and an example call."""

import ast
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, overload

import pybase64

from mediakit.core import snippets
from mediakit.core.introspection import PublicNames, readable
from mediakit.core.messages import quote
from mediakit.core.request import choice_synonyms
from mediakit.core.suggestions import rank
from mediakit.core.tool import Tool
from mediakit.display import view
from mediakit.errors import InvalidInput
from mediakit.tools.catalogue import CATALOGUE, load_tool
from mediakit.tools.tasks import RECIPES, Task
from mediakit.tools.tasks import find as find_names

MAX_FOUND = 8
"""Tools that a search lists."""

MIN_SCORE = 0.5
"""Score of a tool that is listed; less than that of a "did you mean", because people choose here."""

MIN_EXAMPLE_SCORE = 0.3
"""Score of an example that is shown in place of the first one of its tool."""

MIN_SHARE = 0.8
"""Share of the best score that the others need."""

THUMBNAILS = Path(__file__).parent / "api" / "pages" / "docs" / "thumbnails"
"""Thumbnails of the tools. The folder does not exist if the HTTP API is not installed."""


@dataclass(frozen=True)
class Finding:
    """A tool, or a task that takes several, with an example call."""

    name: str
    """Name of the tool, or title of the task."""
    summary: str
    call: str
    """An example as Python code; empty if mediakit cannot do the task."""
    command: str
    """The example as a command of the shell; empty if one command does not suffice."""
    tools: tuple[str, ...]
    """The tools of the call."""


class Findings(PublicNames, Sequence[Finding]):
    """What a search found, the best first. A notebook shows cards, other front ends text."""

    def __init__(self, words: str, found: Sequence[Finding]) -> None:
        self._words = words
        self._found = tuple(found)

    @overload
    def __getitem__(self, index: int) -> Finding: ...
    @overload
    def __getitem__(self, index: slice) -> "Findings": ...
    def __getitem__(self, index: int | slice) -> "Finding | Findings":
        """Return one of the tools and tasks, or several."""
        return Findings(self._words, self._found[index]) if isinstance(index, slice) else self._found[index]

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        if not self._found:
            return f'No tool fits "{self._words}". mediakit.find() lists all tools.'
        if not self._words:
            width = max(len(each.name) for each in self._found)
            return "\n".join(f"{each.name:<{width}}  {each.summary}" for each in self._found)
        return "\n\n".join(
            f"{each.name}: {each.summary}\n{textwrap.indent(each.call, '    ')}".rstrip() for each in self
        )

    def _repr_html_(self) -> str:
        if not self._found:
            return f"<p>{escape(repr(self))}</p>"
        return view("tool_cards", cards=[(each, _image(each) if len(self) <= MAX_FOUND else "") for each in self])


@readable
def find(words: str = "") -> Findings:
    """Return the tools for a task, the best first; a notebook shows cards.

    Args:
        words: What to do, such as `invoice`, `word to pdf` or `unlock pdf`. Without words, all tools are listed.

    Raises:
        InvalidInput: The words are not text.
    """
    if not isinstance(words, str):
        raise InvalidInput(f'words: must be text such as "word to pdf", got {quote(words)}.')
    if not words.strip():
        return Findings("", [_of_tool(name, "") for names in CATALOGUE.values() for name in names])
    found = find_names(words, minimum=MIN_SCORE)[:MAX_FOUND]
    best = [each for each, score in found if score >= MIN_SHARE * found[0][1]]
    return Findings(words, [_of_task(each) if isinstance(each, Task) else _of_tool(each, words) for each in best])


def _of_task(task: Task) -> Finding:
    return Finding(task.title, task.answer, task.call, "", task.tools)


def _of_tool(name: str, words: str) -> Finding:
    """Return a tool with the recipe or the example that fits the words best."""
    tool, recipes = load_tool(name), {recipe.call: recipe.title.lower() for recipe in RECIPES if recipe.tool == name}
    titles = {str(place): ", ".join(_texts(tool, place)) for place in range(len(tool.examples))}
    others = " ".join(word for word in words.split() if word.lower() not in name.split("_"))
    fitting = rank(words, recipes, minimum=MIN_SHARE) or rank(others, recipes | titles, minimum=MIN_EXAMPLE_SCORE)
    best = fitting[0].name if fitting else "0"
    if best in recipes:
        return Finding(name, tool.summary, best, _command(tool, best), (name,))
    values = snippets.example_values(tool, tool.examples[int(best)].values)
    return Finding(name, tool.summary, snippets.python(tool, values), snippets.shell(tool, values), (name,))


def _command(tool: Tool[..., Any], call: str) -> str:
    """Return a line of Python as a command of the shell; empty if it is more than a call of the tool."""
    line = ast.parse(call, mode="eval").body
    if not (isinstance(line, ast.Call) and ast.unparse(line.func) == f"mediakit.{tool.name}" and len(line.args) <= 1):
        return ""
    kinds = {each.name: each.kind for each in tool.parameters}
    arguments = [*zip(kinds, line.args, strict=False), *((str(each.arg), each.value) for each in line.keywords)]
    try:
        values = {name: ast.literal_eval(value) for name, value in arguments}
    except ValueError:  # the result of another tool
        return ""
    values |= {name: Path(values[name]) for name in values if kinds[name] in ("file", "table")}
    values |= {name: [*map(Path, values[name])] for name in values if kinds[name] == "files"}
    return snippets.shell(tool, values)


def _texts(tool: Tool[..., Any], place: int) -> Iterator[str]:
    """Yield the words for an example: its title, and the choices that it makes, with their synonyms."""
    example, synonyms = tool.examples[place], choice_synonyms(tool.request)
    yield example.title.replace(",", "").replace("-", "").lower()
    for parameter in tool.parameters:
        if parameter.choices and parameter.name in example.values:
            choice = str(example.values[parameter.name])
            yield f"{choice}, {synonyms[parameter.name].get(choice, '')}"


def _image(finding: Finding) -> str:
    """Return the thumbnail of the tool of an example as a data: URI; empty if there is none."""
    path = THUMBNAILS / f"{finding.tools[0].replace('_', '-')}.webp" if finding.call else THUMBNAILS
    return f"data:image/webp;base64,{pybase64.b64encode(path.read_bytes()).decode()}" if path.is_file() else ""
