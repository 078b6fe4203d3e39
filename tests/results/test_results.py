"""Results show, save and describe themselves."""

import base64
import io
import pickle
from pathlib import Path
from typing import Any

import IPython.display
import pytest
from PIL import Image

import mediakit
from mediakit.core.messages import readable_size
from mediakit.errors import InvalidInput
from mediakit.results.image import ImageResult
from mediakit.results.result import Language
from mediakit.samples import LANDSCAPE

pytest_plugins = ["tests.support.shell_fixtures"]

display: Any = IPython.display.display


def noise(width: int, height: int, kind: str = "PNG") -> ImageResult:
    target = io.BytesIO()
    Image.effect_noise((width, height), 90).convert("RGB").save(target, kind)
    return ImageResult(target.getvalue(), f"image/{kind.lower()}", {"width": width, "height": height})


def test_saves_under_the_given_name_and_makes_folders(tmp_path: Path) -> None:
    picture = mediakit.qr("hi")
    saved = picture.save(tmp_path / "new" / "code.png")
    assert saved == tmp_path / "new" / "code.png"
    assert saved.read_bytes() == picture.content


def test_adds_a_missing_suffix(tmp_path: Path) -> None:
    assert mediakit.qr("hi", format="svg").save(tmp_path / "code").name == "code.svg"


def test_refuses_a_suffix_that_lies(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"code.png promises image/png, but the file is image/svg\+xml"):
        mediakit.qr("hi", format="svg").save(tmp_path / "code.png")
    assert not list(tmp_path.iterdir())


def test_a_folder_is_no_file_name(tmp_path: Path) -> None:
    (tmp_path / "codes").mkdir()
    with pytest.raises(InvalidInput, match="codes is a folder; add a file name"):
        mediakit.qr("hi").save(tmp_path / "codes")


@pytest.mark.parametrize("name", ["code.gif", "code.tiff", "code.TIF", "code.bmp"])
def test_refuses_the_suffix_of_a_format_that_no_tool_makes(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match=f"{name} promises image/"):
        mediakit.qr("hi").save(tmp_path / name)


def test_gives_a_data_uri() -> None:
    picture = mediakit.qr("hi")
    head, _, body = picture.data_uri().partition(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(body) == picture.content


def test_gives_a_pillow_image() -> None:
    assert mediakit.qr("hi", size=100).to_pil().size == (100, 100)


def test_equal_files_are_equal_results() -> None:
    assert mediakit.qr("hi") == mediakit.qr("hi")
    assert mediakit.qr("hi") != mediakit.qr("ho")
    assert len({mediakit.qr("hi"), mediakit.qr("hi"), mediakit.qr("ho")}) == 2


def test_describes_itself_the_same_every_time() -> None:
    picture = mediakit.qr("hi", size=100)
    assert repr(picture) == f"<ImageResult PNG 100x100, {len(picture.content)} B 'QR code: hi'>"


def test_an_earlier_result_is_a_file() -> None:
    code = mediakit.qr("hi", size=128)
    assert mediakit.images(code, width=64).width == 64


def test_shows_a_png_as_it_is() -> None:
    picture = mediakit.qr("hi")
    data, metadata = picture._repr_mimebundle_()
    assert data["image/png"] == picture.content
    assert metadata["image/png"]["alt"] == "QR code: hi"
    assert data["text/plain"] == repr(picture)


def test_shows_an_svg_with_a_png_beside_it() -> None:
    data, metadata = mediakit.qr("hi", format="svg", size=100)._repr_mimebundle_()
    assert data["image/svg+xml"].startswith("<svg")
    with Image.open(io.BytesIO(data["image/png"])) as image:
        assert image.size == (200, 200)  # for sharp screens
    assert {"width": 100, "height": 100}.items() <= metadata["image/png"].items()


@pytest.mark.parametrize("kind", ["webp", "avif"])
def test_shows_what_not_every_front_end_knows_as_a_png(kind: str) -> None:
    data, _ = mediakit.images(LANDSCAPE, width=200, format=kind)._repr_mimebundle_()  # type: ignore[arg-type]
    assert set(data) == {"text/plain", "image/png", "text/html"}
    with Image.open(io.BytesIO(data["image/png"])) as image:
        assert image.size == (200, 125)


def test_a_large_picture_is_stored_as_a_small_preview() -> None:
    picture = noise(2400, 2600)
    data, _ = picture._repr_mimebundle_()
    (kind,) = set(data) - {"text/plain"}
    assert len(data[kind]) <= 1_000_000
    with Image.open(io.BytesIO(data[kind])) as image:
        assert max(image.size) <= 2000
    size = readable_size(len(picture.content))
    assert picture.caption == f"Preview of 2400 × 2600 pixels ({size}). .save('picture.png') writes the full file."


def test_a_line_below_a_preview_says_that_it_is_one(displayed: list[Any]) -> None:
    display(noise(2400, 2600))
    picture, line = (output["data"] for output in displayed)
    assert "image/jpeg" in picture
    assert "writes the full file" in line["text/html"]
    assert line["text/plain"].startswith("Preview of 2400 × 2600 pixels")


def test_a_picture_that_is_shown_whole_needs_no_line(displayed: list[Any]) -> None:
    display(mediakit.qr("hi"))
    assert [set(output["data"]) for output in displayed] == [{"text/plain", "image/png"}]


def test_a_picture_has_words_for_those_who_cannot_see_it() -> None:
    picture = mediakit.images(LANDSCAPE, width=100)
    assert picture._repr_mimebundle_()[1]["image/jpeg"]["alt"] == "Picture of 100 × 63 pixels"
    picture.alt = "A red tent by a lake"
    assert picture._repr_mimebundle_()[1]["image/jpeg"]["alt"] == "A red tent by a lake"


@pytest.mark.browser
def test_the_sharp_picture_of_a_page_is_shown_at_the_size_of_the_page() -> None:
    picture = mediakit.capture("<h1>Hi", width=200, height=100, device_scale_factor=2)
    assert (picture.width, picture.height) == (400, 200)
    metadata = picture._repr_mimebundle_()[1]["image/png"]
    assert (metadata["width"], metadata["height"]) == (200, 100)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", 'mediakit.qr("hi", size=300)'),
        ("shell", "mediakit qr hi --size 300 -o qr.png"),
        ("curl", "curl 'http://127.0.0.1:8000/qr?size=300'"),
        ("http", "POST /qr?size=300 HTTP/1.1\nhost: 127.0.0.1:8000\n"),
    ],
)
def test_writes_the_call_that_made_it(language: Language, code: str) -> None:
    assert mediakit.qr("hi", size=300).code(language).startswith(code)


def test_knows_no_other_language() -> None:
    with pytest.raises(InvalidInput, match="language: must be one of python, curl, http, shell"):
        mediakit.qr("hi").code("ruby")  # type: ignore[arg-type]


def test_a_result_that_no_call_made_has_no_code() -> None:
    with pytest.raises(InvalidInput, match="only results of a tool's call"):
        noise(10, 10).code()


def test_a_result_can_be_pickled() -> None:
    code = mediakit.qr("hi", size=300)
    again = pickle.loads(pickle.dumps(code))
    assert again == code
    assert again.code() == code.code()


@pytest.mark.parametrize(("count", "text"), [(1, "1 B"), (999, "999 B"), (1400, "1.4 kB"), (3_800_000, "3.8 MB")])
def test_sizes_read_well(count: int, text: str) -> None:
    assert readable_size(count) == text
