"""Charts of Office documents as tables: their title, categories and series (ISO/IEC 29500-1, 21.2)."""

from lxml.etree import _Element as Element

CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_TEXT = "{http://schemas.openxmlformats.org/drawingml/2006/main}t"
_PARAGRAPH = "{http://schemas.openxmlformats.org/drawingml/2006/main}p"

MAX_POINTS = 10_000
MAX_SERIES = 100


def chart_title(chart: Element) -> str:
    """Return the title of a chart. Empty if it has none."""
    title = chart.find(f"{CHART}chart/{CHART}title")
    if title is None:
        return ""
    paragraphs = ("".join(text.text or "" for text in line.iter(_TEXT)) for line in title.iter(_PARAGRAPH))
    written = " ".join(" ".join(paragraphs).split())
    return written or " ".join(value.text or "" for value in title.iter(f"{CHART}v"))


def chart_rows(chart: Element) -> list[list[str]]:
    """Return the cached values of a chart as rows: the names of the series, then a row for each category."""
    series = [each for _, each in zip(range(MAX_SERIES), chart.iter(f"{CHART}ser"), strict=False)]
    if not series:
        return []
    names = [_series_name(each, number) for number, each in enumerate(series, 1)]
    categories = next((found for each in series if (found := _points(each, "cat", "xVal"))), {})
    values = [_points(each, "val", "yVal") for each in series]
    indexes = sorted({*categories, *(index for points in values for index in points)})
    rows = [[categories.get(index, ""), *(points.get(index, "") for points in values)] for index in indexes]
    return [["", *names], *rows]


def _series_name(series: Element, number: int) -> str:
    text = series.find(f"{CHART}tx")
    name = "" if text is None else " ".join(value.text or "" for value in text.iter(f"{CHART}v"))
    return name or f"Series {number}"


def _points(series: Element, *names: str) -> dict[int, str]:
    """Return the cached points of a series by index. Categories with several levels are joined, outermost first."""
    for name in names:
        holder = series.find(f"{CHART}{name}")
        if holder is None:
            continue
        levels = list(holder.iter(f"{CHART}lvl"))
        return _joined_levels(levels) if levels else _level(holder)
    return {}


def _level(holder: Element) -> dict[int, str]:
    points: dict[int, str] = {}
    for point in holder.iter(f"{CHART}pt"):
        index = point.get("idx") or ""
        if index.isascii() and index.isdigit() and len(index) < 7 and len(points) < MAX_POINTS:
            points[int(index)] = _number(point.findtext(f"{CHART}v") or "")
    return points


def _joined_levels(levels: list[Element]) -> dict[int, str]:
    inner = _level(levels[0])
    outer = [sorted(_level(level).items()) for level in levels[:0:-1]]
    return {index: " ".join((*(_at(points, index) for points in outer), text)).strip() for index, text in inner.items()}


def _at(points: list[tuple[int, str]], index: int) -> str:
    """Return the text of an outer level: the last one at or before an index."""
    return next((text for start, text in reversed(points) if start <= index), "")


def _number(text: str) -> str:
    """Return a stored number without the noise of its last digits: `0.30000000000000004` is 0.3."""
    if len(text) < 16:
        return text
    try:
        return f"{float(text):.15g}"
    except ValueError:
        return text
