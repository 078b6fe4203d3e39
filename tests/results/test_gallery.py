"""Several results are shown side by side."""

import base64
import io
import re

import pytest
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from mediakit.results.image import ImageResult
from mediakit.results.result import Result


def pictures(html: str) -> list[Image.Image]:
    return [Image.open(io.BytesIO(base64.b64decode(data))) for data in re.findall(r'base64,([^"]+)"', html)]


def test_shows_every_picture_with_its_name_and_words() -> None:
    codes = {name: mediakit.qr(name, size=800) for name in ("Tea", "<Coffee>")}
    shown = mediakit.gallery(codes)._repr_html_()
    assert re.findall("<b>(.*?)</b>", shown) == ["Tea", "&lt;Coffee&gt;"]
    assert re.findall('alt="(.*?)"', shown) == ["QR code: Tea", "QR code: &lt;Coffee&gt;"]
    assert [picture.size for picture in pictures(shown)] == [(400, 400)] * 2


def test_numbers_a_list_and_is_read_like_a_dictionary() -> None:
    shown = mediakit.gallery(mediakit.qr(text) for text in ("a", "b"))
    assert list(shown) == ["1", "2"]
    assert shown["2"] == mediakit.qr("b")


def test_names_a_result_that_has_no_picture() -> None:
    shown = mediakit.gallery([Result(b"a,b", "text/csv")])._repr_html_()
    assert "<img" not in shown
    assert "<b>1</b>" in shown


def test_a_notebook_keeps_at_most_a_megabyte_of_it() -> None:
    target = io.BytesIO()
    Image.effect_noise((400, 400), 90).convert("RGB").save(target, "PNG")
    noise = ImageResult(target.getvalue(), "image/png")
    shown = mediakit.gallery([noise] * 60)._repr_html_()
    assert 1 < len(pictures(shown)) < 60
    assert len(shown) < 1_500_000
    assert shown.count("<b>") == 60


def test_refuses_what_is_no_result() -> None:
    with pytest.raises(InvalidInput, match='results: "2" is no result of a tool, but a str'):
        mediakit.gallery([mediakit.qr("a"), "b"])  # type: ignore[type-var]
