"""The option `defaults`: what the keys that `data` omits contain."""

import pytest

import mediakit
from mediakit.engines.templates import TEMPLATES
from mediakit.errors import InvalidInput
from tests.conftest import Api


def test_error_names_omitted_keys_with_example_text() -> None:
    data = {"title": "Tea", "site": "", "author": "", "tag": ""}
    with pytest.raises(InvalidInput) as error:
        mediakit.capture(template="og", data=data, defaults="error")
    assert str(error.value) == (
        'data: with defaults "error", every text of og is required; omitted: description, date. '
        "An empty text hides its element."
    )


def test_error_asks_for_keys_of_the_language_only() -> None:
    english = TEMPLATES["invoice"].examples_used({"item1_name": "Tea"}, "en")
    spanish = TEMPLATES["invoice"].examples_used({"item1_name": "Tea"}, "es")
    assert "iban" not in english
    assert "iban" in spanish
    assert not [name for name in (*english, *spanish) if name.startswith("item") or name in ("accent", "logo")]


@pytest.mark.browser
def test_blank_leaves_omitted_keys_empty() -> None:
    made = mediakit.capture(template="og", data={"title": "Tea"}, defaults="blank", width=400, height=210)
    empty = dict.fromkeys((key.name for key in TEMPLATES["og"].keys), "") | {"title": "Tea"}
    assert made.content == mediakit.capture(template="og", data=empty, width=400, height=210).content
    assert made.meta["defaults_used"] == []


@pytest.mark.browser
def test_complete_data_passes_and_example_is_the_default() -> None:
    data = {key.name: key.en for key in TEMPLATES["youtube"].keys if key.en}
    made = mediakit.capture(template="youtube", data=data, defaults="error", width=320, height=180)
    assert made.meta["defaults_used"] == []
    examples = mediakit.capture(template="youtube", defaults="example", width=320, height=180)
    assert examples.meta["defaults_used"] == list(data)
    assert examples.content == mediakit.capture(template="youtube", width=320, height=180).content


@pytest.mark.anyio
async def test_defaults_over_http_is_validated_and_requires_template(api: Api) -> None:
    for path in ("/capture", "/pdf"):
        missing = await api.json(path, {"template": "og", "defaults": "error"})
        assert missing.status_code == 400
        assert "omitted: title, description, site, author, date, tag." in missing.text
        html = await api.json(path, {"html": "<p>Tea</p>", "defaults": "blank"})
        assert html.status_code == 400
        assert "defaults: requires template, not html." in html.text
        unknown = await api.json(path, {"template": "og", "defaults": "none"})
        assert unknown.status_code == 400
