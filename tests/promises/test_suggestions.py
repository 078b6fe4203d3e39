"""Errors know what people mean: in Python, over HTTP and in the shell."""

import base64
import io
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image

import mediakit
from mediakit.cli import main
from mediakit.core.request import choice_synonyms
from mediakit.errors import InvalidCall, InvalidInput, NotFound, UnknownName
from mediakit.results.files import FileResult
from mediakit.samples import LANDSCAPE, MINUTES, REPORT
from mediakit.tools.catalogue import all_tools, tool_names
from mediakit.tools.tasks import RECIPES, SYNONYMS, TASKS, Recipe
from tests.conftest import Api

PHOTO = base64.b64encode(LANDSCAPE.read_bytes()).decode()


def error_of(call: Callable[..., Any], *args: Any, **values: Any) -> str:
    with pytest.raises((InvalidInput, InvalidCall)) as caught:
        call(*args, **values)
    return str(caught.value)


def shell(*args: str) -> tuple[int, str]:
    """Return the exit code of a command and the last line that it prints."""
    done = CliRunner().invoke(main, args)
    return done.exit_code, done.output.strip().splitlines()[-1]


# --- fields and choices -----------------------------------------------------------------------------------------------

CASES = [
    ("qr", {"data": "x", "color": "#112233"}, 'color: is not a known field; did you mean "dark"?'),
    ("qr", {"data": "x", "background": "#112233"}, 'background: is not a known field; did you mean "light"?'),
    ("images", {"file": PHOTO, "size": 200}, 'size: is not a known field; did you mean "width" or "height"?'),
    ("chart", {"type": "column", "labels": ["a"], "series": [{"data": [1]}]}, 'got "column". Did you mean "bar"?'),
    ("chart", {"type": "donut", "labels": ["a"], "series": [{"data": [1]}]}, 'got "donut". Did you mean "doughnut"?'),
    ("pdf", {"template": "bill"}, 'got "bill". Did you mean "invoice"?'),
    (
        "pdf",
        {"template": "invoice", "logo": "data:image/png;base64,", "sise": 3},
        'logo: is not a known field; it is a key of the template "invoice"; pass data={"logo": ...}. (1 more',
    ),
    (
        "data_query",
        {"rows": [{"unit price": 1}], "sql": "select unit price from data"},
        'double quotes in SQL: select "unit price"',
    ),
    ("image_watermark", {"file": PHOTO, "text": "x", "position": "southeast"}, 'Did you mean "right bottom"?'),
    ("image_watermark", {"file": PHOTO, "logo": PHOTO}, 'logo: is not a known field; did you mean "mark"?'),
    ("image_compare", {"image1": PHOTO, "file2": PHOTO}, 'image1: is not a known field; did you mean "file"?'),
    ("data_diff", {"left": PHOTO}, 'left: is not a known field; did you mean "file"?'),
    ("pdf_merge", {"pdfs": [PHOTO]}, 'pdfs: is not a known field; did you mean "files"?'),
    ("pdf_redact", {"find": ["Ada"]}, 'find: is not a known field; did you mean "words"?'),
    ("document_to_markdown", {"path": PHOTO}, 'path: is not a known field; did you mean "file"?'),
    ("validate_phone", {"number": "+34 912 34 56 78"}, 'number: is not a known field; did you mean "phone"?'),
    ("pdf", {"markdown": "# Notes"}, "markdown: is not a known field; markdown_convert makes a PDF of Markdown"),
    ("qr", {"wifi": "Guests"}, "wifi: is not a known field; mediakit.payloads.wifi returns the data of such a code."),
]


@pytest.mark.parametrize(("tool", "values", "words"), CASES)
def test_python_suggests_field_or_choice_that_is_meant(tool: str, values: dict[str, Any], words: str) -> None:
    assert words in error_of(getattr(mediakit, tool), **values)


@pytest.mark.anyio
@pytest.mark.parametrize(("tool", "values", "words"), CASES)
async def test_http_suggests_field_or_choice_that_is_meant(
    api: Api, tool: str, values: dict[str, Any], words: str
) -> None:
    response = await api.json(f"/{tool.replace('_', '-')}", values)
    assert response.status_code == 400
    assert words in response.json()["error"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["qr", "x", "--color", "red"], 'No such option "--color"; did you mean "--dark"?'),
        (["images", "x.png", "--size", "200"], 'No such option "--size"; did you mean "--width" or "--height"?'),
        (["qr", "x", "--siz", "200"], 'No such option "--siz"; did you mean "--size"?'),
        (["chart", "column"], 'Did you mean "bar"?'),
        (
            ["pdf", "--template", "invoice", "--logo", "logo.png"],
            'No such option "--logo"; it is a key of the template "invoice": --data "logo=..."',
        ),
        (["pdf", "--url", "https://example.com"], 'No such option "--url"; screenshot and web_to_markdown load a URL'),
    ],
)
def test_shell_suggests_option_or_choice_that_is_meant(args: list[str], words: str) -> None:
    code, line = shell(*args)
    assert code == 2
    assert words in line


@pytest.mark.parametrize(
    ("tool", "values"),
    [("qr", {"data": "x", "zebra": 1}), ("images", {"file": PHOTO, "sharpen": 1}), ("chart", {"type": "map"})],
)
def test_unrelated_name_or_choice_has_no_suggestion(tool: str, values: dict[str, Any]) -> None:
    assert "id you mean" not in error_of(getattr(mediakit, tool), **values)


def test_column_of_a_batch_suggests_field_that_is_meant() -> None:
    assert 'did you mean "dark"?' in error_of(mediakit.batch, "qr", [{"data": "x", "color": "#112233"}])


def test_unknown_template_suggests_the_one_that_is_meant() -> None:
    with pytest.raises(NotFound, match=r'got "diploma"\. Did you mean "certificate"\?'):
        mediakit.templates()["diploma"]


# --- positional arguments ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "args", "words"),
    [
        (mediakit.qr, ("x", 300), "qr() takes 1 positional argument (data), got 2; did you mean size=300?"),
        (mediakit.qr, ("x", 300, "svg"), "got 3; did you mean size=300, format='svg'?"),
        (mediakit.qr, ("x", "navy"), "did you mean dark='navy'?"),
        (mediakit.images, (LANDSCAPE, 200, 100), "did you mean width=200, height=100?"),
        (mediakit.barcode, ("12345678", "ean8"), "did you mean type='ean8'?"),
        (mediakit.chart, ("bar", ["a"], [1], "Sales"), "did you mean title='Sales'?"),
        (mediakit.pdf_merge, ("a.pdf", "b.pdf"), "pass a list: ['a.pdf', 'b.pdf']."),
        (mediakit.zip, (b"x" * 99, b"y"), "pass a list: [first, second, ...]."),
        (mediakit.pdf_merge, (FileResult(b"a", ""), FileResult(b"b", "")), "pass a list: ["),
        (mediakit.validate_email, ("a@example.com", "b@example.com"), "pass a list: values=["),
        (mediakit.qr, ("x", object()), "pass the others by name, such as size=..."),
    ],
)
def test_too_many_positional_arguments_name_the_fields_that_are_meant(call: Any, args: Any, words: str) -> None:
    assert words in error_of(call, *args)


# --- positions --------------------------------------------------------------------------------------------------------

CANONICAL = ("center", "top", "right top", "right", "right bottom", "bottom", "left bottom", "left", "left top")


@pytest.mark.parametrize("tool", [mediakit.images, mediakit.image_watermark, mediakit.pdf_stamp])
def test_every_tool_documents_positions_in_the_same_order_of_words(tool: Any) -> None:
    choices = next(each for each in tool.parameters if each.name == "position").choices
    assert choices[: len(CANONICAL)] == CANONICAL


@pytest.mark.parametrize("position", ["bottom-right", "bottom right", "right-bottom", "bottom_right", "BottomRight"])
def test_position_is_accepted_with_its_words_in_any_order(position: Any) -> None:
    assert mediakit.images.build(LANDSCAPE, width=9, position=position).position == "right bottom"
    assert mediakit.image_watermark.build(LANDSCAPE, "x", position=position).position == "right bottom"
    assert mediakit.pdf_stamp.build(REPORT, "x", position=position).position == "right bottom"


@pytest.mark.anyio
async def test_position_is_accepted_over_http_with_its_words_in_any_order(api: Api) -> None:
    images = [
        (await api.raw("/images", LANDSCAPE.read_bytes(), "image/jpeg", width="40", height="40", position=position))
        for position in ("left top", "top-left")
    ]
    assert [image.status_code for image in images] == [200, 200]
    assert images[0].content == images[1].content


def test_position_is_accepted_in_the_shell_with_its_words_in_any_order() -> None:
    args = ["images", str(LANDSCAPE), "--width", "40", "--height", "30", "-o", "-", "--position"]
    made = [CliRunner().invoke(main, [*args, position]).stdout_bytes for position in ("left top", "top-left")]
    assert Image.open(io.BytesIO(made[0])).size == (40, 30)
    assert made[0] == made[1]


# --- names of tools ---------------------------------------------------------------------------------------------------

NAMES = [
    ("chrt", "chart"),
    ("unlock_pdf", "pdf_protect"),
    ("thumbnail", "images"),
    ("excel", "data_convert"),
    ("compress_pdf", "pdf_compress"),
    ("shrink_image", "images"),
    ("html_to_pdf", "pdf"),
    ("favicon", "images"),
    ("csv_to_json", "data_convert"),
    ("plot", "chart"),
    ("scan_barcode", "code_reader"),
    ("word_to_text", "document_to_markdown"),
    ("jpg_to_png", "images"),
    ("ticket", "qr"),
    ("website_screenshot", "screenshot"),
]


@pytest.mark.parametrize(("name", "tool"), NAMES)
def test_unknown_name_in_python_suggests_the_tool(name: str, tool: str) -> None:
    with pytest.raises(UnknownName, match=rf'mediakit\.{name}: does not exist; did you mean "{tool}"'):
        getattr(mediakit, name)


@pytest.mark.parametrize(("name", "tool"), NAMES)
def test_unknown_command_suggests_the_tool(name: str, tool: str) -> None:
    command = name.replace("_", "-")
    code, line = shell(command)
    assert code == 2
    assert line.startswith(f'Error: unknown command "{command}"; did you mean "{tool.replace("_", "-")}"')


@pytest.mark.anyio
@pytest.mark.parametrize(("name", "tool"), NAMES)
async def test_unknown_path_suggests_the_tool(api: Api, name: str, tool: str) -> None:
    response = await api.json(f"/{name.replace('_', '-')}", {})
    assert response.status_code == 404
    assert response.json()["error"].startswith(f'path: does not exist; did you mean "/{tool.replace("_", "-")}"')


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("docx_to_pdf", 'did you mean mediakit.markdown_convert(mediakit.document_to_markdown("notes.docx")'),
        ("word_to_pdf", 'did you mean mediakit.markdown_convert(mediakit.document_to_markdown("notes.docx")'),
        ("invoice", 'did you mean mediakit.pdf(template="invoice", data={'),
        ("og_image", 'did you mean mediakit.capture(template="og"'),
        ("heic", "image_info and file_info read HEIC files."),
        ("ocr", "mediakit has no OCR. pdf_extract reads the text that a PDF contains"),
        ("tempaltes", 'did you mean "templates"?'),
        ("zebra", 'does not exist. mediakit.find("zebra") searches the tools.'),
    ],
)
def test_unknown_name_of_a_task_says_how_it_is_done(name: str, words: str) -> None:
    with pytest.raises(UnknownName) as caught:
        getattr(mediakit, name)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("docx-to-pdf", 'did you mean "document-to-markdown", then "markdown-convert"?'),
        ("invoice", 'did you mean "pdf"?'),
        ("ocr", "mediakit has no OCR."),
        ("servr", 'did you mean "serve"?'),
        ("zebra", 'unknown command "zebra". Search with "mediakit find WORDS".'),
    ],
)
def test_unknown_command_of_a_task_says_how_it_is_done(command: str, words: str) -> None:
    assert words in shell(command)[1]


@pytest.mark.parametrize("name", ["show", "open", "numpy", "banana", "foo", "load_model", "x", "translate"])
def test_name_of_something_else_suggests_no_tool(name: str) -> None:
    with pytest.raises(UnknownName) as caught:
        getattr(mediakit, name)
    assert "did you mean" not in str(caught.value)


def test_typing_error_imports_no_tool() -> None:
    code = (
        "import mediakit, sys\n"
        "try: mediakit.docx_to_pdf\n"
        "except AttributeError: pass\n"
        "print(*(name for name in sys.modules if name.startswith('mediakit.tools.') or name == 'pydantic'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["mediakit.tools.tasks"]


# --- searching --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("invoice", "invoice"),
        ("unlock pdf", "pdf_protect"),
        ("word to pdf", "Word to PDF"),
        ("thumbnail", "images"),
        ("excel", "data_convert"),
        ("heic", "HEIC photo"),
        ("iphone photo", "HEIC photo"),
        ("social card", "social card"),
        ("url to pdf", "URL to PDF"),
        ("html to pdf", "pdf"),
        ("remove the password of a PDF", "pdf_protect"),
        ("wifi", "qr"),
        ("receipt", "invoice"),
        ("csv to excel", "data_convert"),
        ("pdf to text", "pdf_extract"),
    ],
)
def test_find_returns_the_tool_for_a_task_first(words: str, name: str) -> None:
    found = mediakit.find(words)
    assert found[0].name == name
    assert found[0].call.startswith("mediakit.") or "pathlib" in found[0].call
    assert found[0].summary in repr(found)
    assert f"<b>{name}</b>" in found._repr_html_()


def test_find_shows_the_example_that_fits_the_words() -> None:
    assert "WIFI:" in mediakit.find("wifi")[0].call
    assert 'action="decrypt"' in mediakit.find("unlock pdf")[0].call
    assert mediakit.find("certificate")[0].call.startswith('mediakit.pdf(template="certificate"')


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.title)
def test_find_shows_the_line_of_a_task_for_its_title(recipe: Recipe) -> None:
    found = mediakit.find(recipe.title)[0]
    assert (found.name, found.call) == (recipe.tool, recipe.call)


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("excel to json", 'mediakit.data_convert("stations.xlsx", to="json")'),
        ("invoice from a spreadsheet", "mediakit.mail_merge(mediakit.data_query("),
        ("image smaller than 200 kB", 'mediakit.images("landscape.jpg", format="jpeg", max_bytes=200_000)'),
    ],
)
def test_find_shows_the_line_of_a_task_for_words_that_people_search_with(words: str, call: str) -> None:
    assert mediakit.find(words)[0].call.startswith(call)


def test_find_shows_the_command_of_a_line_with_its_files() -> None:
    commands = {recipe.title: mediakit.find(recipe.title)[0].command for recipe in RECIPES}
    assert commands["Merge PDFs"] == "mediakit pdf-merge report.pdf contract.pdf -o pdf-merge.pdf"
    assert commands["Convert CSV to Excel"] == "mediakit data-convert sales.csv --to xlsx -o data-convert.xlsx"
    assert commands["Make a QR code for each row of a table"] == ""
    assert commands["Make an invoice from each row of a spreadsheet"] == ""
    assert commands["Get the text of a PDF"] == ""


def test_find_without_words_lists_all_tools() -> None:
    assert [each.name for each in mediakit.find()] == list(tool_names())


def test_find_says_that_nothing_fits() -> None:
    assert len(mediakit.find("banana bread")) == 0
    assert repr(mediakit.find("<b>bread</b>")) == 'No tool fits "<b>bread</b>". mediakit.find() lists all tools.'
    assert "<b>" not in mediakit.find("<b>bread</b>")._repr_html_()
    with pytest.raises(InvalidInput, match='words: must be text such as "word to pdf", got a Tool'):
        mediakit.find(mediakit.qr)  # type: ignore[arg-type]


def test_shell_finds_the_tool_for_a_task() -> None:
    found = CliRunner().invoke(main, ["find", "unlock", "pdf"]).output
    assert found.startswith("pdf-protect: Encrypt a PDF with passwords and permissions, or decrypt it.")
    assert "--action decrypt" in found
    assert "In Python: mediakit.markdown_convert" in CliRunner().invoke(main, ["find", "word to pdf"]).output
    assert shell("find", "banana", "bread") == (
        1,
        'Error: no tool fits "banana bread". mediakit --help lists all tools.',
    )


@pytest.mark.anyio
async def test_documentation_page_can_search_for_the_same_words(api: Api) -> None:
    paths = (await api.http.get("/openapi.json")).json()["paths"]
    keywords = {
        path: operation["post"]["x-docs"]["keywords"] for path, operation in paths.items() if "post" in operation
    }
    assert "unlock pdf" in keywords["/pdf-protect"]
    assert "docx to pdf" in keywords["/markdown-convert"]
    assert "ocr" in keywords["/pdf-extract"]
    assert "make an image smaller than 200 kb" in keywords["/images"]


# --- example texts ----------------------------------------------------------------------------------------------------

OG = {"title": "Tea", "description": "Green", "site": "example.com", "author": "", "tag": ""}


def test_warning_names_the_keys_that_print_example_text() -> None:
    [warning] = mediakit.capture.build(template="og", data=OG).page(1200, 630).meta["warnings"]
    assert warning == {
        "code": "example_text",
        "message": 'data: date prints the example text of the template. Set it in data ("" prints nothing), '
        'or pass defaults="blank".',
    }


def test_warning_lists_at_most_eight_keys() -> None:
    [warning] = mediakit.pdf.build(template="invoice").page(794, 1123).meta["warnings"]
    assert (
        "data: title, company, company_address, company_tax_id, number, date, due_date, client and "
        in warning["message"]
    )
    assert "more print the example text of the template." in warning["message"]


@pytest.mark.parametrize("defaults", ["example", "blank"])
def test_chosen_defaults_have_no_warning(defaults: Any) -> None:
    assert "warnings" not in mediakit.capture.build(template="og", data=OG, defaults=defaults).page(1200, 630).meta


def test_complete_data_has_no_warning() -> None:
    assert "warnings" not in mediakit.capture.build(template="og", data=OG | {"date": "May"}).page(1200, 630).meta


@pytest.mark.browser
@pytest.mark.anyio
async def test_warning_is_in_the_response(api: Api) -> None:
    made = (await api.json("/capture", {"template": "og", "data": OG})).json()
    assert made["meta"]["defaults_used"] == ["date"]
    assert [warning["code"] for warning in made["meta"]["warnings"]] == ["example_text"]


@pytest.mark.browser
def test_shell_prints_the_warning(tmp_path: Path) -> None:
    args = [f"--data={key}={text}" for key, text in OG.items()]
    done = CliRunner().invoke(main, ["capture", "--template", "og", *args, "-o", str(tmp_path / "og.png")])
    assert done.exit_code == 0
    assert done.stderr.startswith("Warning: data: date prints the example text of the template.")


# --- the tables -------------------------------------------------------------------------------------------------------


def test_every_tool_has_synonyms_in_lower_case_without_repetition() -> None:
    assert tuple(SYNONYMS) == tool_names()
    for name, words in SYNONYMS.items():
        listed = words.split(", ")
        assert len(listed) >= 5, name
        assert len(set(listed)) == len(listed), name
        assert words == words.lower(), name


def test_tasks_name_tools_that_exist_and_calls_that_compile() -> None:
    for task in TASKS:
        assert set(task.tools) <= set(tool_names())
        if task.call:
            compile(task.call, task.title, "eval")


@pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
def test_synonyms_of_choices_name_choices_that_exist(tool: Any) -> None:
    choices = {each.name: set(each.choices) for each in tool.parameters if each.choices}
    for field, table in choice_synonyms(tool.request).items():
        if field in choices:
            assert set(table) <= choices[field]
            assert choices[field].isdisjoint(word for words in table.values() for word in words.split(", "))


@pytest.mark.parametrize("title", ["Word to HTML", "PDF to Word", "HEIC photo"])
def test_call_of_a_task_runs(title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pillow_heif = pytest.importorskip("pillow_heif")
    shutil.copy(MINUTES, tmp_path / "notes.docx")
    shutil.copy(REPORT, tmp_path / "report.pdf")
    pillow_heif.from_pillow(Image.new("RGB", (64, 48), "red")).save(tmp_path / "photo.heic")
    monkeypatch.chdir(tmp_path)
    call = next(task.call for task in TASKS if task.title == title)
    result = eval(call, {"mediakit": mediakit, "pillow_heif": pillow_heif})  # a call of our own
    assert len(result.file) > 100
