"""The look of each theme: fonts, sizes and colors."""

from collections.abc import Mapping
from dataclasses import dataclass

from mediakit.engines.rich_text.page import Theme


@dataclass(frozen=True)
class Look:
    """Fonts, sizes in points, and colors as six hexadecimal digits."""

    body_font: str
    heading_font: str
    code_font: str
    size: float
    heading_sizes: tuple[float, float, float, float, float, float]
    title_size: float
    line_spacing: float
    """Line height as a multiple of single spacing."""
    paragraph_gap: float
    """Space after a paragraph, in points."""
    text: str
    heading: str
    muted: str
    link: str
    accent: str
    code_background: str
    table_border: str
    table_header: str
    table_header_text: str
    heading_rule: str | None = None
    """Color of the line below headings of levels 1 and 2."""


LOOKS: Mapping[Theme, Look] = {
    "plain": Look(
        body_font="Calibri",
        heading_font="Calibri",
        code_font="Consolas",
        size=11,
        heading_sizes=(20, 16, 13, 11.5, 11, 11),
        title_size=28,
        line_spacing=1.15,
        paragraph_gap=8,
        text="1F1F1F",
        heading="111111",
        muted="5F6368",
        link="0B57D0",
        accent="9AA0A6",
        code_background="F5F5F5",
        table_border="BDBDBD",
        table_header="F2F2F2",
        table_header_text="111111",
    ),
    "report": Look(
        body_font="Cambria",
        heading_font="Calibri",
        code_font="Consolas",
        size=11,
        heading_sizes=(22, 16, 13, 11.5, 11, 11),
        title_size=32,
        line_spacing=1.25,
        paragraph_gap=9,
        text="222222",
        heading="17365D",
        muted="5A6675",
        link="1F5FA8",
        accent="1F4E79",
        code_background="F4F6F9",
        table_border="B8C4D3",
        table_header="1F4E79",
        table_header_text="FFFFFF",
    ),
    "github": Look(
        body_font="Segoe UI",
        heading_font="Segoe UI",
        code_font="Consolas",
        size=10.5,
        heading_sizes=(21, 16, 13, 11, 10.5, 10),
        title_size=26,
        line_spacing=1.2,
        paragraph_gap=9,
        text="1F2328",
        heading="1F2328",
        muted="59636E",
        link="0969DA",
        accent="D1D9E0",
        code_background="F6F8FA",
        table_border="D1D9E0",
        table_header="F6F8FA",
        table_header_text="1F2328",
        heading_rule="D1D9E0",
    ),
}

ALERT_COLORS: Mapping[str, str] = {
    "note": "0969DA",
    "tip": "1A7F37",
    "important": "8250DF",
    "warning": "9A6700",
    "caution": "CF222E",
}
"""Color of each kind of alert."""

FONT_ALTERNATIVES: Mapping[str, str] = {
    "Calibri": "Carlito",
    "Cambria": "Caladea",
    "Segoe UI": "Helvetica Neue",
    "Consolas": "Menlo",
}
"""Fonts that take the place of missing ones, on systems without Office."""
