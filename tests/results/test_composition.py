"""Results: final names, JSON that a worker wrote, absent fields, pickles, and images with their size in HTML."""

import pickle
from typing import Any

import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.results.data import DataResult
from mediakit.results.files import FileResult, ImageResult
from mediakit.results.item import Item, Json, field
from mediakit.samples import LANDSCAPE


class Rows(DataResult):
    """Rows that a worker wrote."""

    rows: list[dict[str, Any]] = field(metadata={"json": True})
    """The rows."""
    note: str | None = None
    """Absent while it is None."""


@pytest.mark.parametrize("name", ["file", "save", "to_dict", "call", "content", "mime_type", "code", "alt"])
def test_field_that_shadows_a_member_of_results_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match=rf"^Shadowing\.{name} shadows \w+\.{name}, which is final\.$"):
        type("Shadowing", (DataResult,), {"__annotations__": {name: str}, "__module__": "mediakit.test"})


def test_method_that_overrides_a_member_of_files_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^Other\.save shadows Result\.save, which is final\.$"):
        type("Other", (FileResult,), {"save": None})


def test_json_of_a_worker_is_sent_as_it_is_and_parsed_when_it_is_read() -> None:
    result = Rows(Json(b'[{"a":1.50}]'))  # type: ignore[arg-type]  # what a worker returns
    assert result.envelope() == b'{"success":true,"rows":[{"a":1.50}],"meta":{}}'
    assert result.rows == [{"a": 1.5}]
    assert Rows.from_envelope({"rows": [{"a": 1.5}], "meta": {"used": 1}}) == result


def test_field_without_value_is_absent() -> None:
    assert "note" not in Rows([]).to_dict()
    assert Rows([], "x").to_dict() == {"rows": [], "note": "x", "meta": {}}


def test_response_that_does_not_fit_is_one_line() -> None:
    with pytest.raises(InvalidInput, match=r"^The server's response does not fit Rows: rows: Field required\.$"):
        Rows.from_envelope({"meta": {}})


def test_parts_are_equal_by_their_fields() -> None:
    class Point(Item):
        x: int
        y: int

    assert Point(1, 2) == Point(1, 2) != Point(2, 1)
    assert repr(Point(1, 2)) == "Point(x=1, y=2)"


def test_pickle_has_names_of_files_and_not_their_content() -> None:
    info = mediakit.image_info(LANDSCAPE)
    pickled = pickle.dumps(info)
    assert len(pickled) < 20_000 < LANDSCAPE.stat().st_size
    again = pickle.loads(pickled)
    assert again == info
    assert LANDSCAPE.name in again.code()


@pytest.mark.browser
def test_image_of_high_density_keeps_its_size_in_html() -> None:
    image = mediakit.capture("<h1>Hi</h1>", width=320, height=200, device_scale_factor=2)
    assert isinstance(image, ImageResult)
    assert (image.width, image.height) == (640, 400)
    tag = image.img(alt='A "page"')
    assert 'width="320" height="200"' in tag
    assert 'alt="A &quot;page&quot;"' in tag
    shown = mediakit.capture(f'<body style="margin:0"><img src="{image.data_uri()}"></body>', selector="img")
    assert (shown.width, shown.height) == (320, 200)


@pytest.mark.browser
def test_notebook_names_the_example_texts_of_a_template(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr("IPython.display.display", lambda data, **_: shown.append(data["text/plain"]))
    invoice = mediakit.pdf(template="invoice", data={"number": "1042"})
    invoice._ipython_display_()
    assert "example text" in shown[-1].lower()
