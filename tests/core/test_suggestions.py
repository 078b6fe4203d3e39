"""Suggestions for unknown names: by letters, by synonyms, and none for unrelated words."""

import pytest

from mediakit.core.suggestions import _edits, meant, rank, similar

FIELDS = ("size", "margin", "margin_left", "dark", "light", "max_bytes", "page_numbers", "format")
SYNONYMS = {"dark": "color, foreground", "light": "background color", "size": "width", "margin": "width, quiet zone"}


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("sise", "size"),
        ("SIZE", "size"),
        ("sizes", "size"),
        ("frmt", "format"),
        ("fromat", "format"),
        ("forma", "format"),
        ("marginLeft", "margin_left"),
        ("margin-left", "margin_left"),
        ("left_margin", "margin_left"),
        ("maxbytes", "max_bytes"),
        ("page_number", "page_numbers"),
        ("color", "dark"),
        ("background-color", "light"),
        ("quietzone", "margin"),
    ],
)
def test_name_that_is_misspelled_or_a_synonym_is_recognized(name: str, known: str) -> None:
    assert similar(name, FIELDS, SYNONYMS) == known


@pytest.mark.parametrize(
    "name", ["", "x", "zebra", "logo", "parallel", "text", "to", "the", "-", "7", "sql", "dots", "é"]
)
def test_unrelated_name_has_no_suggestion(name: str) -> None:
    assert similar(name, FIELDS, SYNONYMS) is None


def test_two_letters_are_compared_only_within_a_longer_name() -> None:
    assert similar("de_CG", ["de_DE", "de_CH", "fr_CH"]) == "de_CH"
    assert similar("id", ["in", "is"]) is None


@pytest.mark.parametrize(
    ("name", "known"),
    [("csv", "tsv"), ("column", "combo"), ("color", "logo"), ("gif", "tif"), ("image_merge", "image_compare")],
)
def test_other_word_with_similar_letters_is_not_suggested(name: str, known: str) -> None:
    assert similar(name, [known]) is None


def test_synonym_of_several_names_suggests_all_of_them() -> None:
    assert meant("width", FIELDS, SYNONYMS) == ["size", "margin"]


def test_synonym_of_a_name_that_is_not_known_here_is_not_suggested() -> None:
    assert meant("foreground", ["light"], SYNONYMS) == []


def ranked(query: str) -> list[str]:
    tools = {
        "pdf_protect": "unlock pdf, password",
        "pdf_merge": "join pdf, images to pdf",
        "pdf_to_images": "pdf preview",
        "zip": "password, compress files",
        "chart": "graph, bar chart",
    }
    return [match.name for match in rank(query, tools, minimum=0.6)]


def test_rare_word_decides_which_name_fits() -> None:
    assert ranked("unlock pdf") == ["pdf_protect"]
    assert ranked("unlock my pdf") == ["pdf_protect"]
    assert ranked("unlocking PDFs") == ["pdf_protect"]


def test_direction_of_a_conversion_counts() -> None:
    assert ranked("images_to_pdf")[0] == "pdf_merge"
    assert ranked("pdf_to_image")[0] == "pdf_to_images"
    assert ranked("images2pdf")[0] == "pdf_merge"


def test_names_that_fit_equally_stay_in_their_order() -> None:
    assert ranked("password") == ["pdf_protect", "zip"]


@pytest.mark.parametrize("query", ["", "weather", "pdf zebra", "send email", "open", "how to", "x" * 10_000])
def test_words_about_something_else_find_nothing(query: str) -> None:
    assert ranked(query) == []


@pytest.mark.parametrize("known", [["", "%", "size"], ["size", "尺寸"], ["size"] * 3])
def test_names_without_letters_do_not_prevent_a_suggestion(known: list[str]) -> None:
    assert similar("sise", known) == "size"
    assert similar("%%", known) is None


@pytest.mark.parametrize(
    ("word", "known", "edits"),
    [("chart", "chart", 0), ("chrt", "chart", 1), ("chart", "chrt", 1), ("cahrt", "chart", 1), ("chatt", "chart", 1)],
)
def test_missing_added_swapped_and_replaced_letters_are_one_edit_each(word: str, known: str, edits: int) -> None:
    assert _edits(word, known) == edits
    assert _edits(f"{word}x", known) == edits + 1
    assert _edits(word, f"{known}x") == edits + 1
