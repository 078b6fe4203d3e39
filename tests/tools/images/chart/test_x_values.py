"""Labels as positions on an axis of dates, times or numbers."""

import pytest

from mediakit.tools.images.chart.fields import EPOCH, parse_x

DAY = 86400.0


@pytest.mark.parametrize(
    ("labels", "kind", "values"),
    [
        (["1", " -2.5 ", "1e3", "\N{MINUS SIGN}4"], "number", (1, -2.5, 1000, -4)),
        ([3, 2.5], "number", (3, 2.5)),
        (["2024", "2025"], "year", (2024, 2025)),
        (["2024", "2025.5"], "number", (2024, 2025.5)),
        (["1970-01-02", "1970-01-03T12:00"], "time", (DAY, 2.5 * DAY)),
        (["1970-01", "1970-02"], "time", (0, 31 * DAY)),
        (["1970-Q1", "1970Q2"], "time", (0, 90 * DAY)),
        (["1970-01-01 00:00:01.5"], "time", (1.5,)),
        (["1970-01-01T05:00+05:00", "1970-01-02T05:00+05:00"], "time", (5 * 3600, DAY + 5 * 3600)),
        (["1970-01-01T05:00+05:00", "1970-01-02T00:00Z"], "time", (0, DAY)),
        (["0001-01-01T00:00+14:00", "9999-12-31T23:00-12:00"], "time", None),
    ],
)
def test_labels_are_parsed(labels: list[str | float], kind: str, values: tuple[float, ...] | None) -> None:
    found = parse_x(labels)
    assert found.kind == kind
    assert values is None or found.values == pytest.approx(values)


def test_times_are_counted_from_1970() -> None:
    assert EPOCH.isoformat() == "1970-01-01T00:00:00"


@pytest.mark.parametrize(
    "label", ["", "soon", "2025-13-01", "1e400", "nan", "inf", "12:00", "9" * 100 + "x", "0000-01"]
)
def test_other_texts_are_not_positions(label: str) -> None:
    with pytest.raises(ValueError, match="must be a date, a time or a number"):
        parse_x([label])
