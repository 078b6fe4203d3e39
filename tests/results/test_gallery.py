"""A gallery shows several results side by side."""

import base64
import io
import re
from typing import Any

import pytest
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from mediakit.results.files import FileResult, ImageResult


def images(html: str) -> list[Image.Image]:
    return [Image.open(io.BytesIO(base64.b64decode(data))) for data in re.findall(r'base64,([^"]+)"', html)]


def test_gallery_shows_every_image_with_name_and_alt_text() -> None:
    codes = {name: mediakit.qr(name, size=800) for name in ("Tea", "<Coffee>")}
    shown = mediakit.gallery(codes)._repr_html_()
    assert re.findall("<b>(.*?)</b>", shown) == ["Tea", "&lt;Coffee&gt;"]
    assert re.findall('alt="(.*?)"', shown) == ["QR code: Tea", "QR code: &lt;Coffee&gt;"]
    assert [image.size for image in images(shown)] == [(400, 400)] * 2


def test_gallery_of_list_is_mapping_numbered_from_1() -> None:
    shown = mediakit.gallery(mediakit.qr(text) for text in ("a", "b"))
    assert list(shown) == ["1", "2"]
    assert shown["2"] == mediakit.qr("b")


def test_gallery_shows_name_of_result_without_image() -> None:
    shown = mediakit.gallery([FileResult(b"a,b", "text/csv")])._repr_html_()
    assert "<img" not in shown
    assert "<b>1</b>" in shown


def test_gallery_stores_at_most_one_megabyte() -> None:
    target = io.BytesIO()
    Image.effect_noise((400, 400), 90).convert("RGB").save(target, "PNG")
    noise = ImageResult(target.getvalue(), "image/png")
    shown = mediakit.gallery([noise] * 60)._repr_html_()
    assert 1 < len(images(shown)) < 60
    assert len(shown) < 1_500_000
    assert shown.count("<b>") == 60


def test_gallery_rejects_item_that_is_not_a_result() -> None:
    with pytest.raises(InvalidInput, match='results: "2" must be the result of a tool, got "b"'):
        mediakit.gallery([mediakit.qr("a"), "b"])  # type: ignore[type-var]


def test_gallery_of_one_result_shows_it() -> None:
    code = mediakit.qr("tea")
    assert list(mediakit.gallery(code).values()) == [code]  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="must be the result of a tool, got 5"):
        mediakit.gallery(5)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "quoted"), [(0, "0"), ("b", '"b"'), (slice(0, 2), "a slice")])
def test_gallery_says_its_names_for_a_name_without_result(name: Any, quoted: str) -> None:
    shown = mediakit.gallery({each: mediakit.qr(each) for each in "acdefg"})
    with pytest.raises(KeyError) as caught:
        shown[name]
    names = '"a", "c", "d", "e", "f", …'
    assert caught.value.args == (
        f"{quoted} is not the name of a result; names are {names}. .results is a list of them.",
    )
    assert shown.get("z") is None
    assert shown.results[0] == shown["a"]
