"""Text of a terminal as HTML: colors are classes of the page's style sheet, or inline where they have no name."""

from html import escape

from mediakit.engines.notebooks.terminal import PLAIN, TextStyle, styled_runs


def terminal_html(text: str) -> str:
    """Return text as HTML, with its colors and styles."""
    return "".join(_run(style, escape(run, quote=False)) for style, run in styled_runs(text))


def _run(style: TextStyle, text: str) -> str:
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
    return f"<span{attributes}>{text}</span>" if attributes else text
