"""CSS colors: what each notation means, and where they are accepted."""

from typing import Any

import httpx
import pytest
from PIL import ImageColor

import mediakit
from mediakit.core.fields import parse_color
from mediakit.core.parameters import _number
from mediakit.errors import InvalidInput
from mediakit.server import Server


@pytest.mark.parametrize(
    ("text", "color"),
    [
        ("tomato", "#ff6347"),
        (" RebeccaPurple ", "#663399"),
        ("#fff", "#ffffff"),
        ("#1A2b3C", "#1a2b3c"),
        ("1a2b3c", "#1a2b3c"),
        ("#abcf", "#aabbcc"),
        ("#12345678", None),
        ("#123456ff", "#123456"),
        ("rgb(255, 99, 71)", "#ff6347"),
        ("rgb(255 99 71 / 100%)", "#ff6347"),
        ("rgb(100% 0% 50%)", "#ff0080"),
        ("RGBA(300,-5,0,1.0)", "#ff0000"),
        ("hsl(9deg 100% 64%)", "#ff6347"),
        ("hsl(120, 100%, 25%)", "#008000"),
        ("hsla(0.5turn 100% 50% / 1)", "#00ffff"),
        ("hsl(-120 100 50)", "#0000ff"),
        ("rgba(0, 0, 0, 0.5)", None),
        ("transparent", None),
        ("abc", None),
        ("#12345", None),
        ("rgb(1 2)", None),
        ("rgb(1deg 2 3)", None),
        ("rgb(1e9 2 3)", None),
        ("hsl(9% 1% 1%)", None),
        ("tomato;}", None),
        ("", None),
        ("rgb(" + "9" * 1_000_000 + " 2 3)", None),
    ],
)
def test_css_notation_is_parsed(text: str, color: str | None) -> None:
    assert parse_color(text) == color


def test_every_named_color_is_known() -> None:
    assert len(ImageColor.colormap) >= 148
    before = {name: parse_color(name) for name in ImageColor.colormap}
    assert before["tomato"] == "#ff6347"
    assert before == {name: "#" + bytes(ImageColor.getrgb(name)).hex() for name in before}
    assert before == {name: parse_color(name) for name in before}  # Pillow has cached each of them as a tuple by now


def test_python_and_client_convert_css_colors(server: Server) -> None:
    expected = mediakit.qr("x", dark="#ff6347", light="#ffffff")
    assert mediakit.qr("x", dark="tomato", light="#fff") == expected
    assert mediakit.qr.build("x", dark="rgb(255 99 71)").dark == "#ff6347"
    with mediakit.Client(server.url, api_key=server.key) as client:
        assert client.qr("x", dark="tomato", light="#fff") == expected


def test_unknown_color_suggests_a_name() -> None:
    with pytest.raises(InvalidInput) as caught:
        mediakit.qr("x", dark="tomatoe")
    assert str(caught.value) == (
        'dark: must be an opaque color such as "#1a2b3c", "tomato" or "rgb(255 99 71)", got "tomatoe". '
        'Did you mean "tomato"?'
    )


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/qr", {"data": "x", "dark": "tomato"}, 400),
        ("/qr", {"data": "x", "dark": "#ff6347"}, 200),
        ("/barcode", {"data": "x", "dark": "tomato"}, 200),
        ("/barcode", {"data": "x", "dark": "rgb(9 9 9 / 0.5)"}, 400),
    ],
)
def test_only_fields_of_our_own_accept_css_colors_over_http(
    server: Server, path: str, body: dict[str, Any], status: int
) -> None:
    answer = httpx.post(f"{server.url}{path}", json=body, headers={"x-api-key": server.key})
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("limit", "written"), [(2.0, "2"), (1_000_000, "1000000"), (1e6, "1000000"), (0.5, "0.5"), (-1.25, "-1.25")]
)
def test_limit_is_written_without_exponent_or_needless_zero(limit: float, written: str) -> None:
    assert _number(limit) == written
