"""The appearances of check boxes and radio buttons that have none."""

import pikepdf
from pikepdf import Dictionary, Name

from mediakit.engines.pdf.forms.decoration import Decoration, circle
from mediakit.engines.pdf.forms.default_appearance import DefaultAppearance
from mediakit.engines.pdf.forms.field import text_of
from mediakit.engines.pdf.objects import dictionary

MARKS = {"4": (0.846, 0.705, 0.0), "5": (0.763, 0.7, 0.01), "8": (0.76, 0.7, 0.01), "l": (0.791, 0.707, 0.0),
         "n": (0.761, 0.692, 0.0), "u": (0.788, 0.707, 0.0), "H": (0.816, 0.705, 0.0)}  # fmt: skip
"""Width, height and bottom of marks of ZapfDingbats for a size of 1: check, crosses, circle, square, diamond, star."""

MARK_PART = 0.72
"""Part of a button's smaller side that its mark fills."""


def draw_button(
    widget: pikepdf.Object,
    box: Decoration,
    look: DefaultAppearance,
    dingbats: pikepdf.Object,
    *,
    is_radio: bool,
    is_on: bool,
) -> tuple[str, pikepdf.Object]:
    """Return the operators and the resources of a state."""
    mark = text_of(dictionary(widget.get(Name.MK)).get(Name.CA)) or ("l" if is_radio else "4")
    is_round = is_radio and mark == "l"
    parts, resources = [box.draw(is_round=is_round)], Dictionary()
    if is_on and is_round:
        parts.append(f"q {look.color} {circle(box.width / 2, box.height / 2, min(box.width, box.height) / 4)} f Q")
    elif is_on:
        resources = Dictionary(Font=Dictionary(ZaDb=dingbats))
        parts.append(_mark(mark if mark in MARKS else "4", box, look))
    return "\n".join(filter(None, parts)), resources


def _mark(mark: str, box: Decoration, look: DefaultAppearance) -> str:
    width, height, bottom = MARKS[mark]
    size = look.size or MARK_PART * (min(box.width, box.height) - 2 * box.inset) / height
    x, y = (box.width - width * size) / 2, (box.height - height * size) / 2 - bottom * size
    return f"q {look.color} BT /ZaDb {size:.3f} Tf {x:.3f} {y:.3f} Td ({mark}) Tj ET Q"
