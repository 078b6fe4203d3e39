"""Main keys of templates in batches, and the summary of example texts."""

from typing import Any

import pytest

import mediakit
from mediakit.engines.templates import TEMPLATES
from mediakit.errors import InvalidInput

SMALL: dict[str, Any] = {"template": "og", "width": 240, "height": 126}


def test_main_key_without_column_fails_before_any_call() -> None:
    with pytest.raises(InvalidInput) as error:
        mediakit.batch(mediakit.capture, [{"course": "Tea"}], template="certificate")
    assert str(error.value) == (
        'rows: certificate requires "recipient", but no column or option has this name. The columns are "course". '
        'Rename a column, pass recipient=... for all rows, or pass defaults="example" to print example texts.'
    )
    with pytest.raises(InvalidInput, match='invoice requires "number" and "total"'):
        mediakit.batch(mediakit.pdf, [{"client": "Tea Ltd."}], template="invoice")


@pytest.mark.browser
def test_row_without_main_text_fails_and_others_are_created() -> None:
    rows = [{"title": "Tea"}, {"title": None}, {"title": " "}, {"site": "example.com"}]
    made = mediakit.batch(mediakit.capture, rows, **SMALL)
    assert list(made) == ["1"]
    message = "title: must not be empty, because og requires it in every row."
    assert [(failed.row, str(failed.error)) for failed in made.errors] == [(row, message) for row in (2, 3, 4)]


@pytest.mark.browser
def test_main_key_can_be_an_option_or_a_member_of_data() -> None:
    assert len(mediakit.batch(mediakit.capture, [{"site": "a"}, {"site": "b"}], title="Tea", **SMALL)) == 2
    assert len(mediakit.batch(mediakit.capture, [{"site": "a"}], data={"title": "Tea"}, **SMALL)) == 1
    assert len(mediakit.batch(mediakit.capture, [{"data": {"title": "Tea"}}], **SMALL)) == 1


@pytest.mark.browser
def test_defaults_replaces_the_check_of_main_keys() -> None:
    rows = [{"site": "example.com"}]
    examples = mediakit.batch(mediakit.capture, rows, defaults="example", **SMALL)
    assert "title" in examples["1"].meta["defaults_used"]
    blank = mediakit.batch(mediakit.capture, [{"site": "a", "title": ""}], defaults="blank", **SMALL)
    assert blank["1"].meta["defaults_used"] == []
    with pytest.raises(InvalidInput, match="omitted: title, description"):
        mediakit.batch(mediakit.capture, rows, defaults="error", **SMALL)


@pytest.mark.browser
def test_example_text_is_summarized_once_below_the_result() -> None:
    rows = [{"title": "Tea", "site": "a"}, {"title": "Milk", "site": "b"}]
    made = mediakit.batch(mediakit.capture, rows, tag="", **SMALL)
    summary = "Example text in 2 rows: description, author, date"
    assert repr(made) == f"<BatchResult: 2 created>\n  {summary}"
    assert made._repr_html_().count(summary) == 1
    complete = mediakit.batch(mediakit.capture, rows, defaults="blank", **SMALL)
    assert "Example text" not in repr(complete) + complete._repr_html_()


@pytest.mark.browser
def test_style_is_an_option_or_a_column() -> None:
    first, second, *_ = TEMPLATES["social"].styles
    small: dict[str, Any] = {"template": "social", "width": 200, "height": 200, "defaults": "blank"}
    rows = [{"title": "Tea", "style": first}, {"title": "Tea", "style": second}, {"title": "Tea", "style": "none"}]
    made = mediakit.batch(mediakit.capture, rows, **small)
    assert made["1"].content != made["2"].content
    assert made["2"].content == mediakit.batch(mediakit.capture, [{"title": "Tea"}], style=second, **small)["1"].content
    assert "style" in str(made.errors[0].error)
