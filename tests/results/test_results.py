"""Results are displayed, saved and represented as text."""

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
from mediakit.core.snippets.http import running_server
from mediakit.errors import InvalidInput
from mediakit.results.files import ImageResult
from mediakit.results.result import Language
from mediakit.samples import LANDSCAPE

pytest_plugins = ["tests.support.shell_fixtures"]

display: Any = IPython.display.display


def noise(width: int, height: int, kind: str = "PNG") -> ImageResult:
    target = io.BytesIO()
    Image.effect_noise((width, height), 90).convert("RGB").save(target, kind)
    return ImageResult(target.getvalue(), f"image/{kind.lower()}", {"width": width, "height": height})


def test_save_creates_missing_folders(tmp_path: Path) -> None:
    image = mediakit.qr("hi")
    saved = image.save(tmp_path / "new" / "code.png")
    assert saved == tmp_path / "new" / "code.png"
    assert saved.read_bytes() == image.content


def test_save_adds_missing_extension(tmp_path: Path) -> None:
    assert mediakit.qr("hi", format="svg").save(tmp_path / "code").name == "code.svg"


def test_save_rejects_extension_of_another_format(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"path: the file is named \.png, but the result is SVG"):
        mediakit.qr("hi", format="svg").save(tmp_path / "code.png")
    assert not list(tmp_path.iterdir())


def test_save_rejects_folder(tmp_path: Path) -> None:
    (tmp_path / "codes").mkdir()
    with pytest.raises(InvalidInput, match="codes is a folder; add a file name"):
        mediakit.qr("hi").save(tmp_path / "codes")


@pytest.mark.parametrize("name", ["code.gif", "code.tiff", "code.TIF", "code.bmp"])
def test_save_rejects_extension_of_format_that_no_tool_produces(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match=f"path: the file is named {Path(name).suffix}, but the result is PNG"):
        mediakit.qr("hi").save(tmp_path / name)


def test_data_uri_contains_the_file() -> None:
    image = mediakit.qr("hi")
    head, _, body = image.data_uri().partition(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(body) == image.content


def test_to_pil_returns_pillow_image() -> None:
    assert mediakit.qr("hi", size=100).to_pil().size == (100, 100)


def test_results_of_equal_files_are_equal() -> None:
    assert mediakit.qr("hi") == mediakit.qr("hi")
    assert mediakit.qr("hi") != mediakit.qr("ho")
    assert len({mediakit.qr("hi"), mediakit.qr("hi"), mediakit.qr("ho")}) == 2


def test_repr_is_stable() -> None:
    image = mediakit.qr("hi", size=100)
    assert repr(image) == f"<ImageResult PNG 100x100, {len(image.content)} B 'QR code: hi'>"


def test_result_is_accepted_as_file() -> None:
    code = mediakit.qr("hi", size=128)
    assert mediakit.images(code, width=64).width == 64


def test_png_is_displayed_unchanged() -> None:
    image = mediakit.qr("hi")
    data, metadata = image._repr_mimebundle_()
    assert data["image/png"] == image.content
    assert metadata["image/png"]["alt"] == "QR code: hi"
    assert data["text/plain"] == repr(image)


def test_svg_is_displayed_with_png_fallback() -> None:
    data, metadata = mediakit.qr("hi", format="svg", size=100)._repr_mimebundle_()
    assert data["image/svg+xml"].startswith("<svg")
    with Image.open(io.BytesIO(data["image/png"])) as image:
        assert image.size == (200, 200)  # twice the CSS size, for high-density screens
    assert {"width": 100, "height": 100}.items() <= metadata["image/png"].items()


@pytest.mark.parametrize("kind", ["webp", "avif"])
def test_webp_and_avif_are_displayed_as_png(kind: str) -> None:
    data, _ = mediakit.images(LANDSCAPE, width=200, format=kind)._repr_mimebundle_()  # type: ignore[arg-type]
    assert set(data) == {"text/plain", "image/png", "text/html"}
    with Image.open(io.BytesIO(data["image/png"])) as image:
        assert image.size == (200, 125)


def test_large_image_is_displayed_as_small_preview() -> None:
    result = noise(2400, 2600)
    data, _ = result._repr_mimebundle_()
    (kind,) = set(data) - {"text/plain", "text/html"}
    assert len(data[kind]) <= 1_000_000
    with Image.open(io.BytesIO(data[kind])) as image:
        assert max(image.size) <= 2000
    size = readable_size(len(result.content))
    assert result._caption() == f"Preview of 2400 × 2600 pixels ({size}). .save('image.png') writes the full file."


def test_preview_has_caption(displayed: list[Any]) -> None:
    display(noise(2400, 2600))
    image, line = (output["data"] for output in displayed)
    assert "image/jpeg" in image
    assert "writes the full file" in line["text/html"]
    assert line["text/plain"].startswith("Preview of 2400 × 2600 pixels")


def test_full_image_has_no_caption(displayed: list[Any]) -> None:
    display(mediakit.qr("hi"))
    assert [set(output["data"]) for output in displayed] == [{"text/plain", "image/png", "text/html"}]


def test_displayed_image_has_alt_text() -> None:
    image = mediakit.images(LANDSCAPE, width=100)
    assert image._repr_mimebundle_()[1]["image/jpeg"]["alt"] == "Image: landscape.jpg"
    image.alt = "A red tent by a lake"
    assert image._repr_mimebundle_()[1]["image/jpeg"]["alt"] == "A red tent by a lake"


@pytest.mark.browser
def test_image_with_pixel_ratio_is_displayed_at_css_size() -> None:
    image = mediakit.capture("<h1>Hi", width=200, height=100, device_scale_factor=2)
    assert (image.width, image.height) == (400, 200)
    metadata = image._repr_mimebundle_()[1]["image/png"]
    assert (metadata["width"], metadata["height"]) == (200, 100)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", 'mediakit.qr("hi", size=300)'),
        ("shell", "mediakit qr hi --size 300 -o qr.png"),
        ("curl", "curl 'http://127.0.0.1:8000/qr?size=300'"),
        ("javascript", 'import { writeFile } from "node:fs/promises";\n\nconst response = await fetch("http://127.0'),
        ("http", "POST /qr?size=300 HTTP/1.1\nhost: 127.0.0.1:8000\n"),
    ],
)
def test_code_returns_the_call(language: Language, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_server, "url", "http://127.0.0.1:8000")
    assert mediakit.qr("hi", size=300).code(language).startswith(code)


def test_code_rejects_unknown_language() -> None:
    with pytest.raises(InvalidInput, match="language: must be one of python, curl, javascript, http, shell"):
        mediakit.qr("hi").code("ruby")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=r'got "js"\. Did you mean "javascript"\?'):
        mediakit.qr("hi").code("js")  # type: ignore[arg-type]


@pytest.mark.parametrize("path", [None, 5, io.BytesIO()])
def test_save_needs_a_path(path: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^path: must be a path, got .*\. The bytes of the file are in \.file\.$"):
        mediakit.qr("hi").save(path)


def test_code_of_result_without_call_raises() -> None:
    with pytest.raises(InvalidInput, match="only results of a tool's call"):
        noise(10, 10).code()


def test_result_survives_pickling() -> None:
    code = mediakit.qr("hi", size=300)
    again = pickle.loads(pickle.dumps(code))
    assert again == code
    assert again.code() == code.code()


@pytest.mark.parametrize(("count", "text"), [(1, "1 B"), (999, "999 B"), (1400, "1.4 kB"), (3_800_000, "3.8 MB")])
def test_readable_size_rounds_to_one_decimal(count: int, text: str) -> None:
    assert readable_size(count) == text


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("bytes", '"content" or "file"'),
        ("size", '"height" or "width"'),
        ("write", '"save"'),
        ("mimetype", '"mime_type"'),
        ("json", '"to_dict" or "to_json"'),
        ("warnings", '"meta"'),
    ],
)
def test_names_of_other_libraries_are_explained(name: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=rf"ImageResult.{name}: does not exist; did you mean {meant}\?"):
        getattr(mediakit.qr("x"), name)


def test_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(AttributeError, match=r"EmailValidation.nonsense: .*known names.* smtputf8, suggestion"):
        _ = mediakit.validate_email("ada@example.com").nonsense
    assert not hasattr(mediakit.templates(), "nonsense")
