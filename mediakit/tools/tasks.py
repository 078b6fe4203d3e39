"""What people call the tools, tasks of one line or several tools, and what mediakit cannot do.

The words are in `words.json`. Searches, error messages and the documentation use them.
"""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from mediakit.core.messages import quote
from mediakit.core.suggestions import SIMILARITY, SynonymTable, rank

MAX_SUGGESTIONS = 3


class Task(NamedTuple):
    """Something that people look for, and no tool does alone."""

    words: str
    """What people call it, separated by commas; the first is its title."""
    answer: str
    """How it is done, or what there is instead."""
    tools: tuple[str, ...]
    """The tools of the answer, in the order of the calls."""
    call: str = ""
    """The call in Python; empty if there is none."""

    @property
    def title(self) -> str:
        """What most people call it."""
        return self.words.partition(",")[0]

    @property
    def called(self) -> list[str]:
        """The tools that `call` uses, in the order in which they run."""
        return [name for name in reversed(re.findall(r"mediakit\.(\w+)\(", self.call)) if name in SYNONYMS]


class Recipe(NamedTuple):
    """Something that people look for, and one line does."""

    title: str
    call: str
    """The line in Python. Its files are in `mediakit/samples`."""

    @property
    def tool(self) -> str:
        """The tool of the line."""
        names: list[str] = re.findall(r"mediakit\.(\w+)", self.call)
        return next(name for name in names if name in SYNONYMS)


WORDS = json.loads((Path(__file__).parent / "words.json").read_text("utf-8"))
"""Also the first sentence of the help of each public name that is not a tool, because reading it imports the name."""

SYNONYMS: SynonymTable = WORDS["tools"]
"""Other words for each tool, separated by commas. Searches and error messages use them."""

RECIPES = tuple(Recipe(*each) for each in WORDS["recipes"].items())

TITLES = {name: [recipe.title.lower() for recipe in RECIPES if recipe.tool == name] for name in SYNONYMS}
"""What the recipes of each tool do, as people call it."""

TASKS = tuple(Task(**{**task, "tools": tuple(task["tools"])}) for task in WORDS["tasks"])


def find(words: str, *, others: Iterable[str] = (), minimum: float = SIMILARITY) -> list[tuple[str | Task, float]]:
    """Return the tools and tasks that fit words, each with a score from 0 to 1, the best first. No tool is imported."""
    tasks = {str(place): task.words for place, task in enumerate(TASKS)}
    tools = {name: ", ".join((text, *TITLES[name])) for name, text in SYNONYMS.items()}
    table = {**tasks, **dict.fromkeys(others, ""), **tools}
    matches = rank(words, table, minimum=minimum)
    return [(TASKS[int(name)] if name.isdigit() else name, score) for name, score in matches]


def keywords(name: str) -> str:
    """Return other words for a tool and for the tasks that it is part of, for searches in other languages."""
    tasks = (task.words for task in TASKS if name in task.tools)
    return ", ".join((SYNONYMS.get(name, ""), *TITLES.get(name, ()), *tasks))


def suggestion(name: str, others: Iterable[str], search: str, spell: Callable[[str], str] | None = None) -> str:
    """Return the end of the error for a name that does not exist: what is meant, or how to search."""
    found = find(name, others=others)
    if not found:
        return f". {search}"
    best = [each for each, score in found if score >= found[0][1] - 0.01][:MAX_SUGGESTIONS]
    if isinstance(task := best[0], Task):
        if not task.called:
            return f". {task.answer}"
        steps = ", then ".join(quote(spell(each)) for each in task.called) if spell else task.call
        return f"; did you mean {steps}? {task.answer}"
    names = [quote(spell(each) if spell else each) for each in best if isinstance(each, str)]
    return f"; did you mean {' or '.join(names)}?"


def command_of(name: str) -> str:
    """Return the name of a tool in the shell."""
    return name.replace("_", "-")
