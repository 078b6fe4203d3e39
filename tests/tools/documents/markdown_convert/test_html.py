"""`markdown_convert` to HTML: pages, fragments, titles, contents, and fields that are refused."""

import re
from typing import Any

import pytest
from lxml import html

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import GUIDE_MARKDOWN

THEMES = ("plain", "report", "github")


def page(markdown: str, **options: Any) -> html.HtmlElement:
    return html.document_fromstring(mediakit.markdown_convert(markdown, **options).content)


@pytest.mark.parametrize("theme", THEMES)
def test_page_is_one_file_that_loads_nothing(theme: Any) -> None:
    result = mediakit.markdown_convert(GUIDE_MARKDOWN, theme=theme, toc=True)
    text = result.content.decode()

    assert (result.filename, result.mime_type) == ("document.html", "text/html")
    assert not re.search(r"<script|<link|src=|@import|url\(\W?(?!data:|\W)", text)
    assert "prefers-color-scheme: dark" in text


def test_page_has_title_language_and_direction() -> None:
    root = page("# Ünï <b>&</b> *x*\n")
    arabic = page("---\nlang: ar\n---\nمرحبا\n")

    assert (root.findtext(".//title"), root.get("lang"), root.get("dir")) == ("Ünï & x", "en", "ltr")
    assert (arabic.get("lang"), arabic.get("dir")) == ("ar", "rtl")
    assert page("x", lang="he").get("dir") == "rtl"


def test_title_is_written_once() -> None:
    front = "---\ntitle: Lakes\nauthor: Ada\n---\n"

    assert [each.text for each in page(f"{front}# Lakes\n\nText\n").iter("h1")] == ["Lakes"]
    assert [each.text for each in page(f"{front}# Start\n").iter("h1")] == ["Lakes", "Start"]
    assert [each.text for each in page("# A\n\ntext", title="B <").iter("h1")] == ["B <", "A"]
    assert page(f"{front}Text\n").find_class("byline")[0].text == "Ada"


def test_contents_follow_the_title_and_link_to_headings() -> None:
    root = page("# T\n\n## A & b\n\n### C\n\n##### D\n\n###### E\n", toc=True, numbered=True)
    contents = root.find_class("contents")[0]

    assert [element.tag for element in root.find(".//main")] == ["h1", "nav", "h2", "h3", "h5", "h6"]  # type: ignore[union-attr]
    assert [" ".join(link.text_content().split()) for link in contents.iter("a")] == ["1 A & b", "1.1 C", "1.1.1 D"]
    anchors = [str(link.get("href")).removeprefix("#") for link in contents.iter("a")]
    assert anchors == [root.find(f".//{tag}").get("id") for tag in ("h2", "h3", "h5")]  # type: ignore[union-attr]


def test_contents_are_omitted_from_text_without_headings() -> None:
    assert page("Text", toc=True).find_class("contents") == []


def test_fragment_is_the_text_alone_with_plain_code() -> None:
    result = mediakit.markdown_convert("# A\n\n```python\nx = 1\n```\n", document=False)

    assert result.content.decode() == ('<h1 id="a">A</h1>\n<pre><code class="language-python">x = 1\n</code></pre>\n')


def test_meta_describes_the_document() -> None:
    meta = mediakit.markdown_convert("# A b\n\nTwo words\n").meta

    assert meta == {
        "size_bytes": meta["size_bytes"],
        "title": "A b",
        "headings": [{"level": 1, "text": "A b", "anchor": "a-b"}],
        "words": 4,
        "warnings": [],
    }
    assert mediakit.markdown_convert("x").meta["title"] is None


def test_images_stay_links_or_data() -> None:
    data = "data:image/png;base64,iVBORw0KGgo="
    fragment = mediakit.markdown_convert(f"![a](https://example.com/a.png) ![b](b.png) ![c]({data})", document=False)

    images = html.fragment_fromstring(fragment.content.decode()).findall("img")
    assert [image.get("src") for image in images] == ["https://example.com/a.png", "b.png", data]


def test_equal_input_gives_equal_bytes() -> None:
    first, second = (mediakit.markdown_convert(GUIDE_MARKDOWN, toc=True).content for _ in range(2))

    assert first == second


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "markdown: is required."),
        ({"markdown": ""}, "markdown: must not be empty."),
        ({"markdown": "a" * 1_048_577}, "markdown: must have at most 1048576 characters, got 1048577."),
        ({"markdown": "a", "to": "rtf"}, "to: must be "),
        ({"markdown": "a", "lang": "en us"}, 'lang: must be a language tag such as "en" or "pt-BR", got "en us".'),
        ({"markdown": "a", "to": "pdf", "document": False}, "document: false requires to html, got pdf."),
        ({"markdown": "a", "margin": 100, "format": "A5"}, "margin: left and right must be at most 138 mm together"),
        (
            {"markdown": "a", "to": "pdf", "page_numbers": True, "margin": 5},
            "page_numbers: requires margin of at least 10 mm, got 5.",
        ),
    ],
)
def test_wrong_fields_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput) as error:
        mediakit.markdown_convert(**values)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("text", ["\0", "\x01\x7f\ufffe", " ", "\n", "\t\n"])
def test_text_without_words_makes_a_page(text: str) -> None:
    assert page(text).find(".//main") is not None


def test_right_to_left_blocks_of_a_left_to_right_page_have_their_direction() -> None:
    source = "English with שלום.\n\nשלום לכולם, world.\n\n- אחת\n- שתיים\n\n| עמודה | b |\n|---|---|\n| ערך | 1 |\n"
    body = mediakit.markdown_convert(source, document=False).content.decode()
    assert body.startswith("<p>English with")
    assert '<p dir="rtl">שלום' in body
    assert '<ul dir="rtl">' in body
    assert '<table dir="rtl">' in body
    assert 'dir="' not in mediakit.markdown_convert(source, document=False, lang="he").content.decode()


@pytest.mark.parametrize(
    ("latex", "columns"),
    [
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", 2),
        (r"\begin{alignat}{2} a &= b \\ c &= d \end{alignat}", 2),
        (r"\begin{equation*}\begin{aligned} a &= b \\ c &= d \end{aligned}\end{equation*}", 2),
        (r"\begin{eqnarray} a &=& b \\ c &\leq& d \end{eqnarray}", 2),
        (r"\begin{gather} a = b \\ c = d \end{gather}", 1),
        (r"\begin{gathered} a = b \\ c = d \end{gathered}", 1),
        (r"\begin{multline} a = b \\ c = d \end{multline}", 1),
        (r"\begin{align} a &= b \\ c &= d \end{align}", 2),
    ],
)
def test_rows_of_a_formula_are_below_each_other(latex: str, columns: int) -> None:
    formula = page(f"$$\n{latex}\n$$").find(".//math")

    assert formula is not None
    rows = formula.findall(".//mtr")
    assert [len(row) for row in rows] == [columns, columns]
    assert [row.text_content() for row in rows] in (["a=b", "c=d"], ["a=b", "c≤d"])


def test_matrix_in_rows_of_eqnarray_keeps_its_columns() -> None:
    matrix = r"\begin{pmatrix} 1 & 0 & x \\ 0 & \cdots & y \end{pmatrix}"
    latex = rf"\begin{{eqnarray}} A &=& {matrix} \\ B &\stackrel{{x}}{{=}}& C \end{{eqnarray}}"
    formula = page(f"$$\n{latex}\n$$").find(".//math")

    assert formula is not None
    assert sorted(len(row) for row in formula.findall(".//mtr")) == [2, 2, 3, 3]


def test_items_beside_those_of_a_task_list_keep_their_bullets() -> None:
    root = page("- plain\n- [x] task")
    plain, task = root.findall(".//li")

    assert "task-list-item" in task.get("class", "")
    assert "task-list-item" not in plain.get("class", "")
    assert re.search(r"\.task-list-item \{[^}]*list-style: none", root.findtext(".//style") or "")
    assert "contains-task-list {" not in (root.findtext(".//style") or "")
