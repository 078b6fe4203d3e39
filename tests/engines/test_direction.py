"""The direction of texts and languages."""

import pytest

from mediakit.engines.direction import begins_right_to_left, direction_of, has_right_to_left, is_mostly_right_to_left


@pytest.mark.parametrize(
    ("text", "begins", "has", "mostly"),
    [
        ("", False, False, False),
        ("12 %", False, False, False),
        ("Zürich", False, False, False),
        ("(5) שלום", True, True, True),
        ("abc שלום עולם", False, True, True),
        ("ש means shin", True, True, False),
        ("مرحبا", True, True, True),
    ],
)
def test_direction_of_a_text_by_its_first_letter_any_letter_and_most_letters(
    text: str, begins: bool, has: bool, mostly: bool
) -> None:
    assert begins_right_to_left(text) is begins
    assert has_right_to_left(text) is has
    assert is_mostly_right_to_left(text) is mostly


@pytest.mark.parametrize(
    ("tag", "direction"),
    [("en", "ltr"), ("ar", "rtl"), ("he-IL", "rtl"), ("az-Arab", "rtl"), ("ar-Latn", "ltr"), ("pa", "ltr")],
)
def test_direction_of_a_language_follows_its_script(tag: str, direction: str) -> None:
    assert direction_of(tag) == direction
