"""Text of a terminal: carriage returns, backspaces and colors (ECMA-48), as plain text, styled runs or HTML."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any

_SEQUENCE = re.compile(
    r"\x1b\[([0-9;:]*)m"  # colors and styles
    r"|\x1b\[[0-?]*[ -/]*[@-~]"  # other control sequences, such as to erase a line
    r"|\x1b\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)"  # links and titles
    r"|\x1b[ -/]*[0-~]?|\x9b[0-?]*[ -/]*[@-~]"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

COLORS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_CUBE = (0, 95, 135, 175, 215, 255)


@dataclass(frozen=True)
class TextStyle:
    """Style of a run of text. A color is a name such as `red` or `bright-red`, or `#rrggbb`; empty for the default."""

    color: str = ""
    background: str = ""
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    inverse: bool = False


PLAIN = TextStyle()

_SWITCHES: Mapping[int, Mapping[str, Any]] = {
    1: {"bold": True},
    2: {"dim": True},
    3: {"italic": True},
    4: {"underline": True},
    7: {"inverse": True},
    9: {"strike": True},
    21: {"underline": True},
    22: {"bold": False, "dim": False},
    23: {"italic": False},
    24: {"underline": False},
    27: {"inverse": False},
    29: {"strike": False},
}


def plain_text(text: str) -> str:
    """Return text as a terminal shows it, without colors."""
    return _CONTROLS.sub("", _SEQUENCE.sub("", _overwrite(text)))


def styled_runs(text: str) -> Iterator[tuple[TextStyle, str]]:
    """Yield the runs of text of the same style, as a terminal shows them."""
    text = _overwrite(text)
    style, position = PLAIN, 0
    for match in _SEQUENCE.finditer(text):
        if run := _CONTROLS.sub("", text[position : match.start()]):
            yield style, run
        position = match.end()
        if match[1] is not None:
            style = _apply(style, match[1])
    if run := _CONTROLS.sub("", text[position:]):
        yield style, run


def terminal_html(text: str) -> str:
    """Return text as HTML with its styles.

    Named colors are classes such as `ansi-red` and `ansi-bg-bright-blue`, which a page defines; others are inline.
    """
    return "".join(_run_html(style, escape(run, quote=False)) for style, run in styled_runs(text))


def _run_html(style: TextStyle, text: str) -> str:
    if style == PLAIN:
        return text
    classes = [name for name in ("bold", "dim", "italic", "underline", "strike") if getattr(style, name)]
    color, background = style.color, style.background
    if style.inverse:
        color, background = background, color
        classes.append("inverse")
    inline = []
    for prefix, name, property_name in (("", color, "color"), ("bg-", background, "background-color")):
        if name.startswith("#"):
            inline.append(f"{property_name}:{name}")
        elif name:
            classes.append(f"{prefix}{name}")
    attributes = f' class="{" ".join(f"ansi-{name}" for name in classes)}"' if classes else ""
    attributes += f' style="{";".join(inline)}"' if inline else ""
    return f"<span{attributes}>{text}</span>"


def _overwrite(text: str) -> str:
    """Return text whose carriage returns and backspaces have taken effect."""
    if "\r" not in text and "\b" not in text:
        return text
    return "\n".join(map(_overwrite_line, text.replace("\r\n", "\n").split("\n")))


def _overwrite_line(line: str) -> str:
    if "\b" in line:
        line = _erase(line)
    if "\r" not in line:
        return line
    parts = [part for part in line.split("\r") if part]
    if "\x1b" in line:  # the columns of colored text are unknown: the last part replaces the others
        return parts[-1] if parts else ""
    shown = ""
    for part in reversed(parts):  # a longer text sticks out behind the one that overwrote it
        shown += part[len(shown) :]
    return shown


def _erase(line: str) -> str:
    """Return a line in which each backspace has removed the character before it."""
    kept: list[str] = []
    for character in line:
        if character != "\b":
            kept.append(character)
        elif kept and kept[-1] != "\r":
            kept.pop()
    return "".join(kept)


def _apply(style: TextStyle, parameters: str) -> TextStyle:
    codes = [int(code[:4]) if code else 0 for code in re.split("[;:]", parameters)[:64]]
    while codes:
        code = codes.pop(0)
        if code == 0:
            style = PLAIN
        elif code in _SWITCHES:
            style = replace(style, **_SWITCHES[code])
        elif code in (38, 48):
            color = _extended(codes)
            style = replace(style, color=color) if code == 38 else replace(style, background=color)
        else:
            style = _apply_color(style, code)
    return style


def _apply_color(style: TextStyle, code: int) -> TextStyle:
    tens, index = divmod(code, 10)
    if tens not in (3, 4, 9, 10) or index == 8:
        return style
    name = COLORS[index] if index < len(COLORS) else ""
    name = f"bright-{name}" if tens in (9, 10) and name else name
    return replace(style, color=name) if tens in (3, 9) else replace(style, background=name)


def _extended(codes: list[int]) -> str:
    """Return the color of `38;5;N` or `38;2;R;G;B`, and remove its codes."""
    kind = codes.pop(0) if codes else 0
    if kind == 5 and codes:
        return _indexed(min(255, codes.pop(0)))
    if kind == 2 and len(codes) >= 3:
        rgb = [min(255, code) for code in codes[:3]]
        del codes[:3]
        return "#{:02x}{:02x}{:02x}".format(*rgb)
    return ""


def _indexed(index: int) -> str:
    if index < 16:
        name = COLORS[index % 8]
        return name if index < 8 else f"bright-{name}"
    if index >= 232:
        level = 8 + 10 * (index - 232)
        return f"#{level:02x}{level:02x}{level:02x}"
    red, green, blue = (index - 16) // 36, (index - 16) // 6 % 6, (index - 16) % 6
    return f"#{_CUBE[red]:02x}{_CUBE[green]:02x}{_CUBE[blue]:02x}"
