"""Large tables are compared with the same result as small ones, whose cells are objects."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mediakit.engines.tables.readers import delimited
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_diff.comparison import compare
from mediakit.tools.data.data_diff.request import DataDiffRequest
from tests.support.delimited_tables import tables


@st.composite
def two_tables(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a text, and another one that has some of its lines in another order and some of its characters changed."""
    text = draw(tables())
    head, *lines = text.splitlines(keepends=True)
    kept = draw(st.lists(st.sampled_from(lines or [head]), max_size=12))
    changed = [line.replace(draw(st.sampled_from("15a. ")), draw(st.sampled_from("27b0")), 1) for line in kept]
    return text, head + "".join(changed)


def compared(text: str, text2: str, key: list[str] | None, least: int) -> Any:
    """Return the differences, where texts of at least this length count as long; the words of an error if it fails."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "MIN_PACKED_CHARACTERS", least)
        try:
            found = compare(DataDiffRequest(text=text, text2=text2, input_format="csv", key=key))
        except InvalidInput as error:
            return str(error)
    return repr((found.fields, found.meta))


@settings(deadline=None, max_examples=80)
@given(two_tables(), st.sampled_from([None, None, ["name0"]]))
@example(("a,b\n1,1.50\n2,3\n3,\n", "a,b\n1,1.5\n2,3.0\n3,0\n"), ["a"])
@example(("a,b\n1,2024-01-01 10:00:00\n", "a,b\n1,2024-01-01T10:00:00\n"), ["a"])
@example(("a,b\n1,NA\n2,4\n", "a,b\n1,\n2,5\n"), ["a"])
@example(("a,b\n1,9007199254740993\n", "a,b\n1,9007199254740992\n"), ["a"])
def test_packed_tables_have_the_differences_of_tables_of_objects(texts: tuple[str, str], key: list[str] | None) -> None:
    assert compared(*texts, key, 0) == compared(*texts, key, 10**9)
