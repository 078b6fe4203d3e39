"""HTML pages and delimited text as Markdown."""

import base64
import io

import pytest
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput


def markdown(content: bytes, **options: object) -> str:
    return mediakit.document_to_markdown(content, **options).content  # type: ignore[arg-type]


def test_csv_cells_stay_as_they_are_written() -> None:
    assert markdown(b"id;price\n007;1,50\n") == "| id | price |\n| --- | --- |\n| 007 | 1,50 |"


def test_csv_of_a_legacy_charset_is_decoded_and_the_charset_named() -> None:
    text = "name;Straße\nMüller;Gärtnerstraße 3\nJäger;Am Bühl 7\n" * 5
    result = mediakit.document_to_markdown(text.encode("cp1252"))
    assert "Gärtnerstraße" in result.content
    assert "charset" in result.meta["warnings"][0]


def test_tsv_is_named_tsv() -> None:
    assert mediakit.document_to_markdown(b"a\tb\n1\t2\n3\t4\n").type == "tsv"


def test_csv_in_text_format_has_tabs() -> None:
    assert markdown(b"a,b\n1,2\n", format="text") == "a\tb\n1\t2"


def test_cells_with_pipes_and_markup_are_escaped() -> None:
    assert markdown(b"a,b\nx|y,*z*\n").endswith(r"| x\|y | \*z\* |")


def test_html_is_converted_as_a_whole_with_its_title() -> None:
    page = (
        b"<html><head><title>Tea</title></head><body><nav>Menu</nav><h1>Tea</h1><p>Hot <b>water</b></p></body></html>"
    )
    result = mediakit.document_to_markdown(page)
    assert (result.type, result.title) == ("html", "Tea")
    assert result.content == "Menu\n\n# Tea\n\nHot **water**"


def test_merged_cells_become_an_html_table() -> None:
    page = b"<!doctype html><table><tr><th colspan=2>Sum</th></tr><tr><td>1 &lt; 2<td>b</tr></table>"
    assert '<tr><th colspan="2">Sum</th></tr>' in markdown(page)
    assert "<td>1 &lt; 2</td>" in markdown(page)


def test_html_images_in_data_uris_are_listed_and_embedded() -> None:
    file = io.BytesIO()
    Image.new("RGB", (7, 5), "red").save(file, "PNG")
    uri = f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
    page = f"<html><body><p>See <img alt='A dot' src='{uri}'></p></body></html>".encode()
    result = mediakit.document_to_markdown(page, images="embed")
    assert result.content == "See ![A dot](image-1.png)"
    assert (result.images[0].width, result.images[0].height) == (7, 5)
    assert result.images[0].file == file.getvalue()
    assert mediakit.document_to_markdown(page).images[0].file is None
    assert mediakit.document_to_markdown(page, images="none").images == []


def test_media_and_embedded_pages_are_named() -> None:
    page = (
        b"<html><body><p>Hi</p><video><object></object></video><embed src=a.swf><iframe src=/b></iframe></body></html>"
    )
    result = mediakit.document_to_markdown(page)
    assert result.content == "Hi"
    assert result.meta["warnings"] == [
        "Audio and video that were omitted: 1.",
        "Embedded files that were omitted: 1.",
        "Linked documents that were not loaded: 1.",
    ]


def test_html_column_without_text_keeps_its_delimiter() -> None:
    page = b"<html><body><table><tr><th>a<th><th>c</tr><tr><td>1<td><td></tr></table></body></html>"
    assert markdown(page) == "| a |  | c |\n| --- | --- | --- |\n| 1 |  |  |"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a JPEG image"),
        (b"Only a sentence, nothing else.", "a text file"),
        (b'{"a": 1}', "a JSON file"),
    ],
)
def test_other_files_are_refused_by_what_they_are(content: bytes, what: str) -> None:
    with pytest.raises(InvalidInput, match=f"file: must be a document such as DOCX, got {what}"):
        mediakit.document_to_markdown(content)


def test_long_tables_are_truncated_after_a_row() -> None:
    result = mediakit.document_to_markdown(b"a,b\n" + b"1,2\n" * 1000, max_chars=100)
    assert result.truncated
    assert len(result.content) <= 100
    assert result.content.endswith("|")


@pytest.mark.parametrize(
    "address",
    [
        "https://www.bing.com/ck/a?!&&p=ab&u=a1aHR0cHM6Ly9leGFtcGxlLmNvbS90ZWE&ntb=1",
        "https://www.google.com/url?sa=t&url=https%3A%2F%2Fexample.com%2Ftea&usg=x",
        "https://duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.com%2Ftea",
    ],
)
def test_redirects_of_search_results_become_their_targets(address: str) -> None:
    page = f"<html><body><p><a href='{address.replace('&', '&amp;')}'>Tea</a></p></body></html>"
    assert markdown(page.encode()) == "[Tea](https://example.com/tea)"


def test_redirect_to_a_script_loses_its_address() -> None:
    page = b"<html><body><p><a href='https://www.google.com/url?q=javascript:alert(1)'>Tea</a></p></body></html>"
    assert markdown(page) == "Tea"


def test_other_addresses_stay_as_they_are() -> None:
    address = "https://notbing.com/ck/a?u=a1aHR0cHM6Ly9hLmI"
    assert markdown(f"<html><body><p><a href='{address}'>Tea</a></p></body></html>".encode()) == f"[Tea]({address})"


def test_text_that_begins_with_many_comments_is_refused_as_no_document() -> None:
    """Takes hours where a comment can end at the end of another one."""
    with pytest.raises(InvalidInput, match="must be a document"):
        mediakit.document_to_markdown(b"<!-- -->\n" * 500 + b"word")
