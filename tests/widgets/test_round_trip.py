"""The values and the code of a form create the form, and its result, again."""

import pathlib
from pathlib import Path
from typing import Any

import ipywidgets as w
import pytest

import mediakit
from mediakit.core.tool import Tool
from mediakit.samples import LOGO
from mediakit.tools.catalogue import all_tools
from mediakit.widgets import Form
from tests.support.calls import CALLS, parameter
from tests.widgets.test_form import parts, shown, upload, wait_for_update

AnyForm = Form[Any]

TEMPLATE_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("capture", {"template": "invoice", "data": {"client": "Ada", "item1_name": "Tea"}, "lang": "es"}),
    ("capture", {"template": "og", "width": 600, "format": "webp", "quality": 70}),
    ("pdf", {"template": "certificate", "data": {"recipient": "Ada", "date": ""}, "format": "A5", "landscape": False}),
]

COMPLETE = {"docx_template": dict(mediakit.docx_template.examples[1].values)}
"""Calls that a form does not complete with empty values after it has read the file."""


@pytest.mark.parametrize(
    ("tool", "values"),
    [
        *(parameter(tool, COMPLETE.get(tool.name) or CALLS[tool.name]) for tool in all_tools()),
        *(pytest.param(getattr(mediakit, name), values, id=values["template"]) for name, values in TEMPLATE_CALLS),
    ],
)
def test_values_of_form_create_equal_form(tool: Tool[..., Any], values: dict[str, Any]) -> None:
    form = mediakit.form(tool, **values)
    again = mediakit.form(form.tool, **form.values)
    assert again.tool is form.tool
    assert again.values == form.values
    assert again.request == form.request
    if values.get("template") != "invoice":  # the form calculates its totals
        assert form.request == tool.build(**values)
    assert again.code() == form.code()
    for each in (form, again):
        each.close()


def test_form_of_tool_with_template_opens_form_of_templates() -> None:
    form = mediakit.form(mediakit.capture, template="invoice", client="Ada")
    picked = [part.description for part in parts(form.widget) if "mediakit-picked" in part._dom_classes]
    assert "invoice" in picked
    assert "og" not in picked
    form.close()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of a notebook."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def save_upload(form: AnyForm) -> None:
    """Click the button that saves the uploaded file."""
    buttons = [part for part in parts(form.widget) if isinstance(part, w.Button)]
    shown_buttons = [button for button in buttons if button.layout.display != "none"]
    next(button for button in shown_buttons if button.description == "Save beside notebook").click()
    wait_for_update(form)


def test_uploaded_file_is_saved_beside_notebook_and_named_in_call(folder: Path) -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    upload(form, "../logo.png", LOGO.read_bytes(), field="logo")
    save_upload(form)
    assert (folder / "logo.png").read_bytes() == LOGO.read_bytes()
    assert form.code() == 'mediakit.qr("hi", logo=pathlib.Path("logo.png"))'
    assert eval(form.code(), {"mediakit": mediakit, "pathlib": pathlib}) == form.result


def test_saved_file_never_replaces_another(folder: Path) -> None:
    (folder / "logo.png").write_text("other")
    form = mediakit.form(mediakit.qr, data="hi")
    for _ in range(2):
        upload(form, "logo.png", LOGO.read_bytes(), field="logo")
        save_upload(form)
        assert 'pathlib.Path("logo-1.png")' in form.code()
    assert (folder / "logo.png").read_text() == "other"
    assert len(list(folder.iterdir())) == 2


@pytest.mark.browser
def test_saved_logo_of_template_is_named_in_call(folder: Path) -> None:
    form = mediakit.form(mediakit.capture, template="og", data={"title": "Hello"})
    upload(form, "logo.png", LOGO.read_bytes(), field="logo")
    save_upload(form)
    assert 'pathlib.Path("logo.png")' in form.code()
    assert "data:image" not in form.code("curl").replace("data:image/png;base64,$(base64 < logo.png", "")
    assert "import pathlib" in shown(form)
    assert eval(form.code(), {"mediakit": mediakit, "pathlib": pathlib}) == form.result
