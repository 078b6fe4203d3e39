"""Generated delimited texts: columns of one kind of cell each, with some cells of other kinds."""

from hypothesis import strategies as st

CELLS: dict[str, st.SearchStrategy[str]] = {
    "integers": st.integers(-(10**19), 10**19).map(str),
    "small integers": st.integers(-20, 20).map(str),
    "padded": st.integers(0, 999).map("{:05}".format),
    "numbers": st.decimals(-(10**6), 10**6, places=2).map(str),
    "thousandths": st.decimals(-2000, 2000, places=3).map(str),
    "floats": st.floats(allow_nan=False, allow_infinity=False).map(repr),
    "fractions": st.floats(-1, 1).map(repr),
    "odd numbers": st.sampled_from(
        ["0", "-0", "-0.0", "00", "0.0", ".5", "5.", "-", "1,5", "1.000", "1e3", "+1", "0.00001", "1.000.000", "-7.10"]
    ),
    "dates": st.dates().map(str),
    "odd dates": st.sampled_from(
        ["2024-02-30", "2023-02-29", "2024-02-29", "0000-01-01", "2024-2-1", "31.12.2024", "01/02/2024", "12:30"]
    ),
    "datetimes": st.datetimes().map(lambda moment: moment.isoformat(" ", "seconds")),
    "more datetimes": st.datetimes().map(lambda moment: moment.isoformat()),
    "booleans": st.sampled_from(["true", "false", "TRUE", "False"]),
    "words": st.sampled_from(["yes", "no", "sí", "oui", "non", "ja", "nein"]),
    "texts": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12),
    "letters": st.text("abc é\u4e16\U0001f600", max_size=30),
    "nulls": st.sampled_from(["", "NA", "n/a", "NULL", "-", " ", "nan"]),
}


ODDITIES = {
    "blank line": [""],
    "two blank lines": ["", ""],
    "spaces": ["  "],
    "title": ["Report of 2024"],
    "short row": ["1"],
    "quoted title": ['"A title, quoted"', '""'],
    "row of two": ["1|2"],
    "long row": ["1|2|3|4|5|6"],
    "inch marks": ['5" pipe|2', '1|a 5"|6 "big" ones'],
    "inch marks in quotes": ['"5"" pipe|a"|5" pipe', "x|y"],
}
"""Lines that are not like the others, by what they are; `|` is the delimiter."""


def quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if any(mark in cell for mark in '",;\t|\r\n') else cell


@st.composite
def tables(draw: st.DrawFn) -> str:
    """Draw a delimited text: each column has cells of one kind, and some of other kinds; some lines are odd."""
    rows = draw(st.integers(1, 12))
    kinds = st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=3, unique=True)
    columns = []
    for _ in range(draw(st.integers(2, 4))):
        cell = st.one_of(*(CELLS[kind] for kind in draw(kinds)))
        columns.append(draw(st.lists(cell, min_size=rows, max_size=rows)))
    if draw(st.booleans()):
        columns = [[f"name{place}", *cells] for place, cells in enumerate(columns)]
    delimiter, newline = draw(st.sampled_from(",;\t|")), draw(st.sampled_from(["\n", "\r\n"]))
    lines = [delimiter.join(map(quoted, row)) for row in zip(*columns, strict=True)]
    for oddity in draw(st.lists(st.sampled_from(sorted(ODDITIES)), max_size=2)):
        place = draw(st.integers(0, len(lines)))
        lines[place:place] = [line.replace("|", delimiter) for line in ODDITIES[oddity]]
    return newline.join(lines) + draw(st.sampled_from(["", newline]))
