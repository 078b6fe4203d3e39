"""The form of `image_compare`: the slider shows what was compared, and boxes to ignore are drawn."""

import io
from typing import Any

from PIL import Image, ImageDraw

import mediakit
from mediakit.samples import LANDSCAPE, LANDSCAPE_EDITED
from mediakit.widgets.tools.images import CompareForm
from tests.widgets.test_form import errors, shown, upload, wait_for_update


def drawn_image(width: int = 200, height: int = 100, box: tuple[int, int, int, int] | None = None) -> bytes:
    """Return a PNG of a gray area with a black box (left, top, right, bottom)."""
    image = Image.new("RGB", (width, height), "#808080")
    if box:
        ImageDraw.Draw(image).rectangle(box, fill="black")
    image.save(file := io.BytesIO(), "PNG")
    return file.getvalue()


def compared(**values: Any) -> CompareForm:
    form = mediakit.form("image_compare", **values)
    assert isinstance(form, CompareForm)
    return settled(form)


def settled(form: CompareForm) -> CompareForm:
    wait_for_update(form)
    form._image_update.wait()
    return form


def test_slider_shows_both_images_and_their_regions() -> None:
    form = compared(file=LANDSCAPE, file2=LANDSCAPE_EDITED)
    slider = form._slider
    assert (slider.width, slider.height) == (1600, 1000)
    assert (slider.before_name, slider.after_name) == ("landscape", "landscape-edited")
    assert slider.before_box == slider.after_box == [0, 0, 1600, 1000]
    assert slider.regions == [region["box"] for region in form.result.regions] != []
    for content in (slider.before, slider.after):
        with Image.open(io.BytesIO(content)) as image:
            assert (image.format, image.size) == ("WEBP", (900, 563))
    assert form.result.verdict.split(" (")[0] in shown(form)


def test_slider_places_images_of_different_sizes_as_they_were_compared() -> None:
    first, second = drawn_image(200, 100), drawn_image(100, 150)
    slider = compared(file=first, file2=second)._slider
    assert (slider.width, slider.height) == (200, 150)
    assert (slider.before_box, slider.after_box) == ([0, 0, 200, 100], [0, 0, 100, 150])
    slider = compared(file=first, file2=second, size="resize")._slider
    assert (slider.width, slider.height, slider.after_box) == (200, 100, [0, 0, 200, 100])


def test_slider_moves_second_image_by_shift_that_was_found() -> None:
    first, second = drawn_image(400, 300, (100, 80, 180, 160)), drawn_image(400, 300, (106, 84, 186, 164))
    slider = compared(file=first, file2=second, align=True)._slider
    assert slider.after_box == [-6, -4, 400, 300]


def test_new_image_replaces_slider_and_regions() -> None:
    form = compared(file=drawn_image(), file2=drawn_image(box=(20, 30, 49, 69)))
    assert form._slider.regions == [[20, 30, 30, 40]]
    upload(form, "other.png", drawn_image(), "file2")
    settled(form)
    assert form._slider.regions == []
    assert form._slider.after_name == "other"
    upload(form, "broken.png", b"no image", "file2")
    settled(form)
    assert form._slider.before == form._slider.after == b""
    assert list(errors(form)) == ["file2"]


def test_drawn_boxes_are_ignored_areas_in_whole_pixels() -> None:
    form = compared(file=drawn_image(), file2=drawn_image(box=(20, 30, 49, 69)))
    assert not form.result.same
    editor = form.fields["ignore"].input.editor  # type: ignore[attr-defined]
    assert (editor.width, editor.height, editor.count) == (200, 100, 1)
    editor.value = [{"page": 1, "x0": 19.6, "y0": 29.8, "x1": 50.2, "y1": 70}]
    settled(form)
    assert form.values["ignore"] == [[20, 30, 30, 40]]
    assert form.result.same
    assert "ignore=[[20, 30, 30, 40]]" in form.code()


def test_boxes_of_the_call_are_drawn() -> None:
    for ignore in ([[10, 20, 30, 40], [0, 0, 5, 5]], [10, 20, 30, 40, 0, 0, 5, 5]):
        form = compared(file=drawn_image(), file2=drawn_image(), ignore=ignore)
        assert form.values["ignore"] == [[10, 20, 30, 40], [0, 0, 5, 5]]
