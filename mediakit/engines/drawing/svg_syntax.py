"""Numbers and points in the syntax of SVG."""


def svg_number(value: float) -> str:
    """Return a number in SVG syntax, rounded to two decimal places."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def svg_point(x: float, y: float) -> str:
    """Return a point in SVG path syntax."""
    return f"{svg_number(x)} {svg_number(y)}"
