"""File names that are valid everywhere, and unique."""

import pytest

from mediakit.core.file_names import safe_name, unique_names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a/b\\c", "a-b-c"),
        ("..", "_"),
        (".hidden", "hidden"),
        ("lpt1.txt", "_lpt1.txt"),
        ('x<>:"|?*\n\0y', "x- -y"),
        ("Ж" * 300, "Ж" * 100),
    ],
)
def test_name_is_valid_on_all_operating_systems(text: str, name: str) -> None:
    assert safe_name(text) == name


def test_equal_names_are_numbered_before_the_extension_ignoring_case() -> None:
    assert unique_names(["a.pdf", "A.pdf", "a.pdf", "b.v2", "b.v2"]) == [
        "a.pdf",
        "A (2).pdf",
        "a (3).pdf",
        "b.v2",
        "b.v2 (2)",
    ]
