"""Checks the folder of a template: its files, how its example texts fit, and how its longest texts do."""

from collections.abc import Iterator
from pathlib import Path

from mediakit.engines.templates.markup.problems import Problem
from mediakit.engines.templates.registry import read_template
from mediakit.engines.templates.template import Template

LANGUAGES = ("en", "es")
SAMPLE_WORDS = "Words of different lengths that fill the lines "


def inspect_template(folder: Path) -> tuple[Template | None, list[Problem]]:
    """Return the template of a folder with all problems that can be found without rendering it."""
    template, problems = read_template(folder)
    if template is None or any(not problem.is_warning for problem in problems):
        return template, problems
    return template, [*problems, *_fit_problems(template)]


def _fit_problems(template: Template) -> Iterator[Problem]:
    for style in template.styles:
        file = str(template.folder / template.style_file(style))
        for lang in LANGUAGES:
            page = template.fill({}, lang, style=style)
            if page.meta["fitted"]:
                names = ", ".join(page.meta["fitted"])
                yield Problem(file, 0, f"example texts ({lang}) do not fit at full size: {names}.", is_warning=True)
        if truncated := _truncated_at_maximum_length(template, style):
            message = f"truncated at their max_length, even at the smallest font size: {', '.join(truncated)}."
            yield Problem(file, 0, message, is_warning=True)


def _truncated_at_maximum_length(template: Template, style: str) -> list[str]:
    texts = {key.name: _long_text(key.max_length) for key in template.keys if key.format == "text"}
    return template.truncated(texts, style)


def _long_text(length: int) -> str:
    return (SAMPLE_WORDS * (length // len(SAMPLE_WORDS) + 1))[:length].strip()
