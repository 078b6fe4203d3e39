"""Operators q and Q without a partner are counted as readers see them."""

import pytest
from pikepdf import Array

from mediakit.engines.pdf.page_content import unbalanced
from tests.support.pdf_kit import blank


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"q Q", (0, 0)),
        (b"q q 1 0 0 1 0 0 cm Q", (0, 1)),
        (b"Q Q q", (2, 1)),
        (b"(q \\) q (q) ) Tj q", (0, 1)),
        (b"% q q\nq", (0, 1)),
        (b"/q gs /Q gs [(q)]TJ Q", (1, 0)),
        (b"[ (a) ]TJ<</q 1>>q", (0, 1)),
        (b"BI /W 1 /H 1 /BPC 8 /CS /G ID q EI q", (0, 1)),
    ],
)
def test_counts_missing_and_open_states(content: bytes, expected: tuple[int, int]) -> None:
    pdf = blank()
    pdf.pages[0].obj.Contents = pdf.make_stream(content)
    assert unbalanced(pdf.pages[0]) == expected


def test_states_that_are_open_between_streams_are_counted_together() -> None:
    pdf = blank()
    pdf.pages[0].obj.Contents = Array([pdf.make_stream(b"q"), pdf.make_stream(b"q Q Q Q")])
    assert unbalanced(pdf.pages[0]) == (1, 0)
