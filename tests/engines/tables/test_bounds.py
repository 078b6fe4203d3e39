"""The largest table that is read, and how errors say so."""

import pytest

from mediakit.engines.tables.model import ReadOptions, check_size
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_convert import DataConvertRequest
from mediakit.tools.data.data_profile.profiling import DataProfileRequest


@pytest.mark.parametrize(
    ("rows", "columns", "words"),
    [
        (1_000_001, 2, "text: has more than 1,000,000 rows"),
        (500_000, 11, "text: must have at most 5,000,000 cells, got 500,000 rows of 11 columns"),
    ],
)
@pytest.mark.parametrize(
    ("request_type", "ending"),
    [(DataConvertRequest, "; set max_rows to read the first ones."), (DataProfileRequest, ".")],
)
def test_error_names_max_rows_only_where_it_helps(
    rows: int, columns: int, words: str, request_type: type, ending: str
) -> None:
    options: ReadOptions = request_type(text="a\n1\n").reading
    with pytest.raises(InvalidInput) as caught:
        check_size(rows, columns, options)
    assert caught.value.message == words + ending


def test_only_wanted_rows_count() -> None:
    check_size(2_000_000, 3, ReadOptions(max_rows=10))
    with pytest.raises(InvalidInput, match=r"must have at most 2,000 columns, got 2,001\.$"):
        check_size(1, 2001, ReadOptions(max_rows=10))
