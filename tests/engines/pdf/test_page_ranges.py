"""Page ranges."""

import pytest

from mediakit.engines.pdf.page_ranges import resolve


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("3", [3]),
        ("1-3,5", [1, 2, 3, 5]),
        (" 1 - 2 , 4 ", [1, 2, 4]),
        ("7-", [7, 8, 9]),
        ("5,1-2", [1, 2, 5]),
        ("2,2,1-2", [1, 2]),
    ],
)
def test_page_range_names_each_page_once_in_rising_order(text: str, pages: list[int]) -> None:
    assert resolve(text, 9) == pages


@pytest.mark.parametrize(
    ("text", "pages"), [("3,1-2,2", [3, 1, 2, 2]), ("5-1", [5, 4, 3, 2, 1]), ("8-,1", [8, 9, 1]), ("2-2", [2])]
)
def test_ordered_page_range_keeps_order_and_repeats(text: str, pages: list[int]) -> None:
    assert resolve(text, 9, ordered=True) == pages


@pytest.mark.parametrize("text", ["", "a", "1,,2", "-3", "1--2", "1.5", "٣", "1-2-3"])
def test_malformed_page_range_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be page numbers and ranges"):
        resolve(text, 9)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("7", "the PDF has 4 pages, got 7."),
        ("2-9", "the PDF has 4 pages, got 9."),
        ("5-", "the PDF has 4 pages, got 5."),
        ("0", "must begin with page 1 or later, got 0."),
        ("3-1", "must rise within a range: write 1-3, not 3-1."),
        (",".join(["1"] * 101), "must have at most 200 characters, got 201."),
    ],
)
def test_page_range_error_says_what_is_allowed(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        resolve(text, 4)


def test_page_range_of_single_page_pdf_says_page_in_singular() -> None:
    with pytest.raises(ValueError, match="the PDF has 1 page, got 2"):
        resolve("2", 1, ordered=True)
