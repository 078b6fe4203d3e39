"""Numbers and points in the syntax of SVG."""

from collections.abc import Iterable


def svg_number(value: float) -> str:
    """Return a number in SVG syntax, rounded to two decimal places."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def svg_point(x: float, y: float) -> str:
    """Return a point in SVG path syntax."""
    return f"{svg_number(x)} {svg_number(y)}"


def svg_points(points: Iterable[tuple[float, float]], separator: str) -> str:
    """Return points in SVG path syntax with a text between them, as `svg_point` writes them but in less time."""
    text = separator.join(["%.2f %.2f" % point for point in points])  # noqa: UP031  # takes half as long
    text = text.replace("-0.00", "0.00").replace(".00", "")
    for digit in "123456789":
        text = text.replace(f".{digit}0", f".{digit}")
    return text
