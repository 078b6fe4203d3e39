"""The reader: finds the main content of pages with different structures."""

import numpy as np
import pytest

from mediakit.engines.markdown.html.elements import block_ancestors
from mediakit.engines.markdown.html.parser import body_of, parse_html
from mediakit.tools.documents.web_to_markdown import selection
from mediakit.tools.documents.web_to_markdown.convert import page_fields
from mediakit.tools.documents.web_to_markdown.request import ReadOptions
from mediakit.tools.documents.web_to_markdown.scoring.features import (
    BLOCK_FEATURES,
    VIEW_FEATURES,
    WHOLE_PAGE_FEATURES,
    compute_features,
    view_features,
)
from mediakit.tools.documents.web_to_markdown.scoring.page_features import PAGE_TYPE_FEATURES
from mediakit.tools.documents.web_to_markdown.selection import (
    load_model,
)
from mediakit.tools.documents.web_to_markdown.text_blocks import segment_page

STORY = [
    f"Morning {number}: the kettle was filled before the sun came up, and by the time the others woke, tea stood "
    "on the table, bread had been cut, and the windows were open to let the smell of rain come in."
    for number in range(6)
]
ARTICLE = "".join(f"<p>{paragraph}</p>" for paragraph in STORY)


def read(source: str) -> str:
    return str(page_fields(source, ReadOptions(base_url="https://example.com/story"))["content"])


def test_navigation_teasers_and_footer_are_removed() -> None:
    page = (
        "<header class=site-header><a href=/>The Journal</a></header>"
        "<nav class=menu><ul><li><a href=/a>Politics</a></ul></nav>"
        f"<div class=layout><div class='story-body'>{ARTICLE}</div><div class='related teasers'><h3>More stories</h3>"
        "<ul><li><a href=/b>Another story about coffee</a><li><a href=/c>Sugar is back again</a></ul></div></div>"
        "<div id=cookie-consent>We use cookies on this site.</div><footer>© 2024 All rights reserved</footer>"
    )
    found = read(page)
    assert all(paragraph in found for paragraph in STORY)
    assert not any(word in found for word in ("Politics", "coffee", "cookies", "©", "The Journal"))


@pytest.mark.parametrize(
    "page",
    [
        f"<div id=app></div><noscript><h1>Tea</h1>{ARTICLE}</noscript>",
        f"<p>Loading</p><div hidden id='S:0'>{ARTICLE}</div>",
        f"<style>body{{}}</style><div style='visibility:hidden'>{ARTICLE}</div>",
        f"<button>Menu{ARTICLE}</button>",
        f"<video><source src=a.mp4></video>{ARTICLE}",
        f"<nav>x</nav><main>{ARTICLE}",
        f"<table width=100%><tr><td>{ARTICLE}</td><td><a href=/>Home</a></td></tr></table>",
        ARTICLE.replace("<p>", "").replace("</p>", "<br><br>"),
    ],
)
def test_text_is_found_in_unusual_markup(page: str) -> None:
    found = read(f"<html><head><title>Tea</title></head><body>{page}</body></html>")
    assert all(paragraph in found for paragraph in STORY)


@pytest.mark.parametrize("block", ["{}", "<p>{}</p>", "<div class=equation>{}</div>", "<div><span>{}</span></div>"])
def test_formulas_between_paragraphs_are_kept(block: str) -> None:
    formula = (
        '<mjx-container class="MathJax" jax="CHTML"><mjx-math aria-hidden="true"><mjx-c></mjx-c></mjx-math>'
        "<mjx-assistive-mml><math><mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mi>y</mi></mfrac></math>"
        "</mjx-assistive-mml></mjx-container>"
    )
    first, second, *rest = STORY
    page = f"<p>{first}</p>{block.format(formula)}<p>{second}</p>{''.join(f'<p>{each}</p>' for each in rest)}"
    assert "\n\n$x=\\frac{1}{y}$\n\n" in read(f"<title>Tea</title><nav><a href=/>Home</a></nav>{page}")


def test_data_table_is_kept_whole() -> None:
    rows = "".join(f"<tr><td>Tea {number}</td><td>{number}0 °C</td><td></td></tr>" for number in range(9))
    found = read(f"<article>{ARTICLE}<table><tr><th>Kind<th>Heat<th>Note</tr>{rows}</table>{ARTICLE}</article>")
    assert "| Kind | Heat | Note |" in found
    assert all(f"| Tea {number} | {number}0 °C |" in found for number in range(9))


def test_page_with_too_many_blocks_returns_reader_view() -> None:
    found = read(f"<main>{'<p>x</p>' * (selection.MAX_CLASSIFIED_BLOCKS + 1)}{ARTICLE}</main>")
    assert STORY[5] in found


def test_rows_have_all_features_of_the_models() -> None:
    body = body_of(parse_html(f"<body><h1>Tea</h1>{ARTICLE}"))
    page = segment_page(body, block_ancestors(body))
    view = [True] * len(page.blocks)
    features = compute_features(page, [0.0] * len(PAGE_TYPE_FEATURES))
    view_rows = view_features(page, view)
    assert {len(row) for row in features.blocks} == {len(BLOCK_FEATURES)}
    assert len(features.page) == len(WHOLE_PAGE_FEATURES)
    assert {len(row) for row in view_rows} == {len(VIEW_FEATURES)}
    rows = np.hstack([features.blocks, view_rows])
    assert load_model("block_classifier").features.max() < len(rows[0])
    probabilities = load_model("block_classifier").probabilities(rows)
    assert min(probabilities[1:]) > 0.5  # the paragraphs
    chosen = selection.select_blocks(probabilities, [1.0] * len(rows))
    comparison = selection.comparison_features(view, chosen, probabilities, [1.0] * len(rows), features.page)
    assert len(comparison) == len(selection.COMPARISON_FEATURES)
    assert load_model("view_gain").features.max() < len(comparison)


@pytest.mark.parametrize(
    ("names", "expected"), [(BLOCK_FEATURES, 162), (VIEW_FEATURES, 8), (selection.COMPARISON_FEATURES, 54)]
)
def test_feature_names_are_unique(names: tuple[str, ...], expected: int) -> None:
    assert len(set(names)) == len(names) == expected


def test_selection_has_the_best_expected_f1() -> None:
    probabilities, counts = [0.9, 0.1, 0.8, 0.05], [10, 10, 10, 10]
    chosen = selection.select_blocks(probabilities, counts)
    assert chosen.is_selected == [True, False, True, False]
    assert chosen.expected_f1 == selection.expected_f1(chosen.is_selected, probabilities, counts)
    assert chosen.expected_f1 > selection.expected_f1([True, True, True, True], probabilities, counts)


def test_images_of_the_text_are_kept_and_others_removed() -> None:
    page = f"""<body><a href=/><img src=logo.png></a><main><article>
      <figure><img src=lead.jpg width=900 height=600></figure><h1>Tea</h1>
      <div class=share><a href=https://social.example><img src=share.png width=24 height=24></a></div>
      <div class=body>{ARTICLE}<p><img src=cup.jpg></p><p>Mind the <img src=leaf.png width=16 height=16> leaf.</p>
      <p><a href=large.jpg><img src=small.jpg></a></p>{ARTICLE}</div></article></main>
      <ul class=related><li><a href=/other><img src=teaser.jpg></a></ul><footer><img src=badge.png></footer>"""
    found = page_fields(page, ReadOptions(include_images=True))
    assert [image["url"] for image in found["images"]] == ["lead.jpg", "cup.jpg", "leaf.png", "small.jpg"]
    assert all(image["url"] in found["content"] for image in found["images"])


@pytest.mark.parametrize(
    "page",
    [
        f"<body><span>{STORY[0]}</span>",
        f"<body><font size=2>{STORY[0]}<br><br>{STORY[1]}</font>",
        f"<body><h1>Tea</h1><b>Tea.</b> {STORY[0]} <a href=/y>More</a>",
    ],
)
def test_lines_directly_in_the_body_are_kept(page: str) -> None:
    assert STORY[0] in read(page)
    assert "**Tea.**" in read(page) or "<b>" not in page


@pytest.mark.parametrize("sign", ["¶", "\u200b", "<span aria-hidden=true></span>", "&nbsp;"])
def test_permalink_of_a_heading_is_removed(sign: str) -> None:
    heading = f'<h2 id=tea>Morning tea<a class=headerlink href="#tea" title="Permanent link">{sign}</a></h2>'
    assert "\n## Morning tea\n" in read(f"<main>{ARTICLE}{heading}{ARTICLE}</main>")


def test_link_to_a_site_ends_with_a_slash() -> None:
    page = f'<main>{ARTICLE}<p>The kettle is at <a href="https://tea.example">the tea site</a>.</p>{ARTICLE}</main>'
    assert "[the tea site](https://tea.example/)" in read(page)


def test_rules_between_removed_blocks_are_removed() -> None:
    teaser = "<hr><a href=/1><img src=teaser.png></a>"
    page = f"<main><article>{ARTICLE}<hr>{ARTICLE}{teaser * 3}<hr></article></main>"
    assert read(page).split("\n\n").count("---") == 1


def test_image_of_a_card_is_kept_with_its_text() -> None:
    card = f"<li><a href=/one><img src=cover.png></a><p>{STORY[0]}</p></li>"
    found = page_fields(
        f"<title>Books</title><main><h1>Books</h1><ul>{card * 4}</ul></main>", ReadOptions(include_images=True)
    )
    assert found["content"].count("cover.png") == 4


def test_copy_of_an_element_for_small_screens_is_removed() -> None:
    quote = f"<h3>Why tea?</h3><p>{STORY[0]}</p>"
    rest = "".join(f"<p>{paragraph}</p>" for paragraph in STORY[1:])
    page = f"<main><div class=desktop>{quote}</div>{rest}<div class=mobile>{quote}</div></main>"
    found = read(page)
    assert found.count(STORY[0]) == found.count("Why tea?") == 1


def test_repeated_paragraphs_and_cells_are_kept() -> None:
    verses = f"<p>{STORY[0]}</p><p>{STORY[1]}</p>" * 3
    rows = f"<tr><td class=name>Tea</td><td class=text>{STORY[2]}</td></tr>" * 2
    found = read(f"<main><h1>Song</h1>{verses}<table>{rows}</table></main>")
    assert found.count(STORY[0]) == found.count(STORY[1]) == 3
    assert found.count(STORY[2]) == 2


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<button>Start the kettle</button>", "Start the kettle"),
        ("<noscript>Please enable JavaScript.</noscript>", "Please enable JavaScript."),
        ("<div style='display:none'>Tea is ready</div>", "Tea is ready"),
        ("<body hidden><p>Tea is ready", "Tea is ready"),
        ("<select><option>Green<option>Black</select>", "Green\n\nBlack"),
        ("<p>\u00ad</p><textarea>Tea is ready</textarea>", "Tea is ready"),
        ("<table><tr><td></td></tr></table><dialog><p>Tea is ready</dialog>", "Tea is ready"),
    ],
)
@pytest.mark.parametrize("main_content", [True, False])
def test_content_of_a_page_with_text_is_never_empty(page: str, text: str, main_content: bool) -> None:
    for kind in ("markdown", "text"):
        found = page_fields(page, ReadOptions(format=kind, main_content=main_content))
        assert found["content"].strip() == text
        assert found["main_content_found"] is (False if main_content else None)


def test_content_of_a_page_without_text_is_empty() -> None:
    assert read("<script>const tea = 1</script><style>p{}</style><template><p>Tea</p></template>") == ""


def test_declarative_shadow_root_is_read_with_the_text_in_its_slots() -> None:
    shadow = "<template shadowrootmode=open><h2><slot name=head>Untitled</slot></h2><slot>Empty</slot></template>"
    card = f"<tea-card>{shadow}<span slot=head>Morning tea</span><p>{STORY[0]}</p><p slot=other>Unseen</p></tea-card>"
    text = read(f"<main>{ARTICLE}{card}{ARTICLE}</main>")
    assert "\n## Morning tea\n" in text
    assert STORY[0] in text
    assert not any(word in text for word in ("Untitled", "Empty", "Unseen"))


@pytest.mark.parametrize("drawing", ["<svg role=img aria-label=Open>", "<svg role=img><title>Open</title>"])
def test_name_of_a_drawing_in_a_sentence_is_text(drawing: str) -> None:
    assert "The shop is Open today." in read(
        f"<main>{ARTICLE}<p>The shop is {drawing}</svg> today.</p>{ARTICLE}</main>"
    )
