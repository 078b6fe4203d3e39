"""Columns of a batch of `pdf_form` are fields of the form."""

import io

import pandas as pd
import pypdf
import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import FORM


def values_of(content: bytes) -> dict[str, object]:
    fields = pypdf.PdfReader(io.BytesIO(content)).get_fields() or {}
    return {name: field.get("/V") for name, field in fields.items()}


def test_each_row_of_a_frame_fills_one_form() -> None:
    frame = pd.DataFrame({"name": ["Ada", "Grace"], "birthday": [10121815, None], "newsletter": [True, False]})
    batch = mediakit.batch(mediakit.pdf_form, frame, file=FORM, values={"country": "GB"})
    read = [values_of(result.content) for result in batch.values()]
    assert [(each["name"], each["birthday"], each["newsletter"], each["country"]) for each in read] == [
        ("Ada", "10121815", "/Yes", "GB"),
        ("Grace", None, "/Off", "GB"),
    ]


def test_unknown_column_fails_its_row_with_a_suggestion() -> None:
    batch = mediakit.batch(mediakit.pdf_form, [{"nmae": "Ada"}, {"name": "Grace"}], file=FORM)
    assert len(batch) == 1
    assert 'there is no field "nmae"; did you mean "name"?' in str(batch.errors)


def test_ignored_columns_are_not_filled() -> None:
    rows = [{"name": "Ada", "id": 7}]
    batch = mediakit.batch(mediakit.pdf_form, rows, file=FORM, ignore="id", name="form-{id}")
    assert list(batch.errors) == []
    assert batch["form-7"].values["name"] == "Ada"


def test_options_of_the_form_are_options_of_the_batch() -> None:
    batch = mediakit.batch(mediakit.pdf_form, [{"name": "Ada"}], file=FORM, flatten=True)
    assert values_of(next(iter(batch.values())).content) == {}


def test_unknown_option_is_refused() -> None:
    with pytest.raises(InvalidInput, match="flaten"):
        mediakit.batch(mediakit.pdf_form, [{"name": "Ada"}], file=FORM, flaten=True)
