"""Fenced code blocks."""

import re


def fenced_code(text: str, language: str) -> str:
    """Return a fenced code block (CommonMark 4.5)."""
    longest = max((len(run) for run in re.findall(r"(?m)^\s*(`{3,})", text)), default=2)
    fence = "`" * (longest + 1)
    body = text.removesuffix("\n")
    return f"{fence}{language}\n{body}\n{fence}" if text else f"{fence}{language}\n{fence}"
