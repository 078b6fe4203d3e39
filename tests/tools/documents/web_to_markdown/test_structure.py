"""The structure of pages in Markdown: footnotes, callouts, links inside the page, and images that scripts load."""

import pytest

from tests.tools.documents.web_to_markdown.pages import PROSE, read

TEXT = f"<p>{PROSE}</p>"


def content(source: str, **options: object) -> str:
    return str(read(f"<main><article>{source}</article></main>", **options)["content"])


@pytest.mark.parametrize(
    ("references", "notes"),
    [
        (
            '<a href="#n1" id="r1">[1]</a> and <a href="#n2" id="r2">[2]</a>',
            '<div><p id="n1">1. Black tea. <a href="#r1">Back</a></p><p id="n2">2. Green tea.</p></div>',
        ),
        (
            '<sup><a href="#n1">1</a></sup> and <sup><a href="#n2">2</a></sup>',
            (
                '<div><div class=note><sup id="n1"><a href="#r1">1</a></sup><div><p>Black tea.</p></div></div>'
                '<div class=note><sup id="n2"><a href="#r2">2</a></sup><div><p>Green tea.</p></div></div></div>'
            ),
        ),
        (
            '<a href="#n1"><sup>1</sup></a> and <a href="#n2"><sup>2</sup></a>',
            '<p><a name="n1"><sup>1</sup></a> Black tea.<br><br><a name="n2"><sup>2</sup></a> Green tea.</p>',
        ),
        ("<sup>1</sup> and <sup>2</sup>", "<hr><p><sup>1</sup> Black tea.</p><p><sup>2</sup> Green tea.</p>"),
        ("<sup>1</sup> and <sup>2</sup>", "<h2>Notes</h2><p><b>1</b> Black tea.</p><p><b>2</b> Green tea.</p>"),
        (
            "<sup>1</sup> and <sup>2</sup>",
            '<div class="post-footnotes"><ol><li>Black tea.</li><li>Green tea.</li></ol></div>',
        ),
    ],
)
def test_notes_with_a_number_become_footnotes(references: str, notes: str) -> None:
    found = content(f"{TEXT}<p>Morning tea{references} is ready.</p>{TEXT}{notes}", main_content=False)
    assert "tea[^1] and [^2] is ready." in found.replace("tea [^1]", "tea[^1]")
    assert found.endswith("[^1]: Black tea.\n\n[^2]: Green tea.")


@pytest.mark.parametrize(
    "source",
    [
        '<p>See <a href="#s1">1</a> and <a href="#s2">2</a>.</p><h2 id=s1>1. Tea</h2><p>a</p><h2 id=s2>2. Rain</h2>',
        "<p>x<sup>2</sup> + y<sup>3</sup></p><hr><p><b>5</b> cups of tea.</p>",
        '<p>Lemma <a href="#t3">3</a>.</p><ul><li id=t3>Exercise 3. Boil water.</li></ul>',
        "<p>10 m<sup>2</sup> is small.</p><ol><li>Tea</li><li>Rain</li></ol>",
    ],
)
def test_numbers_that_are_not_footnotes_are_kept(source: str) -> None:
    assert "[^" not in content(source, main_content=False)


def test_notes_in_the_margin_become_footnotes_at_the_end() -> None:
    note = (
        '<label for="sn" class="margin-toggle sidenote-number"></label><input type=checkbox id="sn" '
        'class="margin-toggle"><span class="sidenote">Or <i>early</i> coffee.</span>'
    )
    margin = '<label for=mn>&#8853;</label><input type=checkbox id=mn><span class="marginnote">A cup.</span>'
    found = content(f"<p>Morning tea{note} is ready.</p><p>Drink it{margin} now.</p>{TEXT}", main_content=False)
    assert found.startswith("Morning tea[^1] is ready.\n\nDrink it[^2] now.\n\n")
    assert found.endswith("[^1]: Or *early* coffee.\n\n[^2]: A cup.")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            (
                '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">Warning</p>'
                "<p>Hot tea.</p></div>"
            ),
            "> [!warning] Warning\n> Hot tea.",
        ),
        (
            '<div class="admonition tip"><p class="admonition-title">Brewing</p><ul><li>Boil</li></ul></div>',
            "> [!tip] Brewing\n>\n> - Boil",
        ),
        ('<div class="alert alert-info" role="alert">Hot tea.</div>', "> [!info]\n> Hot tea."),
        (
            (
                '<div class="callout" data-callout="faq"><div class="callout-title"><div>Why?</div></div>'
                '<div class="callout-content"><p>Tea.</p></div></div>'
            ),
            "> [!faq] Why?\n> Tea.",
        ),
        ('<aside class="notice--danger"><h4>Hot</h4><p>Tea.</p></aside>', "> [!danger]\n>\n> #### Hot\n>\n> Tea."),
    ],
)
def test_callouts_become_quotes_with_their_type(source: str, expected: str) -> None:
    assert content(f"{TEXT}{source}", main_content=False) == f"{PROSE}\n\n{expected}"


@pytest.mark.parametrize("classes", ["alert-box", "callouts", "note", "alert", "hinted"])
def test_other_boxes_do_not_become_quotes(classes: str) -> None:
    assert content(f'<div class="{classes}">Hot tea.</div>', main_content=False) == "Hot tea."


def test_links_inside_the_page_are_not_resolved() -> None:
    source = '<p>See <a href="#tea">tea</a> and <a href="rain#now">rain</a>.</p>'
    found = content(source, main_content=False, base_url="https://a.example/x/")
    assert found == "See [tea](#tea) and [rain](https://a.example/x/rain#now)."


def test_links_inside_the_page_are_resolved_against_a_base_element() -> None:
    source = '<base href="https://b.example/y"><p><a href="#tea">tea</a></p>'
    assert "](https://b.example/y#tea)" in content(source, main_content=False, base_url="https://a.example/x/")


@pytest.mark.parametrize(
    "source",
    [
        '<img src="small.jpg" srcset="small.jpg 300w, big.jpg 1200w, mid.jpg 600w">',
        (
            '<picture><source media="(max-width: 9px)" srcset="a.jpg 9w"><source type="image/avif" srcset="a.avif 9w">'
            '<source srcset="mid.jpg 600w, big.jpg 1200w"><img src="small.jpg"></picture>'
        ),
        '<img class=lazy src="data:image/gif;base64,R0"><noscript><img src="big.jpg"></noscript>',
        '<div><img src="blur/big.jpg?q=20"></div><img class=full><noscript><img src="big.jpg"></noscript>',
        '<noscript><img src="big.jpg" width="570" height="0"></noscript>',
    ],
)
def test_image_that_visitors_see_is_written(source: str) -> None:
    found = content(f"{TEXT}<figure>{source}</figure>{TEXT}", include_images=True, main_content=False)
    assert f"{PROSE}\n\n![](big.jpg)\n\n{PROSE}" in found


def test_image_of_an_empty_figure_is_found_in_its_attributes() -> None:
    source = '<figure itemid="https://a.example/tea.jpg?w=9"><figcaption>A cup</figcaption></figure>'
    assert "![](https://a.example/tea.jpg?w=9)" in content(f"{TEXT}{source}", include_images=True, main_content=False)


@pytest.mark.parametrize("size", ['width="1" height="1"', 'height="1" style="border:0"', 'width="0" height="0"'])
def test_tracking_pixels_without_scripts_are_not_written(size: str) -> None:
    found = content(f'{TEXT}<noscript><img src="pixel.gif" {size}></noscript>', include_images=True)
    assert "pixel.gif" not in found


def test_image_of_a_figure_is_kept_without_its_credit_line() -> None:
    figure = (
        '<figure><div><img src="cup.jpg" width="640" height="480"><div class="credit">Photo: Ada</div></div></figure>'
    )
    found = content(f"{TEXT * 3}{figure}{TEXT * 3}", include_images=True)
    assert "![](cup.jpg)" in found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            (
                "<table><tr><td>1.</td><td></td><td>Morning tea</td></tr><tr><td colspan=2></td><td>84 points</td></tr>"
                "<tr><td>2.</td><td></td><td>Rain</td></tr><tr><td colspan=2></td><td>12 points</td></tr></table>"
            ),
            "1\\. Morning tea\n\n84 points\n\n2\\. Rain\n\n12 points",
        ),
        (f"<table><tr><td>{PROSE}</td><td>Tea</td></tr></table>", f"{PROSE}\n\nTea"),
        (
            f"<table><tr><td>Logo</td><td>Tea</td></tr><tr><td>Home</td><td>{f'<p>{PROSE}</p>' * 4}</td></tr></table>",
            "\n\n".join(["Logo Tea", f"Home {PROSE}", *[PROSE] * 3]),
        ),
        ("<table><tr><td>Tea</td><td>Rain</td></tr></table>", "|  |  |\n| --- | --- |\n| Tea | Rain |"),
    ],
)
def test_layout_tables_are_written_as_text(source: str, expected: str) -> None:
    assert content(source, main_content=False) == expected


def test_first_row_above_numbers_is_the_header() -> None:
    source = (
        "<table><tr><td>Tea</td><td>Origin</td><td>Price</td></tr><tr><td>Green</td><td>Uji</td><td>$5</td></tr>"
        "<tr><td>Black</td><td>Assam</td><td>$4</td></tr></table>"
    )
    found = read(source, main_content=False)
    assert str(found["content"]).startswith("| Tea | Origin | Price |\n| --- |")
    assert found["tables"][0]["columns"] == ["Tea", "Origin", "Price"]


def test_first_row_of_a_table_of_numbers_is_not_the_header() -> None:
    rows = "<tr><td>Green</td><td>2</td><td>80</td></tr><tr><td>Black</td><td>4</td><td>95</td></tr>"
    assert content(f"<table>{rows}{rows}</table>", main_content=False).startswith("|  |  |  |\n")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<div role=list><div role=listitem>Tea</div><div role=listitem>Rain</div></div>", "- Tea\n- Rain"),
        ("<div role=heading aria-level=3>Tea</div>", "### Tea"),
        (
            (
                "<div role=table><div role=rowgroup><div role=row><span role=columnheader>Tea</span>"
                "<span role=columnheader>Price</span></div></div><div role=rowgroup><div role=row>"
                "<span role=cell>Green</span><span role=cell>5</span></div></div></div>"
            ),
            "| Tea | Price |\n| --- | --- |\n| Green | 5 |",
        ),
        ("<div role=list><div>Tea</div></div>", "Tea"),
        ("<div role=heading aria-level=12>Tea</div>", "Tea"),
    ],
)
def test_aria_roles_are_written_like_elements(source: str, expected: str) -> None:
    assert content(source, main_content=False) == expected


def test_list_of_references_becomes_footnotes() -> None:
    source = (
        '<p>Tea [<a href="#b2">2</a>, <a href="#b7">7</a>].</p><ul><li id="b2"><span>[2]</span> <span>Ada, 2020.</span>'
        '</li><li id="b7"><span>[7]</span> Grace, 2021.</li></ul>'
    )
    found = content(source, main_content=False)
    assert found == "Tea [[^2], [^7]].\n\n[^2]: Ada, 2020.\n\n[^7]: Grace, 2021."


def test_sources_without_an_image_element_are_an_image() -> None:
    source = f"{TEXT}<figure><picture><source srcset='big.jpg 900w, small.jpg 90w'></picture></figure>"
    assert "![](big.jpg)" in content(source, main_content=False, include_images=True)
