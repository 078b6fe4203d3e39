"""Draws the appearances of fields, so that every viewer shows their values."""

from collections.abc import Iterable, Sequence

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.pdf.forms.button_appearance import draw_button
from mediakit.engines.pdf.forms.decoration import Decoration, decoration_of
from mediakit.engines.pdf.forms.default_appearance import DefaultAppearance, read_default_appearance
from mediakit.engines.pdf.forms.faces import Face, SimpleFace, StandardFaces, Style, own_face, style_of
from mediakit.engines.pdf.forms.field import FormField, text_of, texts_of
from mediakit.engines.pdf.forms.names import as_name
from mediakit.engines.pdf.forms.options import OFF, on_state, options_of, own_state
from mediakit.engines.pdf.forms.shaped_faces import ShapedFace, ShapedTexts
from mediakit.engines.pdf.forms.text_layout import (
    LINE_DISTANCE,
    Area,
    TextLayout,
    baseline,
    lay_out_comb,
    lay_out_line,
    lay_out_paragraphs,
)
from mediakit.engines.pdf.forms.tree import Form
from mediakit.engines.pdf.objects import dictionary
from mediakit.errors import InvalidInput

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
            layout = _layout(field, face, look.size, box, self._alignment(field, widget))
            parts.append(_text_block(layout, face, look, box, resources))
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
        state = own_state(field, index)
        states = Dictionary()
        look = self._default(field, widget)
        for name, is_on in ((as_name(state), True), (Name.Off, False)):
            content, resources = draw_button(
                widget, box, look, self._standard.dingbats(), is_radio=field.type == "radio", is_on=is_on
            )
            states[name] = self._stream(box, [content], resources)
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
        found: object = field.of_widget(widget, Name.Q)
        alignment: object = self._form.root.get(Name.Q) if found is None else found
        if alignment is None and begins_right_to_left(shown_text(field)):
            return 2
        return alignment if isinstance(alignment, int) and alignment in (1, 2) else 0

    def _write(self, widget: pikepdf.Object, box: Decoration, parts: Sequence[str], resources: pikepdf.Object) -> None:
        widget.AP = Dictionary(N=self._stream(box, parts, resources))
        if Name.AS in widget:
            del widget.AS

    def _stream(self, box: Decoration, parts: Sequence[str], resources: pikepdf.Object) -> pikepdf.Object:
        content = "\n".join(filter(None, parts)).encode("latin-1")
        return self._pdf.make_stream(
            content,
            Type=Name.XObject,
            Subtype=Name.Form,
            BBox=Array([0, 0, round(box.width, 4), round(box.height, 4)]),
            Matrix=Array([round(number, 4) for number in box.matrix]),
            Resources=resources,
        )


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


def _layout(field: FormField, face: Face, size: float, box: Decoration, alignment: int) -> TextLayout:
    text = shown_text(field)
    area = Area(box.width, box.height, 2 * max(box.inset, 1.0), field.max_length or 0)
    if field.is_comb:
        return lay_out_comb(text, face, size, area, alignment)
    if field.is_multiline:
        return lay_out_paragraphs(text, face, size, area, alignment)
    return lay_out_line(text, face, size, area, alignment)


def _text_block(
    layout: TextLayout, face: Face, look: DefaultAppearance, box: Decoration, resources: pikepdf.Object
) -> str:
    drawn = [face.draw(line.text, layout.size, line.x, line.y, resources) for line in layout.lines]
    return _clipped(box, [look.color, *drawn])


def _clipped(box: Decoration, parts: Sequence[str]) -> str:
    inset = max(box.inset, 1.0)
    clip = f"{inset:g} {inset:g} {max(box.width - 2 * inset, 0):.3f} {max(box.height - 2 * inset, 0):.3f} re W n"
    return "\n".join(["/Tx BMC q", clip, *filter(None, parts), "Q EMC"])
