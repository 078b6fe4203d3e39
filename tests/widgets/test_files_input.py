"""The input for several files: its list, the order of the request, and the code of the result."""

from pathlib import Path
from typing import Any

import ipywidgets as w
import pymupdf
import pytest

import mediakit
from mediakit.core.inputs import FileBytes
from mediakit.errors import InvalidInput
from mediakit.results.files import PdfResult
from mediakit.widgets import Form
from tests.widgets.test_form import parts, shown, upload, wait_for_update


@pytest.fixture(scope="module")
def pdfs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return PDF files with a page of one word, by that word."""
    folder = tmp_path_factory.mktemp("pdfs")
    return {word: mediakit.pdf(f"<h1>{word}</h1>").save(folder / f"{word}.pdf") for word in ("first", "second")}


def words(result: PdfResult) -> list[str]:
    """Return the text of each page."""
    with pymupdf.open(stream=result.content) as pdf:  # type: ignore[no-untyped-call]
        return [page.get_text().strip() for page in pdf]


def names(form: Form[Any]) -> list[str]:
    """Return the files that the form lists."""
    rows = [part for part in parts(form.widget) if "mediakit-file-row" in getattr(part, "_dom_classes", ())]
    return [row.children[0].value.rpartition("'>")[2].removesuffix("</span>") for row in rows]


def files_form(**values: Any) -> Form[PdfResult]:
    """Return a form with the usual input for files; `mediakit.form` adds thumbnails for `pdf_merge`."""
    return Form(mediakit.pdf_merge, values)


def button(form: Form[Any], text: str) -> w.Button:
    return next(part for part in parts(form.widget) if isinstance(part, w.Button) and part.description == text)


def test_initial_files_are_listed_and_merged_in_order(pdfs: dict[str, Path]) -> None:
    form = files_form(files=[pdfs["second"], str(pdfs["first"])])
    assert names(form) == ["second.pdf", "first.pdf"]
    assert words(form.result) == ["second", "first"]
    assert "files <span>2 files</span>" in shown(form)


def test_initial_file_can_be_path_as_text(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text("id\n007\n")
    form = mediakit.form(mediakit.data_convert, file=str(table), to="json")
    assert form.result.data == [{"id": "007"}]
    assert "<span>a.csv</span>" in shown(form)


def test_initial_file_that_does_not_exist_is_rejected() -> None:
    with pytest.raises(InvalidInput, match=r'files\[0\]: there is no file "missing\.pdf"'):
        files_form(files=["missing.pdf"])


def test_uploaded_files_are_added_after_the_others(pdfs: dict[str, Path]) -> None:
    form = files_form(files=[pdfs["second"]])
    upload(form, "<first>.pdf", pdfs["first"].read_bytes(), field="files")
    assert names(form) == ["second.pdf", "&lt;first&gt;.pdf"]
    assert form.fields["files"].control.value == ()
    assert words(form.result) == ["second", "first"]


def test_file_moves_up(pdfs: dict[str, Path]) -> None:
    form = files_form(files=[pdfs["first"], pdfs["second"]])
    assert button(form, "Move first.pdf up").disabled
    button(form, "Move second.pdf up").click()
    wait_for_update(form)
    assert names(form) == ["second.pdf", "first.pdf"]
    assert words(form.result) == ["second", "first"]


def test_file_is_removed(pdfs: dict[str, Path]) -> None:
    form = files_form(files=[pdfs["first"], pdfs["second"]])
    button(form, "Remove first.pdf").click()
    wait_for_update(form)
    assert words(form.result) == ["second"]
    assert "files <span>1 file</span>" in shown(form)
    button(form, "Remove second.pdf").click()
    wait_for_update(form)
    assert "files" not in form.values
    assert form.fields["files"].error == "Fill in files."


def test_form_without_files_shows_hint() -> None:
    form = files_form()
    wait_for_update(form)
    assert "Fill in files." in shown(form)


def test_initial_files_can_be_results_and_bytes(pdfs: dict[str, Path]) -> None:
    content = pdfs["first"].read_bytes()
    files = [mediakit.pdf("<h1>result</h1>"), content, FileBytes.named(content, "named.pdf")]
    form = files_form(files=files)
    assert names(form) == ["file-1.pdf", "file-2.pdf", "named.pdf"]
    assert words(form.result) == ["result", "first", "first"]


def test_code_has_paths_in_order_of_files(pdfs: dict[str, Path]) -> None:
    form = files_form(files=[pdfs["first"]], toc=True)
    upload(form, "added.pdf", pdfs["second"].read_bytes(), field="files")
    wait_for_update(form)
    paths = f'pathlib.Path("{pdfs["first"]}"), pathlib.Path("added.pdf")'
    assert paths in shown(form).replace("&quot;", '"')
    assert paths in form.result.code()
    assert "-F files=@added.pdf" in form.result.code("curl")


def test_passwords_are_hidden_in_control_and_code(pdfs: dict[str, Path]) -> None:
    form = files_form(files=[pdfs["first"]], password="hunter2")
    assert isinstance(form.fields["password"].control, w.Password)
    assert form.values["password"] == "hunter2"
    assert words(form.result) == ["first"]
    assert "password=&quot;...&quot;" in shown(form)
    assert "hunter2" not in shown(form) + form.result.code()


def test_several_initial_passwords_are_used_until_one_is_entered(pdfs: dict[str, Path]) -> None:
    form = files_form(files=[pdfs["first"]], password=["a", "b"])
    assert form.values["password"] == ["a", "b"]
    assert form.fields["password"].control.placeholder == "2 from your code"
    form.fields["password"].control.value = "c"
    assert form.values["password"] == "c"


@pytest.mark.parametrize("pages", [["", "1"], ["1", ""]])
def test_empty_line_is_item_of_list_of_page_ranges(pages: list[str], pdfs: dict[str, Path]) -> None:
    form = files_form(files=list(pdfs.values()), pages=pages)
    assert form.values["pages"] == pages
    assert words(form.result) == ["first", "second"]


def test_empty_line_before_text_is_kept_when_typed(pdfs: dict[str, Path]) -> None:
    form = files_form(files=list(pdfs.values()))
    form.fields["pages"].control.value = "\n1\n"
    assert form.values["pages"] == ["", "1"]
    form.fields["pages"].control.value = "\n"
    assert "pages" not in form.values


def test_line_of_columns_can_be_json_object() -> None:
    columns = ["b", {"name": "a", "as": "c"}]
    form = mediakit.form(mediakit.data_convert, text="a,b\n1,2\n", to="csv", columns=columns)
    assert form.result.text == "b,c\n2,1\n"
    form.fields["columns"].control.value = 'a\n\n{"name": "b", "as": "d"}'
    wait_for_update(form)
    assert form.result.text == "a,d\n1,2\n"
    form.fields["columns"].control.value = "{"
    wait_for_update(form)
    assert form.fields["columns"].error == 'Must be a text or a JSON object per line, got "{".'


def test_download_is_named_like_the_result(tmp_path: Path) -> None:
    table = tmp_path / "a&b.csv"
    table.write_text("id\n007\n")
    form = mediakit.form(mediakit.data_convert, file=table, to="markdown")
    assert form.result.filename == "a&b.md"
    assert 'download="a&amp;b.md"' in shown(form)
