"""Inputs that are a whole text take a path and the result of a tool, in Python only."""

import io
import re
from pathlib import Path
from typing import Any

import pytest

import mediakit
from mediakit.errors import InvalidInput

PAGE = f"<title>Tea</title><h1>Tea</h1><p>{'Boil the water. ' * 9}</p>"
TEXT = f"# Tea\n\n{'Boil *the* water. ' * 9}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, with a page, a note and other files."""
    monkeypatch.chdir(tmp_path)
    Path("page.html").write_text(PAGE, "utf-8-sig")
    Path("notes.md").write_text(TEXT, "utf-16")
    Path("data.csv").write_text("city,count\nBerlin,1\n")
    Path("latin.md").write_bytes("Café".encode("latin-1"))
    mediakit.qr("x").save("code.png")
    return tmp_path


def html_of(markdown: Any) -> str:
    return mediakit.markdown_convert(markdown, document=False).text


def test_html_is_read_from_a_path() -> None:
    page = mediakit.web_to_markdown(html=Path("page.html"))
    assert page == mediakit.web_to_markdown(html=PAGE)
    assert page.title == "Tea"


def test_markdown_is_read_from_a_path_in_utf_16() -> None:
    assert html_of(Path("notes.md")) == html_of(TEXT)


@pytest.mark.parametrize("tool", ["text_repair", "file_encode", "data_convert"])
def test_text_is_read_from_a_path(tool: str) -> None:
    call = getattr(mediakit, tool)
    assert call(text=Path("data.csv")).content == call(text="city,count\nBerlin,1\n").content


def test_html_takes_a_page_that_another_tool_returned() -> None:
    page = mediakit.markdown_convert(TEXT)
    assert mediakit.web_to_markdown(html=page) == mediakit.web_to_markdown(html=page.text)


def test_markdown_takes_a_document_and_a_table_that_another_tool_returned() -> None:
    document = mediakit.document_to_markdown("page.html")
    assert html_of(document) == html_of(document.content)
    assert "<td>Berlin</td>" in html_of(mediakit.data_convert("data.csv", to="markdown"))


def test_text_takes_every_result_that_is_text() -> None:
    results: list[Any] = [mediakit.document_to_markdown("page.html"), mediakit.data_convert("data.csv", to="json")]
    for result in results:
        encoded = mediakit.file_encode(text=result)
        assert mediakit.file_encode(encoded, action="decode").content == result.file


@pytest.mark.parametrize(
    ("tool", "values", "message"),
    [
        ("pdf", {"html": "page.html"}, 'html: "page.html" names a file; pass pathlib.Path("page.html").'),
        ("web_to_markdown", {"html": "page.html"}, 'html: "page.html" names a file'),
        ("markdown_convert", {"markdown": "notes.md"}, 'markdown: "notes.md" names a file'),
        ("text_repair", {"text": "notes.md"}, 'text: "notes.md" names a file'),
        ("pdf", {"html": Path("missing.html")}, "html: cannot read 'missing.html': No such file or directory."),
        ("pdf", {"html": Path("latin.md")}, "html: latin.md is not text in UTF-8; pass its text, such as path."),
        (
            "pdf",
            {"html": Path("code.png")},
            "html: must be HTML, got code.png (a PNG image). Its .data_uri()",
        ),
        (
            "pdf",
            {"html": Path("data.csv")},
            'got data.csv (a CSV file). mediakit.table_image(..., format="html")',
        ),
        (
            "mail_merge",
            {"rows": [{"a": 1}], "html": Path("notes.md")},
            "got notes.md (a Markdown file). mediakit.markdown_convert",
        ),
        (
            "markdown_convert",
            {"markdown": Path("page.html")},
            "got page.html (an HTML file). mediakit.web_to_markdown(",
        ),
        ("markdown_convert", {"markdown": Path("code.png")}, "markdown: must be Markdown, got code.png (a PNG image)."),
        ("qr", {"data": Path("code.png")}, "data: must be text, got code.png (a PNG image). Its .data_uri() is text."),
        ("screenshot", {"url": Path("page.html")}, "got a PosixPath. mediakit.capture renders HTML."),
        ("web_to_markdown", {"url": Path("page.html")}, "got a PosixPath. HTML is passed as html=."),
    ],
)
def test_file_that_does_not_fit_is_an_error_of_one_line(tool: str, values: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(message)) as error:
        getattr(mediakit, tool).build(**values)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: mediakit.qr("x"), "markdown: must be Markdown, got ImageResult (a PNG image)."),
        (lambda: mediakit.markdown_convert("# Tea"), "markdown: must be Markdown, got FileResult (an HTML file). "),
        (
            lambda: mediakit.markdown_convert("# Tea", to="docx"),
            "mediakit.document_to_markdown returns it as Markdown.",
        ),
        (
            lambda: mediakit.zip(["data.csv"]),
            "markdown: must be Markdown, got FileResult (a ZIP file). Pass one of its",
        ),
    ],
)
def test_result_that_does_not_fit_is_an_error_that_names_the_way(make: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(message)):
        mediakit.markdown_convert(make())


def test_text_of_a_request_never_reads_a_file() -> None:
    assert mediakit.capture.validate({"html": "page.html"}).html == "page.html"
    with pytest.raises(InvalidInput, match="html: must be text"):
        mediakit.capture.validate({"html": Path("page.html")})


@pytest.mark.parametrize(("tool", "what"), [("pdf", "HTML"), ("capture", "HTML"), ("markdown_convert", "Markdown")])
def test_url_in_place_of_a_document_is_an_error_that_names_the_way(tool: str, what: str) -> None:
    message = f'must be {what}, got the URL "https://tea.example/a". web_to_markdown and screenshot load pages.'
    with pytest.raises(InvalidInput, match=re.escape(message)):
        getattr(mediakit, tool)(" https://tea.example/a\n")
    request = getattr(mediakit, tool).validate({what.lower(): "https://tea.example/a"})  # over HTTP a text is a text
    assert getattr(request, what.lower()) == "https://tea.example/a"


def test_words_that_name_no_file_and_texts_of_several_lines_stay_texts() -> None:
    assert mediakit.pdf.build("page").html == "page"
    assert mediakit.pdf.build("page.html\n").html == "page.html\n"
    assert mediakit.pdf.build("x" * 5000).html == "x" * 5000
    assert mediakit.qr.build("notes.md").data == "notes.md"


def test_short_text_takes_a_path_and_a_result_without_the_last_line_break() -> None:
    Path("link.txt").write_text("https://example.com\n")
    for source in (Path("link.txt"), mediakit.text_repair("link.txt")):
        assert mediakit.qr.build(data=source).data == "https://example.com"  # type: ignore[arg-type]  # types say str


class TextPath(str):
    """A path as the package `path` has it."""

    __slots__ = ()

    def __fspath__(self) -> str:
        return str(self)


def test_path_that_is_a_kind_of_text_is_read() -> None:
    build: Any = mediakit.qr.build
    assert build(TextPath("data.csv")) == build(Path("data.csv"))


def test_page_and_notes_become_html_of_a_page() -> None:
    page = mediakit.pdf.build(mediakit.web_to_markdown(html=PAGE))
    assert "<h1>Tea</h1>\n<p>Boil the water." in page.html
    assert page.margin == 20
    assert mediakit.pdf.build(Path("notes.md"), margin=3).margin == 3
    assert "<em>the</em>" in mediakit.capture.build(Path("notes.md")).html


def test_plain_text_keeps_its_lines_in_html() -> None:
    Path("a.txt").write_text("a < b\n  c")
    assert 'pre-wrap; overflow-wrap: anywhere">a &lt; b\n  c</div>' in mediakit.capture.build(Path("a.txt")).html


@pytest.mark.parametrize(
    ("charset", "text"),
    [("utf-8", "Tee für zwei"), ("windows-1252", "Tee für zwei"), ("shift_jis", "お茶の時間"), ("gb2312", "喝茶时间")],
)
def test_html_is_read_from_bytes_and_open_files_in_the_charset_that_it_states(
    charset: str, text: str, tmp_path: Path
) -> None:
    content = f'<html><head><meta charset="{charset}"></head><body><p>{text}</p></body></html>'.encode(charset)
    path = tmp_path / "tea.html"
    path.write_bytes(content)
    for source in (content, bytearray(content), io.BytesIO(content), path):
        assert text in mediakit.web_to_markdown.build(html=source).html
    assert mediakit.web_to_markdown.build(html=io.StringIO("<p>tea</p>")).html == "<p>tea</p>"


@pytest.mark.parametrize(("stated", "charset"), [("windows-1251", "utf-8"), ("iso-2022-jp", "iso-2022-jp")])
def test_html_is_read_in_its_real_charset(stated: str, charset: str, tmp_path: Path) -> None:
    text = "お茶の時間"
    path = tmp_path / "saved.html"
    path.write_bytes(f'<meta charset="{stated}"><p>{text}</p>'.encode(charset))
    assert text in mediakit.web_to_markdown.build(html=path).html


@pytest.mark.parametrize("charset", ["utf-8", "no-such-charset", "undefined", "utf-7", "unicode_escape", "punycode"])
def test_html_that_is_not_in_its_charset_is_an_error_that_names_it(charset: str) -> None:
    with pytest.raises(InvalidInput, match=f"^html: the HTML is not text in {charset}; pass its text"):
        mediakit.web_to_markdown.build(html=f'<meta charset="{charset}"><p>\xe9'.encode("latin-1"))
