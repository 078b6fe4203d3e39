"""The form of `image_watermark`: the editor shows the mark where the result has it."""

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

import mediakit
from mediakit.samples import LANDSCAPE, LOGO
from mediakit.widgets.tools.images import WatermarkForm
from tests.widgets.test_form import errors, upload, wait_for_update


def gray_image(width: int = 400, height: int = 200) -> bytes:
    Image.new("RGB", (width, height), "#808080").save(file := io.BytesIO(), "PNG")
    return file.getvalue()


def pixels(content: bytes) -> Any:
    with Image.open(io.BytesIO(content)) as image:
        return np.asarray(image.convert("L")).astype(int)


def marked(**values: Any) -> WatermarkForm:
    form = mediakit.form("image_watermark", **values)
    assert isinstance(form, WatermarkForm)
    wait_for_update(form)
    return form


def test_editor_shows_image_and_mark_of_the_result() -> None:
    form = marked(file=gray_image(), text="Tea", position="left top", margin_pct=10)
    editor = form._editor
    assert (editor.width, editor.height, editor.margin) == (400, 200, 20)
    assert editor.box == form.result.meta["box"]
    left, top, width, height = editor.box
    assert (left, top) == (20, 20)
    changed = np.abs(pixels(editor.marked) - pixels(editor.image)) > 40
    assert changed[top : top + height, left : left + width].any()
    changed[top : top + height, left : left + width] = False
    assert not changed.any()


@pytest.mark.parametrize(("position", "corner"), [("center", (1, 1)), ("left bottom", (0, 2)), ("right top", (2, 0))])
def test_dragged_mark_sets_position_and_result(position: str, corner: tuple[int, int]) -> None:
    form = marked(file=gray_image(), text="Tea", margin_pct=0)
    form._editor.position = position
    wait_for_update(form)
    assert form.values["position"] == position
    assert f'position="{position}"' in form.code()
    left, top, width, height = form._editor.box
    free = 400 - width, 200 - height
    assert (left, top) == tuple((0, side // 2, side)[third] for third, side in zip(corner, free, strict=True))


def test_slider_and_field_set_the_same_size() -> None:
    form = marked(file=gray_image(), mark=LOGO)
    assert (form._editor.size_pct, form._editor.box[2]) == (25, 50)
    form._editor.size_pct = 60
    wait_for_update(form)
    assert form.values["size_pct"] == 60
    assert (form._editor.box_size_pct, form._editor.box[2]) == (60, 120)
    form.fields["size_pct"].control.value = 10
    form.fields["position"].control.value = "top"
    wait_for_update(form)
    assert (form._editor.size_pct, form._editor.position, form._editor.box[2]) == (10, "top", 20)


def test_repeated_mark_has_no_position() -> None:
    form = marked(file=gray_image(), text="Tea", tile=True)
    assert form._editor.is_tiled
    assert form._editor.box == []
    assert (np.abs(pixels(form._editor.marked) - pixels(form._editor.image)) > 40).any()


def test_image_without_a_mark_or_an_invalid_image() -> None:
    form = marked(file=LANDSCAPE)
    assert (form._editor.width, form._editor.height) == (1600, 1000)
    assert form._editor.image
    assert form._editor.marked == b""
    upload(form, "broken.png", b"no image")
    wait_for_update(form)
    assert form._editor.image == form._editor.marked == b""
    form.fields["text"].control.value = "Tea"
    wait_for_update(form)
    assert list(errors(form)) == ["file"]
