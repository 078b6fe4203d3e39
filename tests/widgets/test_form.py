"""Forms: a control per field, a preview that follows the values, and errors at their fields."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import KW_ONLY
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import ipywidgets as w
import numpy as np
import pytest
from pydantic import AliasChoices, Field

import mediakit
from mediakit.core import snippets
from mediakit.core.fields import HexColor
from mediakit.core.inputs import File
from mediakit.core.request import request
from mediakit.core.tool import Tool, tool
from mediakit.errors import InvalidInput, NotFound, RenderFailed
from mediakit.results.files import FileResult, ImageResult
from mediakit.results.result import Result
from mediakit.samples import LANDSCAPE
from mediakit.tools.catalogue import all_tools
from mediakit.widgets import Form
from mediakit.widgets.inputs.base import Choices
from tests.support.lab_kit import write_notebook

AnyForm = Form[Any]


@request
class EverythingRequest:
    """A request with a field of every kind."""

    text: Annotated[str, Field(max_length=50, validation_alias=AliasChoices("text", "words"))]
    """A `short` text."""
    _: KW_ONLY
    page: Annotated[str, Field(max_length=1_000_000)] | None = None
    """A long text."""
    count: Annotated[int, Field(ge=1, le=9)] = 3
    """A whole number."""
    limit: Annotated[int, Field(ge=1)] | None = None
    """An optional whole number."""
    ratio: float = 1.5
    """A number."""
    loud: bool = False
    """Yes or no."""
    mood: Literal["calm", "wild"] = "calm"
    """A choice."""
    shape: Literal["round", "square"] | None = None
    """An optional choice."""
    color: HexColor = "#0000ff"
    """A color."""
    file: File | None = None
    """A file."""
    labels: list[str] | None = None
    """A list of texts."""
    points: list[dict[str, Any]] | None = None
    """A list of objects."""
    data: dict[str, str] | None = None
    """An object."""


@tool(
    EverythingRequest,
    tag="Images",
    raw={"text/plain": "text", "image/*": "file", "application/pdf": "file"},
    produces=("text/plain",),
)
def everything(request: EverythingRequest) -> Result:
    """Accept every kind of field."""
    if request.text == "fails":
        raise RenderFailed("The browser stopped. Try again.")
    if request.text == "invalid":
        raise InvalidInput("text: does not fit.")
    if request.text == "clash":
        raise InvalidInput("count, ratio: do not go together.")
    return FileResult(repr(request).encode(), "text/plain")


VALUES: dict[str, Any] = {
    "text": "hi",
    "page": "<h1>Hello</h1>\n<p>there</p>",
    "count": 5,
    "limit": 7,
    "ratio": 0.5,
    "loud": True,
    "mood": "wild",
    "shape": "square",
    "color": "#ff0000",
    "file": b"bytes",
    "labels": ["a, b", "c"],
    "points": [{"x": 1}],
    "data": {"title": "Hello"},
}


@pytest.mark.parametrize(
    ("field", "kind"),
    [
        ("text", w.Text),
        ("page", w.Textarea),
        ("count", w.IntText),
        ("limit", w.Text),
        ("ratio", w.FloatText),
        ("loud", w.Checkbox),
        ("mood", Choices),
        ("shape", Choices),
        ("color", w.Text),
        ("file", w.FileUpload),
        ("labels", w.Textarea),
        ("points", w.Textarea),
        ("data", w.Textarea),
    ],
)
def test_field_has_control_labeled_with_its_name(field: str, kind: type[w.Widget]) -> None:
    control = mediakit.form(everything).fields[field].control
    assert type(control) is kind
    assert control.description.removeprefix("Choose ") == field


IN_ANOTHER_INPUT = {"chart": {"series"}, "mail_merge": {"html", "file"}}
"""Fields that the input of another field sets."""


@pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
def test_form_of_tool_has_all_its_fields(tool: Tool[..., Any]) -> None:
    names = {parameter.name for parameter in tool.parameters}
    in_another_input = {"values"} if tool.spec.tag == "Validation" else IN_ANOTHER_INPUT.get(tool.name, set())
    assert set(mediakit.form(tool).fields) == names - in_another_input


def test_values_return_initial_values() -> None:
    assert mediakit.form(everything, **VALUES).values == VALUES


def test_values_omit_empty_fields() -> None:
    form = mediakit.form(everything, text="hi")
    assert form.values == {"text": "hi", "count": 3, "ratio": 1.5, "loud": False, "mood": "calm", "color": "#0000ff"}
    assert form.request == everything.build("hi")


@pytest.mark.parametrize("field", ["page", "limit", "shape", "labels", "points", "data"])
def test_values_omit_optional_field_after_it_is_cleared(field: str) -> None:
    form = mediakit.form(everything, text="hi", **{field: VALUES[field]})
    form.fields[field].control.value = None if field == "shape" else ""
    assert field not in form.values


def test_initial_value_can_use_alias_of_field() -> None:
    assert mediakit.form(everything, words="hi").values["text"] == "hi"


def test_initial_color_can_omit_number_sign() -> None:
    assert mediakit.form(everything, color="FF0000").fields["color"].control.value == "#ff0000"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"count": 12}, "count: must be between 1 and 9, got 12."),
        ({"count": "many"}, 'count: must be an integer, got "many".'),
        ({"cuont": 2}, 'cuont: is not a known field; did you mean "count"?'),
    ],
)
def test_form_rejects_invalid_initial_values(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        mediakit.form(everything, **values)
    assert caught.value.message == message


def test_invalid_initial_color_is_reported_without_missing_fields() -> None:
    with pytest.raises(InvalidInput, match=r'^dark: must be an opaque color .*, got "inkk"\. Did you mean "pink"\?$'):
        mediakit.form(mediakit.qr, dark="inkk")


def test_result_equals_result_of_tool() -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    assert form.result == mediakit.qr("hi")
    form.fields["size"].control.value = 300
    assert form.result == mediakit.qr("hi", size=300)


def test_preview_shows_image_with_alt_text_and_download_link() -> None:
    form = mediakit.form(mediakit.qr, data="<hi>")
    uri = form.result.data_uri()
    assert f'<img alt="QR code: &lt;hi&gt;" src="{uri}"' in shown(form)
    assert f'<a download="qr.png" href="{uri}">Download qr.png</a>' in shown(form)
    assert "PNG · 512 × 512 · " in shown(form)


def test_preview_of_large_file_shows_how_to_save_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mediakit.widgets.forms.output.MAX_LINK_BYTES", 100)
    form = mediakit.form(mediakit.qr, data="hi")
    assert form.result._saved().mime_type == "image/png"
    assert "form.result.save(&quot;qr.png&quot;)" in shown(form)
    assert "download=" not in shown(form)


def test_form_refuses_object_that_is_not_a_tool() -> None:
    unknown: Any = 5
    with pytest.raises(InvalidInput, match=r"^tool: must be a tool, such as mediakit\.qr, or its name, got 5\.$"):
        mediakit.form(unknown)


def test_preview_shows_text_of_result_without_image() -> None:
    form = mediakit.form(everything, text="hi")
    assert form.result._saved().mime_type == "text/plain"
    assert "EverythingRequest(" in shown(form)


def test_form_shows_call_in_four_languages() -> None:
    form = mediakit.form(mediakit.qr, data="it's <b>", size=300)
    assert form.result._saved().mime_type == "image/png"
    assert "mediakit.qr(&quot;it&#x27;s &lt;b&gt;&quot;, size=300)" in shown(form)
    assert "/qr?size=300&#x27;" in shown(form)
    assert "&quot;x-api-key&quot;: process.env.MEDIAKIT_API_KEY" in shown(form)
    assert "--size 300 -o qr.png" in shown(form)


def test_form_shows_name_of_initial_and_uploaded_file() -> None:
    form = mediakit.form(mediakit.images, file=LANDSCAPE, width=40)
    assert form.result.width == 40
    assert "<span>landscape.jpg</span>" in shown(form)
    content = mediakit.qr("hi").content
    upload(form, "code.png", content)
    assert form.result == mediakit.images(content, width=40)
    assert "<span>code.png</span>" in shown(form)
    assert "import pathlib\n\nmediakit.images(pathlib.Path(&quot;code.png&quot;), width=40)" in shown(form)


def test_file_can_be_removed() -> None:
    code = mediakit.qr("hi")
    form = mediakit.form(mediakit.qr, data="hi", logo=LANDSCAPE)
    assert form.result != code
    remove = next(part for part in parts(form.widget) if getattr(part, "tooltip", None) == "Remove logo")
    remove.click()
    wait_for_update(form)
    assert form.result == code
    assert "landscape.jpg" not in shown(form)
    upload(form, "logo.jpg", LANDSCAPE.read_bytes(), field="logo")
    assert form.result != code
    remove.click()
    assert form.result == code


def test_initial_file_can_be_result_of_tool() -> None:
    code = mediakit.qr("hi")
    form = mediakit.form(mediakit.images, file=code, width=40)
    assert form.result == mediakit.images(code, width=40)


def test_file_input_accepts_media_types_of_tool() -> None:
    assert mediakit.form(everything).fields["file"].control.accept == "image/*,application/pdf"


def test_capture_form_uses_template_size_unless_width_is_entered() -> None:
    form = mediakit.form(mediakit.capture, template="certificate")
    assert "width" not in form.values
    assert form.fields["width"].control.placeholder == "1200"
    form.fields["width"].control.value = "1200"
    assert form.values["width"] == 1200


def test_pdf_form_uses_template_orientation_unless_landscape_is_chosen() -> None:
    form = mediakit.form(mediakit.pdf, template="certificate")
    assert not {"landscape", "format"} & set(form.values)
    form.fields["landscape"].control.value = False
    assert form.values["landscape"] is False
    assert "landscape=False" in snippets.python(mediakit.pdf, form.values)


def test_rarely_used_fields_are_collapsed_until_one_is_invalid() -> None:
    form = mediakit.form(everything, text="hi")
    assert "<details><summary>More options</summary></details>" in shown(form)
    form.fields["points"].control.value = "[1]"
    wait_for_update(form)
    assert "<details open><summary>More options</summary></details>" in shown(form)


def test_optional_color_is_omitted_until_it_is_entered() -> None:
    form = mediakit.form(mediakit.images, file=LANDSCAPE, width=40)
    assert "background" not in form.values
    assert 'aria-label="Pick background"' in shown(form)
    form.fields["background"].control.value = "#ff0000"
    assert form.values["background"] == "#ff0000"
    assert 'style="background:#ff0000"' in shown(form)


def test_form_shows_error_at_field_until_value_is_valid() -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    form.fields["size"].control.value = 5
    wait_for_update(form)
    assert form.fields["size"].error == "Must be between 64 and 2000, got 5."
    assert "role='alert' class='mediakit-error'>Must be between 64 and 2000, got 5.<" in shown(form)
    form.fields["size"].control.value = 300
    wait_for_update(form)
    assert form.fields["size"].error == ""
    assert "role='alert'" not in shown(form)


def test_form_shows_error_at_every_invalid_field() -> None:
    form = mediakit.form(everything, text="hi")
    form.fields["count"].control.value = 12
    form.fields["limit"].control.value = "0"
    wait_for_update(form)
    assert errors(form) == {
        "count": "Must be between 1 and 9, got 12.",
        "limit": "Must be at least 1, got 0.",
    }


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        ("limit", "few", 'Must be an integer, got "few".'),
        ("data", "{", 'Must be JSON such as {"title": "Hello"}, got "{".'),
        ("points", "[1]", "Item 1 must be an object, got 1."),
        ("text", "invalid", "Does not fit."),
        ("text", "clash", "Count and ratio do not go together."),
    ],
)
def test_error_at_field_is_sentence_without_its_name(field: str, text: str, message: str) -> None:
    form = mediakit.form(everything, text="hi")
    form.fields[field].control.value = text
    wait_for_update(form)
    assert list(errors(form).values()) == [message]


@pytest.mark.parametrize(
    ("tool", "hint"), [(mediakit.qr, "Fill in data."), (mediakit.capture, "Fill in html or template.")]
)
def test_required_field_shows_hint_before_first_edit(tool: Tool[..., Any], hint: str) -> None:
    form = mediakit.form(tool)
    wait_for_update(form)
    assert errors(form) == {}
    assert f"<div role='status' class='mediakit-status'>{hint}</div>" in shown(form)


def test_required_field_shows_error_after_it_is_cleared() -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    form.fields["data"].control.value = ""
    wait_for_update(form)
    assert errors(form) == {"data": "Fill in data."}


def test_nothing_is_marked_as_error_before_first_edit() -> None:
    form = mediakit.form(everything, text="fails")
    wait_for_update(form)
    assert "<div role='status' class='mediakit-status'>The browser stopped. Try again.</div>" in shown(form)
    assert "mediakit-error" not in shown(form)


def test_error_without_field_is_shown_above_preview() -> None:
    form = mediakit.form(everything, text="hi")
    form.fields["text"].control.value = "fails"
    wait_for_update(form)
    assert "<div role='alert' class='mediakit-error'>The browser stopped. Try again.</div>" in shown(form)
    with pytest.raises(RenderFailed):
        _ = form.result


def test_result_raises_while_a_field_is_invalid() -> None:
    form = mediakit.form(mediakit.qr, data="hi", dark="#111111")
    form.fields["light"].control.value = "#111111"
    with pytest.raises(InvalidInput, match="must be different colors"):
        _ = form.result


def test_previous_preview_stays_while_a_field_is_invalid() -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    before = form.result.data_uri()
    form.fields["size"].control.value = 5
    wait_for_update(form)
    assert before in shown(form)


class Gate:
    """A tool that blocks until it is released, and records its calls."""

    def __init__(self) -> None:
        self.started = threading.Semaphore(0)
        self.allowed = threading.Semaphore(0)
        self.calls: list[str] = []
        self._busy = threading.Lock()

    def run(self, text: str) -> bytes:
        assert self._busy.acquire(blocking=False), "the tool was called twice at the same time"
        self.calls.append(text)
        self.started.release()
        assert self.allowed.acquire(timeout=60)
        self._busy.release()
        return text.encode()


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.allowed.release(100)


@request
class SlowRequest:
    """A text."""

    text: str
    """The text."""


def gated(gate: Gate) -> Tool[[str], Result]:
    @tool(SlowRequest, tag="Images", raw={}, produces=("text/plain",))
    def slow(request: SlowRequest) -> Result:
        """Return the text after the gate opens."""
        return FileResult(gate.run(request.text), "text/plain")

    return slow


def test_form_runs_tool_once_at_a_time_and_skips_outdated_values(gate: Gate) -> None:
    form = mediakit.form(gated(gate), text="first")
    assert gate.started.acquire(timeout=60)
    for length in range(1, 40):
        form.fields["text"].control.value = "x" * length
    gate.allowed.release(2)
    wait_for_update(form)
    assert gate.calls == ["first", "x" * 39]
    assert form.result.file == b"x" * 39


def test_result_waits_for_pending_update(gate: Gate) -> None:
    gate.allowed.release(100)
    form = mediakit.form(gated(gate), text="first")
    wait_for_update(form)
    form.fields["text"].control.value = "second"
    assert form.result.file == b"second"
    assert gate.calls == ["first", "second"]


@pytest.mark.browser
def test_form_of_capture_renders_html() -> None:
    form = mediakit.form(mediakit.capture, html="<h1>Hello</h1>", width=200, height=100)
    result = form.result
    assert isinstance(result, ImageResult)
    assert (result.width, result.height) == (200, 100)


def wait_for_update(form: AnyForm) -> None:
    """Wait until the form shows the result of the last change."""
    form._update.wait()


def errors(form: AnyForm) -> dict[str, str]:
    return {name: field.error for name, field in form.fields.items() if field.error}


def shown(form: AnyForm) -> str:
    """Return the markup of the form without its style sheet."""
    return "\n".join(markup(form.widget)).partition("</style>")[2]


def markup(widget: w.Widget) -> Iterator[str]:
    if isinstance(widget, w.HTML):
        yield widget.value
    for child in getattr(widget, "children", ()):
        yield from markup(child)


def parts(widget: w.Widget) -> Iterator[w.Widget]:
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts(child)


def upload(form: AnyForm, name: str, content: bytes, field: str = "file") -> None:
    when = datetime(2026, 3, 1, tzinfo=UTC)
    file = {
        "name": name,
        "type": "image/png",
        "size": len(content),
        "content": memoryview(content),
        "last_modified": when,
    }
    form.fields[field].control.set_trait("value", (file,))


def test_form_accepts_name_of_tool() -> None:
    assert mediakit.form("qr", data="hi").result == mediakit.qr("hi")
    with pytest.raises(NotFound, match=r'unknown tool qrr; did you mean "qr"\?'):
        mediakit.form("qrr")


@pytest.mark.parametrize("values", [{"rows": [["a"], ["b"]], "header": True}, {"rows": np.arange(3)}])
def test_form_accepts_value_of_a_choice_that_is_yes_or_no(values: dict[str, Any]) -> None:
    assert mediakit.form("table_image", **values).result.alt == mediakit.table_image(**values).alt


def test_form_accepts_name_of_template() -> None:
    assert (
        mediakit.form("invoice", currency="GBP").code()
        == mediakit.form(mediakit.templates("invoice"), currency="GBP").code()
    )


def test_code_of_form_is_call_with_its_values() -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    form.fields["size"].control.value = 300
    assert form.code() == 'mediakit.qr("hi", size=300)'
    assert form.code("shell") == "mediakit qr hi --size 300 -o qr.png"
    form.fields["size"].control.value = 5
    with pytest.raises(InvalidInput, match="size: must be between"):
        form.code()


def test_invalid_form_offers_no_old_call_or_file() -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    wait_for_update(form)
    assert "disabled" not in _markup(form)
    assert "Download qr.png" in _markup(form)
    form.fields["size"].control.value = 5
    wait_for_update(form)
    assert _markup(form).count('<button type="button" disabled') == 5  # insert, and copy in four languages
    assert "first fix size." in _markup(form)
    assert "Download qr.png" not in _markup(form)
    form.fields["size"].control.value = 300
    wait_for_update(form)
    assert "disabled" not in _markup(form)
    assert "Download qr.png" in _markup(form)


def _markup(form: AnyForm) -> str:
    """Return the markup of the call and of the line below the preview."""
    return "".join(part.value for part in parts(form._output_area.widget) if isinstance(part, w.HTML))


def test_front_ends_without_widgets_show_what_to_do_instead(tmp_path: Path) -> None:
    write_notebook(tmp_path / "form.ipynb", ["import mediakit", "mediakit.form('qr', data='hi')"])
    command = ["jupyter", "nbconvert", "--execute", "--to", "html", "--ExecutePreprocessor.store_widget_state=False"]
    subprocess.run([sys.executable, "-m", *command, "form.ipynb"], cwd=tmp_path, check=True, capture_output=True)
    body = (tmp_path / "form.html").read_text("utf-8").partition("<body")[2]
    assert "Call the tool instead" in body
    assert "data:image/png;base64" in body


def test_marimo_shows_result_and_call_of_form() -> None:
    kind, shown = mediakit.form(mediakit.qr, data="hi")._mime_()
    assert kind == "text/html"
    assert "Call the tool instead" in shown
    assert "mediakit.qr(&quot;hi&quot;)" in shown
    assert 'alt="QR code: hi"' in shown


def test_preview_is_not_blank_while_the_first_values_are_invalid() -> None:
    form = mediakit.form(mediakit.qr, data="hi", size=300)
    form.fields["size"].control.value = 9
    form._output_area.rendered = None
    form._preview._result = None
    wait_for_update(form)
    assert "The preview follows when size is valid." in shown(form)
