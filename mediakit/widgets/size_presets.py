"""Image sizes of social networks and the web, to choose in the form of images."""

from collections.abc import Mapping

import ipywidgets as w

PRESETS: Mapping[str, tuple[int, int]] = {
    "Instagram post": (1080, 1080),
    "Instagram portrait": (1080, 1350),
    "Story or reel": (1080, 1920),
    "Link preview (Open Graph)": (1200, 630),
    "X post": (1600, 900),
    "LinkedIn post": (1200, 627),
    "YouTube thumbnail": (1280, 720),
    "Facebook cover": (820, 312),
    "Full HD": (1920, 1080),
    "Avatar": (400, 400),
}
"""Width and height in pixels."""

CUSTOM = "Custom"


def preset_dropdown() -> w.Dropdown:
    """Return a control whose value is the selected size; an empty tuple if it is not a preset."""
    options: list[tuple[str, tuple[int, ...]]] = [(CUSTOM, ())]
    options += [(f"{name}, {size[0]} × {size[1]}", size) for name, size in PRESETS.items()]
    return w.Dropdown(options=options, value=(), description="size for", style={"description_width": "auto"})


def preset_of(width: str, height: str) -> tuple[int, ...]:
    """Return the preset with a width and height as text; an empty tuple if there is none."""
    return next((size for size in PRESETS.values() if (width, height) == (str(size[0]), str(size[1]))), ())
