"""Draws fields as readers show them: text, choices, buttons, borders."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.pdf.flattening import corners
from mediakit.engines.pdf.forms.fields import (
    OFF,
    Form,
    FormField,
    as_name,
    on_state,
    options_of,
    own_state,
    text_of,
    texts_of,
)
from mediakit.engines.pdf.forms.fonts import (
    Face,
    ShapedFace,
    ShapedTexts,
    SimpleFace,
    StandardFaces,
    Style,
    own_face,
    style_of,
)
from mediakit.engines.pdf.forms.text_layout import (
    LINE_DISTANCE,
    Area,
    DefaultAppearance,
    baseline,
    color_operator,
    lay_out_comb,
    lay_out_line,
    lay_out_paragraphs,
    read_default_appearance,
)
from mediakit.engines.pdf.geometry import is_number, read_numbers, rounded
from mediakit.engines.pdf.objects import delete, dictionary, items, name_of
from mediakit.engines.pdf.page_content import make_form
from mediakit.errors import InvalidInput

RAISED = ("/B", "/I")
"""Styles whose border has a light and a dark edge inside it."""


@dataclass(frozen=True)
class Decoration:
    """The box in which a widget draws, with its origin at the lower left."""

    width: float
    height: float
    rotation: int
    """Degrees counterclockwise: 0, 90, 180 or 270."""
    border: float
    """Width of the border in points."""
    style: str
    """Name of the border's style: `/S` solid, `/D` dashed, `/B` beveled, `/I` inset, `/U` underlined."""
    dashes: tuple[float, ...]
    border_color: object
    background: object

    @property
    def inset(self) -> float:
        """Points that the border covers on each side."""
        return self.border * (2 if self.style in RAISED else 1)

    @property
    def matrix(self) -> list[float]:
        """The matrix that rotates the box."""
        return {
            90: [0, 1, -1, 0, self.height, 0],
            180: [-1, 0, 0, -1, self.width, self.height],
            270: [0, -1, 1, 0, 0, self.width],
        }.get(self.rotation, [1, 0, 0, 1, 0, 0])

    def draw(self, *, is_round: bool = False) -> str:
        """Return the operators that draw background and border."""
        parts = []
        x, y, radius, half = self.width / 2, self.height / 2, min(self.width, self.height) / 2, self.border / 2
        if fill := color_operator(self.background, stroke=False):
            shape = circle(x, y, radius) if is_round else f"0 0 {self.width:g} {self.height:g} re"
            parts.append(f"{fill} {shape} f")
        stroke = color_operator(self.border_color, stroke=True)
        if self.style in RAISED and self.border and not is_round:
            parts.append(self._edges())
        if stroke and self.border:
            if is_round:
                outline = circle(x, y, max(radius - half, 0))
            elif self.style == "/U":
                outline = f"0 {half:g} m {self.width:g} {half:g} l"
            else:
                outline = f"{half:g} {half:g} {self.width - self.border:g} {self.height - self.border:g} re"
            parts.append(f"{stroke} {self.border:g} w {self._dash()}{outline} S")
        return "q " + "\n".join(parts) + " Q" if parts else ""

    def draw_cells(self, count: int) -> str:
        """Return the operators that draw the lines between the cells of a comb."""
        stroke = color_operator(self.border_color, stroke=True)
        if not stroke or not self.border or self.style in RAISED:
            return ""
        cell = self.width / count
        lines = " ".join(f"{cell * at:.3f} 0 m {cell * at:.3f} {self.height:g} l" for at in range(1, count))
        return f"q {stroke} {self.border:g} w {self._dash()}{lines} S Q" if lines else ""

    def _dash(self) -> str:
        return f"[{' '.join(f'{dash:g}' for dash in self.dashes)}] 0 d " if self.style == "/D" else ""

    def _edges(self) -> str:
        """Return the operators that draw the light and the dark edge of a beveled or inset border."""
        upper, lower = ("1 g", "0.5 g") if self.style == "/B" else ("0.5 g", "0.75 g")
        near, far = self.border, 2 * self.border
        right, top = self.width, self.height
        left_top = (
            (near, near), (near, top - near), (right - near, top - near), (right - far, top - far), (far, top - far),
            (far, far),
        )  # fmt: skip
        right_bottom = (
            (right - near, top - near), (right - near, near), (near, near), (far, far), (right - far, far),
            (right - far, top - far),
        )  # fmt: skip
        return f"{upper} {_polygon(left_top)} f {lower} {_polygon(right_bottom)} f"


def decoration_of(widget: pikepdf.Object) -> Decoration | None:
    """Return the box of a widget; None if it has no size."""
    box = corners(widget.get(Name.Rect))
    if box is None or box[2] <= box[0] or box[3] <= box[1]:
        return None
    looks = dictionary(widget.get(Name.MK))
    turn: object = looks.get(Name.R, 0)
    rotation = turn % 360 // 90 * 90 if isinstance(turn, int) else 0
    width, height = box[2] - box[0], box[3] - box[1]
    border, style, dashes = _border(widget)
    if rotation in (90, 270):
        width, height = height, width
    border = min(border, width / 4, height / 4)
    return Decoration(width, height, rotation, border, style, dashes, looks.get(Name.BC), looks.get(Name.BG))


def circle(x: float, y: float, radius: float) -> str:
    """Return the operators of a circle as four curves."""
    bend = radius * 0.552285
    points = [
        (x + radius, y + bend, x + bend, y + radius, x, y + radius),
        (x - bend, y + radius, x - radius, y + bend, x - radius, y),
        (x - radius, y - bend, x - bend, y - radius, x, y - radius),
        (x + bend, y - radius, x + radius, y - bend, x + radius, y),
    ]
    curves = " ".join(" ".join(f"{number:.3f}" for number in curve) + " c" for curve in points)
    return f"{x + radius:.3f} {y:.3f} m {curves} h"


def _border(widget: pikepdf.Object) -> tuple[float, str, tuple[float, ...]]:
    """Return the width, the style and the dashes of a border."""
    given, older = widget.get(Name.BS), items(widget.get(Name.Border))
    width: object = 1
    style, dashes = "/S", [0.0]
    if isinstance(given, Dictionary):
        width, named = given.get(Name.W, 1), given.get(Name.S)
        style, dashes = name_of(named) or "/S", read_numbers(given.get(Name.D))
    elif len(older) >= 3:
        width, dashes = older[2], read_numbers(older[3]) if len(older) > 3 else []
        style = "/D" if dashes else "/S"
    sound = tuple(number for number in dashes if number >= 0)
    points = max(float(width), 0.0) if is_number(width) else 1.0  # type: ignore[arg-type]
    return points, style, sound if any(sound) else (3.0,)


def _polygon(points: tuple[tuple[float, float], ...]) -> str:
    (x, y), *rest = points
    return f"{x:g} {y:g} m " + " ".join(f"{x:g} {y:g} l" for x, y in rest) + " h"


MARKS = {"4": (0.846, 0.705, 0.0), "5": (0.763, 0.7, 0.01), "8": (0.76, 0.7, 0.01), "l": (0.791, 0.707, 0.0),
         "n": (0.761, 0.692, 0.0), "u": (0.788, 0.707, 0.0), "H": (0.816, 0.705, 0.0)}  # fmt: skip
"""Width, height and bottom of marks of ZapfDingbats for a size of 1: check, crosses, circle, square, diamond, star."""

MARK_PART = 0.72
"""Part of a button's smaller side that its mark fills."""


HIGHLIGHT = "0.6 0.75686 0.8549 rg"
"""Background of the selected rows of a list."""

LIST_SIZE = 12.0
"""Points of the text of a list without a size of its own."""


class Appearances:
    """Draws the fields of one form. `finish` must be called after the last one."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self._pdf = form.source.pdf
        self._standard = StandardFaces(self._pdf)
        self._shaped = ShapedTexts(self._pdf)
        self._own: dict[str, SimpleFace | None] = {}

    def prepare(self, fields: Iterable[FormField]) -> None:
        """Check and measure the texts of fields that need embedded fonts at once, which is faster than one by one."""
        texts: dict[Style, list[str]] = {}
        for field in fields:
            text = shown_text(field) if field.type in ("text", "choice") and field.widgets else ""
            look = self._default(field, field.widgets[0]) if text else None
            if look is not None and self._simple_face(look, text) is None:
                texts.setdefault(style_of(look.font, self._font(look)), []).append(text)
        for style, listed in texts.items():
            joined = "\n".join(listed)
            if not self._shaped.missing(joined):
                self._shaped.measure(joined, style)

    def draw(self, field: FormField) -> None:
        """Draw the widgets of a field with its value.

        Raises:
            InvalidInput: No font has a character of the value.
        """
        for index, widget in enumerate(field.widgets):
            box = decoration_of(widget)
            if box is None:
                continue
            if field.type in ("text", "choice"):
                self._draw_text(field, widget, box)
            elif field.type == "list":
                self._draw_list(field, widget, box)
            elif field.type in ("checkbox", "radio"):
                self._draw_states(field, index, widget, box)

    def finish(self) -> None:
        """Embed the fonts of the texts that the fields' own fonts cannot draw."""
        self._shaped.finish()

    def _draw_text(self, field: FormField, widget: pikepdf.Object, box: Decoration) -> None:
        text = shown_text(field)
        resources, parts = Dictionary(), [box.draw()]
        if field.is_comb and field.max_length:
            parts.append(box.draw_cells(field.max_length))
        if text:
            look = self._default(field, widget)
            face = self._face(look, text, field)
            area = Area(box.width, box.height, 2 * max(box.inset, 1.0), field.max_length or 0)
            lay_out = lay_out_comb if field.is_comb else lay_out_paragraphs if field.is_multiline else lay_out_line
            size, lines = lay_out(text, face, look.size, area, self._alignment(field, widget))
            drawn = [face.draw(line, size, x, y, resources) for line, x, y in lines]
            parts.append(_clipped(box, [look.color, *drawn]))
        self._write(widget, box, parts, resources)

    def _draw_list(self, field: FormField, widget: pikepdf.Object, box: Decoration) -> None:
        options, chosen = options_of(field), set(texts_of(field.get(Name.V)))
        look = self._default(field, widget)
        face = self._face(look, "\n".join(option.label for option in options), field)
        size = look.size or LIST_SIZE
        row, top = LINE_DISTANCE * size, box.height - box.inset
        first = first_row(field, int(box.height // row))
        resources, rows = Dictionary(), [f"{look.color}"]
        for option in options[first:]:
            top -= row
            if option.value in chosen:
                rows.append(f"q {HIGHLIGHT} {box.inset:g} {top:.3f} {box.width - 2 * box.inset:.3f} {row:.3f} re f Q")
            rows.append(face.draw(option.label, size, box.inset + 2, top + baseline(face, size, row), resources))
            if top < 0:
                break
        self._write(widget, box, [box.draw(), _clipped(box, rows)], resources)

    def _draw_states(self, field: FormField, index: int, widget: pikepdf.Object, box: Decoration) -> None:
        """Draw the states of a button that has no appearances; others keep their own."""
        if on_state(widget) and isinstance(dictionary(widget.get(Name.AP)).get(Name.N), Dictionary):
            return
        state, look = own_state(field, index), self._default(field, widget)
        mark = text_of(dictionary(widget.get(Name.MK)).get(Name.CA)) or ("l" if field.type == "radio" else "4")
        is_round = field.type == "radio" and mark == "l"
        side = min(box.width, box.height)
        if is_round:
            resources = Dictionary()
            drawn = f"q {look.color} {circle(box.width / 2, box.height / 2, side / 4)} f Q"
        else:
            resources = Dictionary(Font=Dictionary(ZaDb=self._standard.dingbats))
            mark = mark if mark in MARKS else "4"
            width, height, bottom = MARKS[mark]
            size = look.size or MARK_PART * (side - 2 * box.inset) / height
            x, y = (box.width - width * size) / 2, (box.height - height * size) / 2 - bottom * size
            drawn = f"q {look.color} BT /ZaDb {size:.3f} Tf {x:.3f} {y:.3f} Td ({mark}) Tj ET Q"
        background = box.draw(is_round=is_round)
        on, off = self._stream(box, [background, drawn], resources), self._stream(box, [background], Dictionary())
        states = Dictionary()
        states[as_name(state)], states[Name.Off] = on, off
        widget.AP = Dictionary(N=states)
        if Name.AS not in widget:
            widget.AS = as_name(state) if text_of(field.get(Name.V)) == state and state != OFF else Name.Off

    def _face(self, look: DefaultAppearance, text: str, field: FormField) -> Face:
        """Return the face for a text: that of the field, a standard one like it, or one that shapes all scripts."""
        if simple := self._simple_face(look, text):
            return simple
        for character in self._shaped.missing(text):
            raise InvalidInput(f'values.{field.name}: no font here has "{character}" (U+{ord(character):04X}).')
        style = style_of(look.font, self._font(look))
        self._shaped.measure(text, style)
        return ShapedFace(self._shaped, style, mirrored=begins_right_to_left(text))

    def _simple_face(self, look: DefaultAppearance, text: str) -> SimpleFace | None:
        font, plain = self._font(look), text.replace("\n", "")
        if look.font not in self._own:
            self._own[look.font] = own_face(look.font, font)
        faces = (self._own[look.font], self._standard.face(style_of(look.font, font)))
        return next((face for face in faces if face is not None and face.can_draw(plain)), None)

    def _font(self, look: DefaultAppearance) -> pikepdf.Object | None:
        fonts = dictionary(dictionary(self._form.root.get(Name.DR)).get(Name.Font))
        return fonts.get(look.font) if look.font else None

    def _default(self, field: FormField, widget: pikepdf.Object) -> DefaultAppearance:
        return read_default_appearance(widget.get(Name.DA), field.get(Name.DA), self._form.root.get(Name.DA))

    def _alignment(self, field: FormField, widget: pikepdf.Object) -> int:
        """Return 0 for left, 1 for centered, 2 for right, which is the default of right-to-left text."""
        found: list[object] = [widget.get(Name.Q), field.get(Name.Q), self._form.root.get(Name.Q)]
        alignment = next((each for each in found if each is not None), None)
        if alignment is None and begins_right_to_left(shown_text(field)):
            return 2
        return alignment if isinstance(alignment, int) and alignment in (1, 2) else 0

    def _write(self, widget: pikepdf.Object, box: Decoration, parts: Sequence[str], resources: pikepdf.Object) -> None:
        widget.AP = Dictionary(N=self._stream(box, parts, resources))
        delete(widget, "/AS")

    def _stream(self, box: Decoration, parts: Sequence[str], resources: pikepdf.Object) -> pikepdf.Object:
        content = "\n".join(filter(None, parts)).encode("latin-1")
        form = make_form(self._pdf, content, (0, 0, box.width, box.height), resources)
        form.Matrix = Array(rounded(box.matrix))
        return form


def shown_text(field: FormField) -> str:
    """Return the text that a field shows: the label of a choice, asterisks for a password."""
    text = text_of(field.get(Name.V)) or ""
    if field.type == "choice":
        return next((option.label for option in options_of(field) if option.value == text), text)
    if field.is_secret:
        return "*" * len(text)
    return text if field.is_multiline else " ".join(text.split("\n"))


def first_row(field: FormField, rows: int) -> int:
    """Return the index of the first option that a list shows, so that the first selected one is visible."""
    top: object = field.get(Name.TI)
    start = top if isinstance(top, int) and top > 0 else 0
    chosen = set(texts_of(field.get(Name.V)))
    options = options_of(field)
    selected = next((index for index, option in enumerate(options) if option.value in chosen), None)
    if selected is not None and not start <= selected < start + max(rows, 1):
        start = selected
    return min(start, max(len(options) - max(rows, 1), 0))


def _clipped(box: Decoration, parts: Sequence[str]) -> str:
    inset = max(box.inset, 1.0)
    clip = f"{inset:g} {inset:g} {max(box.width - 2 * inset, 0):.3f} {max(box.height - 2 * inset, 0):.3f} re W n"
    return "\n".join(["/Tx BMC q", clip, *filter(None, parts), "Q EMC"])
