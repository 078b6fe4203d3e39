"""Images of Pillow, NumPy and matplotlib are files wherever a file is taken."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

import mediakit
from mediakit.core.inputs import load_file
from mediakit.errors import InvalidInput


def opened(value: Any) -> Image.Image:
    """Return the image in the file of a value."""
    return Image.open(io.BytesIO(load_file(value)))


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_pillow_image_keeps_mode_and_pixels(mode: str) -> None:
    image = Image.new("L", (3, 2), 200).convert(mode) if mode != "I;16" else Image.new(mode, (3, 2), 40_000)
    found = opened(image)
    assert (found.format, found.mode, found.tobytes()) == ("PNG", mode, image.tobytes())


@pytest.mark.parametrize(("mode", "expected"), [("CMYK", "RGB"), ("YCbCr", "RGB"), ("RGBa", "RGBA"), ("HSV", "RGB")])
def test_pillow_image_of_another_mode_is_converted(mode: str, expected: str) -> None:
    image = Image.new("RGBA" if mode == "RGBa" else "RGB", (2, 2), "teal").convert(mode)
    assert opened(image).mode == expected
    assert opened(image).getpixel((0, 0)) == image.convert(expected).getpixel((0, 0))


def test_pillow_image_keeps_orientation_and_name(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (6, 4)).save(tmp_path / "photo.jpg", exif=exif)
    image = Image.open(tmp_path / "photo.jpg")
    assert load_file(image).name == "photo.png"
    turned = mediakit.images(image, format="png")
    assert (turned.width, turned.height) == (4, 6)


@pytest.mark.parametrize("name", ["GIF", "WEBP", "TIFF"])
def test_pillow_image_with_several_frames_keeps_them(name: str) -> None:
    frames = [Image.new("RGB", (4, 4), color) for color in ("red", "green", "blue")]
    file = io.BytesIO()
    frames[0].save(file, name, save_all=True, append_images=frames[1:], duration=[100, 200, 300])
    image = Image.open(io.BytesIO(file.getvalue()))
    image.seek(1)
    assert load_file(image) == file.getvalue()
    assert image.tell() == 1


def test_reading_a_pillow_image_with_several_frames_does_not_move_its_file() -> None:
    frames, target = [Image.new("L", (4, 3), shade) for shade in (0, 90, 200)], io.BytesIO()
    frames[0].save(target, "GIF", save_all=True, append_images=frames[1:])
    image = Image.open(target)
    image.seek(1)
    position = image.fp.tell()  # type: ignore[union-attr]
    assert opened(image).n_frames == 3  # type: ignore[attr-defined]
    assert image.fp.tell() == position  # type: ignore[union-attr]


def test_opaque_pillow_image_that_is_too_large_as_png_is_a_jpeg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mediakit.core.inputs.MAX_PNG_BYTES", 1000)
    noise = Image.effect_noise((64, 64), 80)
    assert opened(noise).format == "JPEG"
    assert opened(noise.convert("RGBA")).format == "PNG"


def test_drawing_on_a_pillow_image_is_part_of_the_file(tmp_path: Path) -> None:
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png")
    image = Image.open(tmp_path / "a.png")
    ImageDraw.Draw(image).point((1, 1), "red")
    assert opened(image).getpixel((1, 1)) == (255, 0, 0)


@pytest.mark.parametrize(
    ("array", "mode", "expected"),
    [
        (np.full((2, 3), 7, np.uint8), "L", 7),
        (np.full((2, 3, 1), 7, np.uint8), "L", 7),
        (np.full((2, 3, 3), 7, np.uint8)[::-1, ::-1], "RGB", (7, 7, 7)),
        (np.full((2, 3, 4), 7, np.uint8), "RGBA", (7, 7, 7, 7)),
        (np.full((2, 3), True), "L", 255),
        (np.full((2, 3), 0.5), "L", 128),
        (np.full((2, 3, 3), 1, np.float32), "RGB", (255, 255, 255)),
    ],
)
def test_array_is_an_image_of_its_height_and_width(array: Any, mode: str, expected: Any) -> None:
    found = opened(array)
    assert (found.mode, found.size, found.getpixel((0, 0))) == (mode, (3, 2), expected)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (
            np.zeros((2, 3), np.int64),
            r"bool, or floats from 0 to 1, got int64\. Convert it, such as with array\.clip\(",
        ),
        (
            np.full((2, 3), 300.0),
            r"floats must be from 0 to 1, got 300 to 300\. Convert the array, such as with array / 255",
        ),
        (np.full((2, 3), np.nan), "floats must be from 0 to 1, got nan to nan"),
        (
            np.zeros((3, 20, 20), np.uint8),
            r"got \(3, 20, 20\)\. Move the channels to the end with array\.transpose\(1, 2, 0\)",
        ),
        (np.zeros((1, 20, 20), np.uint8), r"got \(1, 20, 20\)\. Move the channels to the end"),
        (np.zeros(5, np.uint8), r"must have the shape \(height, width\), .*, got \(5,\)\.$"),
        (np.zeros((0, 5), np.uint8), r"got \(0, 5\)\.$"),
        (Image.new("F", (2, 2)), r'got the mode F\. Convert it, such as with image\.convert\("L"\)\.$'),
        (
            object(),
            "file: must be bytes, a path, a binary file object, the result of a tool, or an image",
        ),
    ],
)
def test_object_other_than_an_image_is_an_error_that_says_how_to_convert_it(array: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as error:
        mediakit.images(array, width=3)
    assert "\n" not in str(error.value)


def test_image_objects_are_taken_by_fields_of_one_file_and_of_several() -> None:
    red, half = Image.new("RGB", (30, 20), "red"), np.full((20, 30), 0.5)
    assert mediakit.images(red, width=3).width == 3
    assert mediakit.image_info(half).width == 30
    assert mediakit.image_compare(red, half).width == 30
    assert mediakit.pdf_info(mediakit.pdf_merge([red, half])).pages == 2
    assert len(mediakit.image_animate([red, half]).content) > 100
    assert mediakit.qr("x", logo=red).width == 512


def test_figure_and_axes_are_images() -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3, 2), dpi=50)
    axes = figure.subplots()
    (line,) = axes.plot([1, 2])
    assert [opened(each).size for each in (figure, axes, line)] == [(150, 100)] * 3
    assert load_file(figure) == load_file(axes)
    assert load_file(figure).name == "figure.png"
    assert mediakit.images(figure, width=30).width == 30


def test_results_by_name_are_files_with_these_names() -> None:
    codes = mediakit.batch("qr", {"tea": "t", "milk": "m"})
    with zipfile.ZipFile(io.BytesIO(mediakit.zip(codes).content)) as archive:
        assert archive.namelist() == ["tea.png", "milk.png"]


def test_no_image_library_is_imported_for_other_values() -> None:
    code = "import io, sys; from mediakit.core.inputs import load_file; load_file(io.BytesIO(load_file(b'x')))"
    check = "print({'numpy', 'PIL', 'matplotlib'} & {name.partition('.')[0] for name in sys.modules})"
    found = subprocess.run([sys.executable, "-c", f"{code}; {check}"], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"
