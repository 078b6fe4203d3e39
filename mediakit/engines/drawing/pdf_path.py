"""SVG path data as path operators of PDF (ISO 32000-2, 8.5.2)."""

import math
import re
from collections.abc import Iterator
from functools import lru_cache

from mediakit.engines.drawing.typeface import Weight, typeface

COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
NUMBER = re.compile(r"-?\d*\.?\d+")
BEYOND_LINES, BEYOND_DOTS = re.compile(r"[^-\d. MLz]"), re.compile(r"[^-\d. Mh]")
CIRCLE = re.compile(r"a([\d.]+) \1 0 1 1 0 ([\d.]+)a\1 \1 0 1 1 0 -\2z")
"""A circle from its highest point on."""
CIRCLE_HANDLE = 4 / 3 * (math.sqrt(2) - 1)
"""Length of the handles of a quarter of a circle, relative to its radius."""
POLYGON_TOLERANCE = 0.125
"""Distance of a curved edge and the line in place of it, in pixels; of PDFium."""
DOT_LENGTH = 0.01
"""Length of a line with round ends that is a dot: PDFium lengthens lines without length by a pixel."""
PARAMETERS = {"M": 2, "L": 2, "H": 1, "V": 1, "A": 7, "Z": 0}
"""Numbers of each command."""

Point = tuple[float, float]


def path_operators(path: str) -> str:
    """Return the operators that construct the path of a `Shape`.

    Raises:
        ValueError: The path has another command, or arcs that are not circular.
    """
    parts = path.split("M")[1:]
    if not BEYOND_LINES.search(path) and path.count(" ") == path.count("M") + path.count("L"):
        return "\n".join(map(_line_operators, parts))
    if not BEYOND_DOTS.search(path) and all(part.endswith("h0") for part in parts):
        return "\n".join(_dot_operators(part[:-2]) for part in parts)
    turn = parts[0][parts[0].find("a") :] if parts else ""
    if (circle := CIRCLE.fullmatch(turn)) and all(part.endswith(turn) for part in parts):
        radius = float(circle[1])
        return "\n".join(_circle_operators(part[: -len(turn)], radius) for part in parts)
    return "\n".join(_operators(path))


@lru_cache(maxsize=64)
def dot_width(diameter: float) -> float:
    """Return the width of a line whose round ends are a dot of the same area as a circle.

    PDFium draws round ends as polygons inside of the circle, whose corners have equal angles except for the last one.
    """
    radius = diameter / 2
    for _ in range(2):
        step = 2 * math.acos(radius / (radius + POLYGON_TOLERANCE))
        count = math.ceil((math.pi - step / 4) / step)
        area = (count - 1) * math.sin(step)
        radius = diameter / 2 * math.sqrt(math.pi / (area + math.sin(math.pi - (count - 1) * step)))
    return 2 * radius


def _line_operators(part: str) -> str:
    """Return the operators of a line through points, `x yLx yLx y`; it can be closed."""
    points = part.removesuffix("z").split("L")
    lines = [f"{points[0]} m", *(f"{point} l" for point in points[1:])]
    if part.endswith("z"):
        lines.append(f"{points[-1]} {points[0]} {points[0]} c\nh")  # see `_close`
    return "\n".join(lines)


def _dot_operators(point: str) -> str:
    x, y = point.split(" ")
    return f"{point} m\n{float(x) + DOT_LENGTH:.2f} {y} l"


def _circle_operators(top: str, radius: float) -> str:
    """Return the operators of a circle; `top` is its highest point."""
    x, y = map(float, top.split(" "))
    y += radius
    near, far = CIRCLE_HANDLE * radius, radius
    return (
        f"{x:.2f} {y - far:.2f} m\n"
        f"{x + near:.2f} {y - far:.2f} {x + far:.2f} {y - near:.2f} {x + far:.2f} {y:.2f} c\n"
        f"{x + far:.2f} {y + near:.2f} {x + near:.2f} {y + far:.2f} {x:.2f} {y + far:.2f} c\n"
        f"{x - near:.2f} {y + far:.2f} {x - far:.2f} {y + near:.2f} {x - far:.2f} {y:.2f} c\n"
        f"{x - far:.2f} {y - near:.2f} {x - near:.2f} {y - far:.2f} {x:.2f} {y - far:.2f} c\nh"
    )


def glyph_operators(char: str, weight: Weight) -> str:
    """Return the operators of a character of the bundled typeface, in font units; y grows downwards."""
    operators = []
    for contour in typeface(weight).contours(char):
        (x, y), *steps = contour
        operators.append(f"{x} {y} m")
        for step in steps:
            end = x + step[-2], y + step[-1]
            operators.append(_quadratic((x, y), (x + step[0], y + step[1]), end) if len(step) == 4 else _line(end))
            x, y = end
        operators.append(_close((x, y), (contour[0][0], contour[0][1])))
    return "\n".join(operators).replace(".00", "")


def _operators(path: str) -> Iterator[str]:
    start = point = (0.0, 0.0)
    for command, text in COMMAND.findall(path):
        name, numbers = command.upper(), [float(number) for number in NUMBER.findall(text)]
        if name not in PARAMETERS or len(numbers) != PARAMETERS[name]:
            raise ValueError(f"path: {command}{text} cannot be converted.")
        if name == "Z":
            yield _close(point, start)
            point = start
            continue
        end = _end(name, numbers, point, is_relative=command != name)
        if name == "M":
            start = end
            yield f"{end[0]:.2f} {end[1]:.2f} m"
        elif name == "A":
            yield from _arc(point, end, numbers)
        else:
            yield _line(end)
        point = end


def _end(name: str, numbers: list[float], point: Point, *, is_relative: bool) -> Point:
    """Return where a command ends."""
    x, y = point if is_relative else (0.0, 0.0)
    if name == "H":
        return x + numbers[0], point[1]
    if name == "V":
        return point[0], y + numbers[0]
    return x + numbers[-2], y + numbers[-1]


def _line(end: Point) -> str:
    return f"{end[0]:.2f} {end[1]:.2f} l"


def _close(point: Point, start: Point) -> str:
    """Close a path with a straight curve in place of a line: PDFium rounds rectangles of lines to whole pixels."""
    return f"{_curve(point, start, start)}\nh"


def _curve(first: Point, second: Point, end: Point) -> str:
    """Return a cubic Bézier curve."""
    return f"{first[0]:.2f} {first[1]:.2f} {second[0]:.2f} {second[1]:.2f} {end[0]:.2f} {end[1]:.2f} c"


def _quadratic(start: Point, control: Point, end: Point) -> str:
    """Return a quadratic Bézier curve as a cubic one."""
    first, second = (((edge[0] + 2 * control[0]) / 3, (edge[1] + 2 * control[1]) / 3) for edge in (start, end))
    return _curve(first, second, end)


def _arc(start: Point, end: Point, numbers: list[float]) -> Iterator[str]:
    """Return the curves of a circular arc (SVG 2, B.2.4), of at most a quarter of the circle each."""
    radius, other_radius, _, large, sweep = numbers[:5]
    if radius != other_radius:
        raise ValueError(f"path: arcs must be circular, got the radii {radius:g} and {other_radius:g}.")
    x, y = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    half = math.hypot(x, y)
    if not half:
        return
    radius = max(radius, half)
    factor = math.sqrt(max(0.0, radius * radius - half * half)) / half * (-1 if large == sweep else 1)
    center = (start[0] + end[0]) / 2 + factor * y, (start[1] + end[1]) / 2 - factor * x
    angle = math.atan2(start[1] - center[1], start[0] - center[0])
    turn = math.atan2(end[1] - center[1], end[0] - center[0]) - angle
    if sweep and turn < 0:
        turn += math.tau
    elif not sweep and turn > 0:
        turn -= math.tau
    yield from _circle_curves(center, radius, angle, turn)


def _circle_curves(center: Point, radius: float, angle: float, turn: float) -> Iterator[str]:
    """Yield curves along a circle from an angle on; angles are in radians."""
    count = max(1, math.ceil(abs(turn) / (math.pi / 2) - 1e-6))
    step = turn / count
    handle = 4 / 3 * math.tan(step / 4)
    for number in range(count):
        first, last = angle + number * step, angle + (number + 1) * step
        cos, sin, last_cos, last_sin = math.cos(first), math.sin(first), math.cos(last), math.sin(last)
        yield _curve(
            (center[0] + radius * (cos - handle * sin), center[1] + radius * (sin + handle * cos)),
            (center[0] + radius * (last_cos + handle * last_sin), center[1] + radius * (last_sin - handle * last_cos)),
            (center[0] + radius * last_cos, center[1] + radius * last_sin),
        )
