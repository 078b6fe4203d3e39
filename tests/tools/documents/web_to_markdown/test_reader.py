"""The reader: finds what a page is about, in pages that are written in many ways."""

import math
from typing import Any

import pytest

from mediakit.tools.documents.web_to_markdown.markdown.tree import body_of, parse
from mediakit.tools.documents.web_to_markdown.reader import Wanted, content, decide, model, opinions
from mediakit.tools.documents.web_to_markdown.reader.evidence import NAMES as EVIDENCE
from mediakit.tools.documents.web_to_markdown.reader.evidence import evidence
from mediakit.tools.documents.web_to_markdown.reader.features import NAMES_OF, features
from mediakit.tools.documents.web_to_markdown.reader.kind import NAMES as KIND
from mediakit.tools.documents.web_to_markdown.reader.reading import fields
from mediakit.tools.documents.web_to_markdown.reader.units import Page

STORY = [
    f"Morning {number}: the kettle was filled before the sun came up, and by the time the others woke, tea stood "
    "on the table, bread had been cut, and the windows were open to let the smell of rain come in."
    for number in range(6)
]
ARTICLE = "".join(f"<p>{paragraph}</p>" for paragraph in STORY)


def read(source: str) -> str:
    return str(fields(source, Wanted(base="https://example.com/story"))["content"])


def test_leaves_out_what_stands_around_an_article() -> None:
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
def test_finds_the_text_however_the_page_is_written(page: str) -> None:
    found = read(f"<html><head><title>Tea</title></head><body>{page}</body></html>")
    assert all(paragraph in found for paragraph in STORY)


@pytest.mark.parametrize("block", ["{}", "<p>{}</p>", "<div class=equation>{}</div>", "<div><span>{}</span></div>"])
def test_keeps_formulas_beside_the_text(block: str) -> None:
    formula = (
        '<mjx-container class="MathJax" jax="CHTML"><mjx-math aria-hidden="true"><mjx-c></mjx-c></mjx-math>'
        "<mjx-assistive-mml><math><mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mi>y</mi></mfrac></math>"
        "</mjx-assistive-mml></mjx-container>"
    )
    first, second, *rest = STORY
    page = f"<p>{first}</p>{block.format(formula)}<p>{second}</p>{''.join(f'<p>{each}</p>' for each in rest)}"
    assert "\n\n$x=\\frac{1}{y}$\n\n" in read(f"<title>Tea</title><nav><a href=/>Home</a></nav>{page}")


def test_keeps_a_table_of_data_whole() -> None:
    rows = "".join(f"<tr><td>Tea {number}</td><td>{number}0 °C</td><td></td></tr>" for number in range(9))
    found = read(f"<article>{ARTICLE}<table><tr><th>Kind<th>Heat<th>Note</tr>{rows}</table>{ARTICLE}</article>")
    assert "| Kind | Heat | Note |" in found
    assert all(f"| Tea {number} | {number}0 °C |" in found for number in range(9))


def test_asks_for_more_opinions_only_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    ask = opinions.trafilatura

    def noted(html: str, page: Page) -> list[bool]:
        asked.append(html)
        return ask(html, page)

    monkeypatch.setattr(opinions, "trafilatura", noted)
    monkeypatch.setattr(content, "DOUBT", 0.0)
    alone = read(f"<article>{ARTICLE}</article>")
    assert not asked
    monkeypatch.setattr(content, "DOUBT", 2.0)
    together = read(f"<article>{ARTICLE}</article>")
    assert len(asked) == 1
    assert STORY[2] in alone
    assert STORY[2] in together


def test_a_page_too_long_to_judge_is_read_all_the_same() -> None:
    found = read(f"<main>{'<p>x</p>' * (content.MOST_UNITS + 1)}{ARTICLE}</main>")
    assert STORY[5] in found


def test_the_models_know_every_number_by_its_place() -> None:
    page = content.marked(body_of(parse(f"<body><h1>Tea</h1>{ARTICLE}")))
    view = [True] * len(page.units)
    rows = features(page, document=[0.0] * len(KIND))
    more = evidence(page, view)
    assert {len(row) for row in rows} == {len(NAMES_OF()) + len(KIND)}
    assert {len(row) for row in more} == {len(EVIDENCE)}
    highest = max(_features(tree) for tree in model.trees("units"))
    assert highest < len(rows[0]) + len(more[0])
    likely = model.likelihoods("units", [[*row, *each] for row, each in zip(rows, more, strict=True)])
    assert min(likely[1:]) > 0.5  # the paragraphs


def _features(node: Any) -> int:
    """Give the highest feature that a tree looks at."""
    if not isinstance(node, tuple):
        return -1
    feature, _, first, second = node
    return max(int(feature), ~int(feature), _features(first), _features(second))


def test_an_unknown_number_goes_where_the_tree_sends_it() -> None:
    goes_left, goes_right = (~0, 1.0, 20.0, 10.0), (0, 1.0, 10.0, 20.0)
    assert model.score([goes_left], [math.nan]) == 10.0
    assert model.score([goes_right], [math.nan]) == 20.0
    for tree in (goes_left, goes_right):
        assert (model.score([tree], [0.5]), model.score([tree], [1.5])) == (10.0, 20.0)


def test_the_choice_has_the_best_expected_f1() -> None:
    choice = decide.best([0.9, 0.1, 0.8, 0.05], [10, 10, 10, 10])
    assert choice.kept == [True, False, True, False]
    assert choice.expected == decide.expected(choice.kept, [0.9, 0.1, 0.8, 0.05], [10, 10, 10, 10])
    assert choice.expected > decide.expected([True, True, True, True], [0.9, 0.1, 0.8, 0.05], [10, 10, 10, 10])


def test_pictures_of_the_text_stay_and_those_around_it_go() -> None:
    page = f"""<body><a href=/><img src=logo.png></a><main><article>
      <figure><img src=lead.jpg width=900 height=600></figure><h1>Tea</h1>
      <div class=share><a href=https://social.example><img src=share.png width=24 height=24></a></div>
      <div class=body>{ARTICLE}<p><img src=cup.jpg></p><p>Mind the <img src=leaf.png width=16 height=16> leaf.</p>
      <p><a href=large.jpg><img src=small.jpg></a></p>{ARTICLE}</div></article></main>
      <ul class=related><li><a href=/other><img src=teaser.jpg></a></ul><footer><img src=badge.png></footer>"""
    found = fields(page, Wanted(images=True))
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
def test_lines_in_the_body_itself_are_read(page: str) -> None:
    assert STORY[0] in read(page)
    assert "**Tea.**" in read(page) or "<b>" not in page


def test_rules_that_part_nothing_any_more_are_left_out() -> None:
    teaser = "<hr><a href=/1><img src=teaser.png></a>"
    page = f"<main><article>{ARTICLE}<hr>{ARTICLE}{teaser * 3}<hr></article></main>"
    assert read(page).split("\n\n").count("---") == 1


def test_a_picture_stays_with_the_text_of_its_card() -> None:
    card = f"<li><a href=/one><img src=cover.png></a><p>{STORY[0]}</p></li>"
    found = fields(f"<title>Books</title><main><h1>Books</h1><ul>{card * 4}</ul></main>", Wanted(images=True))
    assert found["content"].count("cover.png") == 4
