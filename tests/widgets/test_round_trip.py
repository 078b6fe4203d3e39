"""The values and the code of a form create the form, and its result, again."""

import pathlib
from pathlib import Path
from typing import Any

import pytest

import mediakit
from mediakit.core.tool import Tool
from mediakit.samples import LOGO, REPORT
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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of a notebook."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("tool", "values"),
    [
        *(parameter(tool, COMPLETE.get(tool.name) or CALLS[tool.name]) for tool in all_tools()),
        *(pytest.param(getattr(mediakit, name), values, id=values["template"]) for name, values in TEMPLATE_CALLS),
    ],
)
def test_values_of_form_create_equal_form(folder: Path, tool: Tool[..., Any], values: dict[str, Any]) -> None:
    assert folder.is_dir()
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


def test_code_names_an_upload_that_is_saved_beside_the_notebook(folder: Path) -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    upload(form, "../logo.png", LOGO.read_bytes(), field="logo")
    wait_for_update(form)
    assert "Insert and Copy save logo.png beside the notebook." in shown(form)
    assert list(folder.iterdir()) == []
    assert form.code() == 'mediakit.qr("hi", logo=pathlib.Path("logo.png"))'
    assert (folder / "logo.png").read_bytes() == LOGO.read_bytes()
    assert eval(form.code(), {"mediakit": mediakit, "pathlib": pathlib}) == form.result
    wait_for_update(form)
    assert "beside the notebook" not in shown(form)


def test_saved_file_never_replaces_another(folder: Path) -> None:
    (folder / "logo.png").write_text("other")
    form = mediakit.form(mediakit.qr, data="hi")
    for _ in range(2):
        upload(form, "logo.png", LOGO.read_bytes(), field="logo")
        assert 'pathlib.Path("logo-1.png")' in form.code()
    assert (folder / "logo.png").read_text() == "other"
    assert len(list(folder.iterdir())) == 2


def test_code_names_files_that_were_passed_as_bytes_and_results(folder: Path) -> None:
    first = mediakit.pdf_merge(files=[REPORT])
    form: Any = mediakit.form("pdf_merge", files=[first, REPORT.read_bytes(), REPORT])
    again = eval(form.code(), {"mediakit": mediakit, "pathlib": pathlib})
    assert again.pages == form.result.pages
    assert len(list(folder.iterdir())) == 2


def test_file_that_cannot_be_saved_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    upload(form, "logo.png", LOGO.read_bytes(), field="logo")
    wait_for_update(form)
    monkeypatch.chdir("/proc")
    form.code()
    assert "The file cannot be saved beside the notebook" in shown(form)


def test_file_of_the_folder_can_be_chosen_by_its_name(folder: Path) -> None:
    (folder / "images").mkdir()
    for path in (folder / "logo.png", folder / "images" / "second.png"):
        path.write_bytes(LOGO.read_bytes())
    for name in ("notes.txt", ".hidden.png"):
        (folder / name).write_text("text")
    form: Any = mediakit.form(mediakit.qr, data="hi")
    chooser = form.fields["logo"].input.folder
    assert chooser.path.options == ("logo.png", "images/second.png")
    chooser.path.value = "images/second.png"
    assert form.code() == 'mediakit.qr("hi", logo=pathlib.Path("images/second.png"))'
    chooser.path.value = "missing.png"
    assert "There is no file &quot;missing.png&quot;" in shown(form)
    assert form.values["logo"] == Path("images/second.png")


def test_files_of_the_folder_are_added_to_a_list(folder: Path) -> None:
    (folder / "report.pdf").write_bytes(REPORT.read_bytes())
    form: Any = mediakit.form("pdf_merge", files=[REPORT])
    form.fields["files"].input.folder.path.value = "report.pdf"
    assert form.values["files"] == [REPORT, Path("report.pdf")]


@pytest.mark.browser
def test_uploaded_logo_of_template_is_named_in_call(folder: Path) -> None:
    form = mediakit.form(mediakit.capture, template="og", data={"title": "Hello"})
    upload(form, "logo.png", LOGO.read_bytes(), field="logo")
    assert 'pathlib.Path("logo.png")' in form.code()
    assert "data:image" not in form.code("curl").replace("data:image/png;base64,$(base64 < logo.png", "")
    assert (folder / "logo.png").is_file()
    assert eval(form.code(), {"mediakit": mediakit, "pathlib": pathlib}) == form.result
