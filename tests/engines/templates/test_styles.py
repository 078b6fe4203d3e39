"""The option `style` of `capture` and `pdf`."""

import base64
import io
from typing import Any

import pytest
from PIL import Image, ImageChops

import mediakit
from mediakit.engines.templates import TEMPLATES
from mediakit.errors import InvalidInput
from tests.conftest import Api


@pytest.mark.parametrize("name", list(TEMPLATES))
def test_every_style_of_every_template_parses_without_problems(name: str) -> None:
    template = TEMPLATES[name]
    assert [template.design(style).problems for style in template.styles] == [()] * len(template.styles)


@pytest.mark.parametrize("name", list(TEMPLATES))
def test_first_style_is_the_default(name: str) -> None:
    template = TEMPLATES[name]
    assert template.fill({}).html == template.fill({}, style=template.styles[0]).html


def test_unknown_style_is_rejected_with_the_styles_of_the_template() -> None:
    first = TEMPLATES["og"].styles[0]
    with pytest.raises(InvalidInput, match=rf'^style: "retro" is not a style of og; use {first}\b.*\.$'):
        mediakit.capture(template="og", style="retro")


@pytest.mark.parametrize("tool", [mediakit.capture, mediakit.pdf])
def test_style_requires_a_template(tool: Any) -> None:
    with pytest.raises(InvalidInput) as error:
        tool("<p>Hello</p>", style="classic")
    assert str(error.value) == "style: requires template, not html."


@pytest.mark.anyio
async def test_unknown_style_is_a_400_over_http(api: Api) -> None:
    response = await api.post("/pdf", json={"template": "invoice", "style": "retro"})
    assert response.status_code == 400
    assert response.json()["error"].startswith('style: "retro" is not a style of invoice; use ')


STYLES_WITH_BACKGROUND = [
    (template.name, style)
    for template in TEMPLATES.values()
    for style in template.styles
    if "background" in template.by_name
]


@pytest.mark.browser
@pytest.mark.parametrize(("name", "style"), STYLES_WITH_BACKGROUND)
def test_background_image_is_visible_in_every_style_of_its_template(name: str, style: str) -> None:
    dark, light = (
        mediakit.capture(template=name, style=style, data={"background": plain_image(color)}).to_pil().convert("L")
        for color in ("#000000", "#ffffff")
    )
    differences = ImageChops.difference(dark, light).histogram()
    assert sum(differences[6:]) > 0.03 * dark.width * dark.height


def plain_image(color: str) -> str:
    content = io.BytesIO()
    Image.new("RGB", (40, 40), color).save(content, "PNG")
    return f"data:image/png;base64,{base64.b64encode(content.getvalue()).decode()}"
