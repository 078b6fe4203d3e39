"""Icons of the themes of table images, as CSS backgrounds."""

from collections.abc import Mapping
from urllib.parse import quote

from mediakit.tools.images.table_image.theme import THEMES, Theme


def theme_icons() -> Mapping[str, str]:
    """Return an icon of each theme: a header and three rows."""
    return {name: f"url(data:image/svg+xml,{quote(_icon(theme))}) center/cover" for name, theme in THEMES.items()}


def _icon(theme: Theme) -> str:
    rows = "".join(_row(theme, number) for number in range(3))
    header = f'<path fill="{theme.header}" d="M0 0h36v10H0z"/>' if theme.header else ""
    columns = f'<path stroke="{theme.rule}" d="M18 0v36"/>' if theme.has_columns else ""
    background = f'<path fill="{theme.background}" d="M0 0h36v36H0z"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">{background}'
        f'{header}{rows}{columns}<path stroke="{theme.frame}" stroke-width="{theme.frame_width}" d="M3 10h30"/>'
        f'<path stroke="{theme.strong}" stroke-width="2" d="M5 6h9M23 6h8"/></svg>'
    )


def _row(theme: Theme, number: int) -> str:
    top = 11 + 8 * number
    band = f'<path fill="{theme.band}" d="M0 {top}h36v8H0z"/>' if theme.band and number % 2 else ""
    rule = f'<path stroke="{theme.rule}" d="M3 {top + 8}h30"/>' if theme.has_rules else ""
    texts = f"M5 {top + 4}h11M25 {top + 4}h6"
    return f'{band}<path stroke="{theme.text}" stroke-opacity=".75" stroke-width="1.5" d="{texts}"/>{rule}'
