"""The form of images: crop, presets, comparison and names of downloads."""

import io
from typing import Any

import pytest
from PIL import Image

import mediakit
from mediakit.samples import LANDSCAPE
from mediakit.widgets.tools.images import PRESETS
from tests.widgets.test_form import errors, shown, upload, wait_for_update


def photo(width: int = 800, height: int = 600) -> bytes:
    Image.effect_noise((width, height), 60).convert("RGB").save(file := io.BytesIO(), "JPEG", quality=95)
    return file.getvalue()


def editor(form: Any) -> Any:
    form._image_update.wait()
    return form.fields["crop"].control


def test_images_form_shows_upright_size_of_image_in_crop_editor() -> None:
    control = editor(mediakit.form(mediakit.images, file=LANDSCAPE, width=300))
    with Image.open(LANDSCAPE) as image:
        assert (control.width, control.height) == image.size
    with Image.open(io.BytesIO(control.image)) as preview:
        assert preview.format == "WEBP"
        assert max(preview.size) == 900


def test_images_form_without_options_converts_to_webp() -> None:
    form = mediakit.form(mediakit.images, file=LANDSCAPE)
    assert form.values["format"] == "webp"
    assert form.result.mime_type == "image/webp"
    assert "format" not in mediakit.form(mediakit.images, file=LANDSCAPE, width=300).values


def test_crop_in_form_crops_result() -> None:
    form = mediakit.form(mediakit.images, file=LANDSCAPE, crop=(10, 20, 300, 200))
    assert (form.result.width, form.result.height) == (300, 200)
    form.fields["crop"].control.value = "10,20,150,100"
    wait_for_update(form)
    assert (form.result.width, form.result.height) == (150, 100)
    assert 'crop="10,20,150,100"' in form.code()


def test_new_image_clears_crop() -> None:
    form = mediakit.form(mediakit.images, file=LANDSCAPE, crop="10,20,300,200")
    upload(form, "holiday.jpg", photo())
    wait_for_update(form)
    assert form.values.get("crop") is None
    assert (editor(form).width, editor(form).height) == (800, 600)


def test_download_is_named_after_image_and_size() -> None:
    form = mediakit.form(mediakit.images, width=400, format="webp")
    upload(form, "holiday.jpg", photo())
    wait_for_update(form)
    assert 'download="holiday-400x300.webp"' in shown(form)


def test_form_compares_image_before_and_after_with_saved_bytes() -> None:
    form = mediakit.form(mediakit.images, width=400, format="webp")
    content = photo()
    upload(form, "holiday.jpg", content)
    wait_for_update(form)
    assert "<b>Before</b>" in shown(form)
    assert "<b>After</b>" in shown(form)
    share = 1 - len(form.result.content) / len(content)
    assert f"({share:.0%}) smaller" in shown(form)


@pytest.mark.parametrize("name", PRESETS)
def test_preset_sets_width_height_and_ratio_of_crop(name: str) -> None:
    form: Any = mediakit.form(mediakit.images, file=LANDSCAPE)
    width, height = PRESETS[name]
    form._preset.value = (width, height)
    assert (form.values["width"], form.values["height"]) == (width, height)
    control = editor(form)
    assert (control.output_width, control.output_height, control.ratio) == (width, height, "output")


def test_preset_shows_custom_after_other_width() -> None:
    form: Any = mediakit.form(mediakit.images, file=LANDSCAPE, width=1080, height=1350)
    assert form._preset.label == "Instagram portrait, 1080 × 1350"
    form.fields["width"].control.value = "1081"
    assert form._preset.label == "Custom"
    form.fields["width"].control.value = "wide"
    wait_for_update(form)
    assert list(errors(form)) == ["width"]


def test_preset_is_undone_in_one_step() -> None:
    form: Any = mediakit.form(mediakit.images, file=LANDSCAPE, width=500)
    form._preset.value = (1080, 1080)
    form._form_state._undo_button.click()
    assert form.values["width"] == 500
    assert "height" not in form.values
    assert editor(form).ratio == "free"


def test_invalid_image_hides_crop_editor_and_shows_error() -> None:
    form = mediakit.form(mediakit.images, width=400)
    upload(form, "notes.txt", b"not an image")
    wait_for_update(form)
    assert list(errors(form)) == ["file"]
    assert editor(form).image == b""
