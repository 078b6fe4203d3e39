"""Parsed Markdown: what it is made of, its headings, its front matter, and text made to be slow."""

import pytest

from mediakit.engines.rich_text.markdown import is_language, parse_markdown, slug
from mediakit.engines.rich_text.rendering import render_markdown


def links(text: str) -> list[str]:
    from lxml import html

    return [str(link.get("href")) for link in html.fragment_fromstring(render_markdown(text), "div").iter("a")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("www.example.org", ["http://www.example.org"]),
        ("see (https://example.org/a(b)c).", ["https://example.org/a(b)c"]),
        ("https://example.org/search?q=(tea))+ok", ["https://example.org/search?q=(tea))+ok"]),
        ("https://example.org/?a=1&hl;", ["https://example.org/?a=1"]),
        ("https://example.org/a*b*c", ["https://example.org/a*b*c"]),
        ("https://example.org/a<b", ["https://example.org/a"]),
        ("**https://example.org**", ["https://example.org"]),
        ("ftp://files.example.org/x", ["ftp://files.example.org/x"]),
        ("https://münchen.example/straße", ["https://xn--mnchen-3ya.example/stra%C3%9Fe"]),
        ("ada_b.c-d@example.org.", ["mailto:ada_b.c-d@example.org"]),
        ("mailto:ada@example.org", ["mailto:ada@example.org"]),
        ("xmpp:ada@example.org/room", ["xmpp:ada@example.org/room"]),
        ("[a ada@example.org](/x)", ["/x"]),
        ("`www.example.org`", []),
        ("awww.example.org", []),
        ("www.a_b.example_", []),
        ("https:// example", []),
        (r"ada\@example.org", []),
        ("ada@example.org_", []),
        ("ada@example", []),
    ],
)
def test_bare_addresses_become_links(text: str, expected: list[str]) -> None:
    assert links(text) == expected


def test_headings_have_github_anchors_and_numbers() -> None:
    document = parse_markdown("# Guide\n\n## Über `x_y`, 2!\n\n### A\n\n### A\n\n> ## A\n\n## 水 *b*\n\nText\n====\n")

    assert [(each.text, each.anchor, each.number, each.is_title) for each in document.headings] == [
        ("Guide", "guide", "1", False),
        ("Über x_y, 2!", "über-x_y-2", "1.1", False),
        ("A", "a", "1.1.1", False),
        ("A", "a-1", "1.1.2", False),
        ("水 b", "水-b", "1.2", False),
        ("Text", "text", "2", False),
    ]


def test_only_heading_of_level_one_is_the_title_and_has_no_number() -> None:
    document = parse_markdown("# Guide\n\n## Start\n\n#### Deep\n\n## End\n")

    assert document.title == "Guide"
    assert [(each.number, each.is_title) for each in document.headings] == [
        ("", True),
        ("1", False),
        ("1.1", False),
        ("2", False),
    ]


def test_heading_is_not_the_title_if_the_front_matter_names_another() -> None:
    document = parse_markdown("---\ntitle: Lakes\n---\n# Start\n")

    assert (document.title, document.has_title_heading, document.headings[0].number) == ("Lakes", False, "1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("A  b", "a--b"), ("C++ & C#", "c--c"), ("snake_case-x", "snake_case-x"), ("हिन्दी", "हिन्दी"), ("🚀 Go", "-go")],
)
def test_slug_follows_the_rule_of_github(text: str, expected: str) -> None:
    assert slug(text) == expected


def test_front_matter_is_read_and_removed() -> None:
    text = "\ufeff---\ntitle: 'It: works'\nauthor:\n  - Ada\n  - name: Bo\ndate: 2026-01-02\nlang: de\n---\nText\n"
    document = parse_markdown(text.replace("\n", "\r\n"))

    matter = document.front_matter
    assert (matter.title, matter.author, matter.date, matter.lang) == ("It: works", "Ada, Bo", "2026-01-02", "de")
    assert document.words == 1


@pytest.mark.parametrize(
    "text",
    [
        "---\nFoo\n---\nBar",
        "---\n---\n",
        "---\na: [\n---\n",
        "---\na: *b\n---\n",
        "---\n!!python/object:os.system {}\n---\n",
        "Text\n---\na: b\n---\n",
    ],
)
def test_other_text_between_rules_is_not_front_matter(text: str) -> None:
    document = parse_markdown(text)

    assert document.front_matter.title == ""
    assert document.tokens[0].type in ("hr", "heading_open")


def test_front_matter_with_wrong_types_is_ignored() -> None:
    matter = parse_markdown("---\ntitle: {a: [1]}\nauthor: [[1], null]\nlang: 'x y'\ndate: [1]\n---\n").front_matter

    assert (matter.title, matter.author, matter.lang, matter.date) == ("", "", "", "1")


def test_words_count_characters_of_chinese_and_japanese() -> None:
    assert parse_markdown("It's a well-known fact: 3.5 km, 水は冷たい\n\n```\nnot counted\n```\n").words == 11


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "part",
    ["[", "![", "*a ", "**a", "_a*", ">", "> ", "- ", "|", "`", "~", "<", "&", "a@", "www.a.", "http://", "[^1]", "$a",
     "$$", "\\", "(http://a)))", "[a](", "[a][", "x_", "'a\"", "<a ", "- a\n", "# a\n", "|-|\n", ":\n", "[a]: b\n",
     "[^a]: b\n", "a\n: b\n\n", "---\n", "<!--", "\t", "* * ", "1. ", "a  \n", "![[]()", "<b>", "&#"],
)  # fmt: skip
def test_repeated_marks_are_parsed_in_time(part: str) -> None:
    text = (part * (10_000 // len(part)))[:10_000]

    assert render_markdown(text) is not None


@pytest.mark.parametrize("tag", ["en", "he-IL", "az-Arab", "zh-Hant-TW", "es-419"])
def test_language_tags_are_recognized(tag: str) -> None:
    assert is_language(tag)


@pytest.mark.parametrize("tag", ["", "e", "english language", 'en"', "en-", "123", "a" * 40])
def test_other_texts_are_not_language_tags(tag: str) -> None:
    assert not is_language(tag)
