"""Source code, configuration and plain-text markup, by the habits of each language.

A language is returned only for several of its signs, and only if no other language has as many: plain text is the
better answer in doubt.
"""

import re
import tomllib
from functools import cache
from itertools import pairwise

from mediakit.engines.file_types.texts.language_signs import CONTAINING_LANGUAGES, REQUIRED_SIGNS, SIGNS

_MAX_LINES = 400
_MAX_LINE_CHARACTERS = 200
"""Patterns may take time that grows with the square of a line, and of blank lines in a row, which are omitted."""

_MIN_SCORE = 2
_FLAGS = re.MULTILINE

_INI_SECTION = re.compile(r"^\[[^\[\]\n]+\]\s*$", _FLAGS)
_INI_VALUE = re.compile(r"^[\w .\-]+\s*=\s*.*$", _FLAGS)
_YAML_LINE = re.compile(r"(?:- .*|-|[\w\"'./-]+:(?: .*)?)$")


def source_type(sample: str) -> str | None:
    """Return the language or format of a text; None for a plain one."""
    lines = sample.splitlines()[:_MAX_LINES]
    text = "\n".join(line[:_MAX_LINE_CHARACTERS] for line in lines if line.strip())
    if found := _configuration(text, sample):
        return found
    scores = {name: sum(bool(sign.search(text)) for sign in signs) for name, signs in _compiled().items()}
    likely = {name: score for name, score in scores.items() if score >= REQUIRED_SIGNS.get(name, _MIN_SCORE)}
    if not likely:
        return None
    best = max(likely.values())
    winners = [name for name, score in likely.items() if score == best]
    return next((name for name in CONTAINING_LANGUAGES if name in winners), winners[0] if len(winners) == 1 else None)


@cache
def _compiled() -> dict[str, list[re.Pattern[str]]]:
    return {name: [re.compile(sign, _FLAGS) for sign in signs] for name, signs in SIGNS.items()}


def _configuration(text: str, sample: str) -> str | None:
    """Return `toml`, `ini` or `yaml` where all lines are of one of them."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("#", ";"))]
    if not lines:
        return None
    if "=" in text and _is_toml(sample):
        return "toml"
    if _INI_SECTION.match(lines[0]) and all(_INI_SECTION.match(line) or _INI_VALUE.match(line) for line in lines):
        return "ini"
    top = [line for line in lines if not line[0].isspace() and line.rstrip() not in ("---", "...")]
    is_yaml = len(top) > 1 and all(_YAML_LINE.match(line) for line in top) and any(":" in line for line in top)
    return "yaml" if is_yaml and (text.startswith("---") or _is_nested(lines)) else None


def _is_nested(lines: list[str]) -> bool:
    """Return whether a key is followed by lines below it."""
    return any(line.rstrip().endswith(":") and (after.startswith((" ", "- "))) for line, after in pairwise(lines))


def _is_toml(sample: str) -> bool:
    try:
        return bool(tomllib.loads(sample))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return False
