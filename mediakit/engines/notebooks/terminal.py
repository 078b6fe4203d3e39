"""Text of a terminal: carriage returns, backspaces and colors (ECMA-48), as plain text or as HTML."""

import re
from html import escape

COLORS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")

_SEQUENCE = re.compile(
    r"\x1b\[([0-9;:]*)m"  # colors and styles
    r"|\x1b\[[0-?]*[ -/]*[@-~]"  # other control sequences, such as to erase a line
    r"|\x1b\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)"  # links and titles
    r"|\x1b[ -/]*[0-~]?|\x9b[0-?]*[ -/]*[@-~]"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_ON = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "inverse", 9: "strike", 21: "underline"}
_OFF = {22: ("bold", "dim"), 23: ("italic",), 24: ("underline",), 27: ("inverse",), 29: ("strike",)}
_OFF |= {39: ("color",), 49: ("background",)}
_CUBE = (0, 95, 135, 175, 215, 255)

Style = dict[str, str]
"""What is set: the names of styles, and `color` and `background`, whose values are `red`, `bright-red` or `#rrggbb`."""


def plain_text(text: str) -> str:
    """Return text as a terminal shows it, without colors."""
    return _CONTROLS.sub("", _SEQUENCE.sub("", _overwrite(text)))


def terminal_html(text: str) -> str:
    """Return text as HTML as a terminal shows it, with its colors and styles.

    Styles and named colors are classes, such as `ansi-bold`, `ansi-red` and `ansi-bg-bright-blue`, which a page
    defines. Other colors are inline.
    """
    text = _overwrite(text)
    parts, style, position = [], Style(), 0
    for match in _SEQUENCE.finditer(text):
        parts.append(_run(style, text[position : match.start()]))
        position = match.end()
        if match[1] is not None:
            _apply(style, match[1])
    return "".join((*parts, _run(style, text[position:])))


def _run(style: Style, text: str) -> str:
    """Return text of one style as HTML."""
    shown = escape(_CONTROLS.sub("", text), quote=False)
    if not style or not shown:
        return shown
    classes: list[str] = [name for name in ("bold", "dim", "italic", "underline", "strike") if name in style]
    color, background = style.get("color", ""), style.get("background", "")
    if "inverse" in style:
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
    return f"<span{attributes}>{shown}</span>" if attributes else shown


def _overwrite(text: str) -> str:
    """Return text whose carriage returns and backspaces have taken effect."""
    if "\r" not in text and "\b" not in text:
        return text
    return "\n".join(map(_overwrite_line, text.replace("\r\n", "\n").split("\n")))


def _overwrite_line(line: str) -> str:
    kept: list[str] = []
    for character in line if "\b" in line else ():
        if character != "\b":
            kept.append(character)
        elif kept and kept[-1] != "\r":
            kept.pop()
    line = "".join(kept) if "\b" in line else line
    if "\r" not in line:
        return line
    parts = [part for part in line.split("\r") if part]
    if "\x1b" in line:  # the columns of colored text are unknown: the last part replaces the others
        return parts[-1] if parts else ""
    shown = ""
    for part in reversed(parts):  # a longer text sticks out behind the one that overwrote it
        shown += part[len(shown) :]
    return shown


def _apply(style: Style, parameters: str) -> None:
    """Change a style by the parameters of a control sequence (Select Graphic Rendition)."""
    codes = [int(code[:4]) if code else 0 for code in re.split("[;:]", parameters)[:64]]
    while codes:
        code = codes.pop(0)
        tens, index = divmod(code, 10)
        target = "color" if tens in (3, 9) else "background"
        if code == 0:
            style.clear()
        elif code in _ON:
            style[_ON[code]] = ""
        elif code in _OFF:
            for name in _OFF[code]:
                style.pop(name, None)
        elif code in (38, 48):
            style[target] = _extended(codes)
        elif tens in (3, 4, 9, 10) and index < len(COLORS):
            style[target] = COLORS[index] if tens < 9 else f"bright-{COLORS[index]}"


def _extended(codes: list[int]) -> str:
    """Return the color of `38;5;N` or `38;2;R;G;B`, and remove its codes."""
    kind = codes.pop(0) if codes else 0
    if kind == 5 and codes:
        index = min(255, codes.pop(0))
        if index < 16:
            return COLORS[index] if index < 8 else f"bright-{COLORS[index - 8]}"
        level = 8 + 10 * (index - 232)
        cube = (_CUBE[(index - 16) // 36], _CUBE[(index - 16) // 6 % 6], _CUBE[(index - 16) % 6]) if level < 8 else ()
        return "#{:02x}{:02x}{:02x}".format(*(cube or [level] * 3))
    if kind == 2:
        rgb = [min(255, code) for code in codes[:3]]
        del codes[:3]
        return "#{:02x}{:02x}{:02x}".format(*rgb) if len(rgb) == 3 else ""
    return ""
