"""Batches: values of rows, names of results, progress, reports and errors."""

import datetime as dt
import io
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import warnings
import zipfile
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pandas as pd
import polars as pl
import pytest
from PIL import Image

import mediakit
from mediakit import payloads
from mediakit.batches import BatchResult
from mediakit.errors import InvalidInput, NotFound

pytest_plugins = ["tests.support.shell_fixtures"]

BATCH_ARGUMENTS = {"name", "to", "ignore", "tool", "rows"}


def texts(result: Mapping[str, Any]) -> dict[str, str]:
    """Return the decoded text of every code."""
    return {name: mediakit.code_reader(code)[0].text for name, code in result.items()}


@pytest.mark.parametrize(
    "rows",
    [
        [{"data": "tea", "size": 200}, {"data": "milk"}],
        [{"text": "tea", "size": 200}, {"url": "milk"}],
        pd.DataFrame({"data": ["tea", "milk"], "size": [200, None]}),
        pl.DataFrame({"data": ["tea", "milk"], "size": [200, None]}),
        pl.LazyFrame({"data": ["tea", "milk"], "size": [200, None]}),
    ],
    ids=["dictionaries", "aliases", "pandas", "polars", "lazy"],
)
def test_batch_calls_tool_for_every_row_with_options_as_defaults(rows: Any) -> None:
    made = mediakit.batch(mediakit.qr, rows, size=300, margin=2)
    assert dict(made) == {"1": mediakit.qr("tea", size=200, margin=2), "2": mediakit.qr("milk", size=300, margin=2)}


@pytest.mark.parametrize(
    "rows", [["tea", "milk"], ("tea", "milk"), pd.Series(["tea", "milk"]), iter(["tea", "milk"])], ids=type
)
def test_plain_values_are_used_for_first_field(rows: Any) -> None:
    assert texts(mediakit.batch(mediakit.qr, rows)) == {"1": "tea", "2": "milk"}


def test_results_have_names_of_dictionary_or_gallery() -> None:
    codes = mediakit.batch(mediakit.qr, {"hot": "tea", "cold": {"data": "milk", "size": 200}})
    assert texts(codes) == {"hot": "tea", "cold": "milk"}
    small = mediakit.batch(mediakit.images, codes, width=80)
    assert {name: image.width for name, image in small.items()} == {"hot": 80, "cold": 80}


def test_results_have_names_of_input_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        mediakit.qr(name).save(tmp_path / f"{name}.png")
    mediakit.batch(mediakit.images, sorted(tmp_path.glob("*.png")), width=90, format="webp", to=tmp_path / "small")
    found = {path.name: Image.open(io.BytesIO(path.read_bytes())).size for path in (tmp_path / "small").glob("*.webp")}
    assert found == {"one.webp": (90, 90), "two.webp": (90, 90)}


def test_numbers_and_dates_are_converted_to_text() -> None:
    frame = pd.DataFrame({"data": [4006381333931, None, 96385074]}).dropna()
    assert mediakit.batch(mediakit.barcode, frame, type="code128")["1"].meta["text"] == "4006381333931"
    numbers = [2.0, 2.5, Decimal("2.50"), 3, float("inf")]
    assert list(texts(mediakit.batch(mediakit.qr, numbers)).values()) == ["2", "2.5", "2.50", "3", "inf"]
    assert mediakit.batch(mediakit.qr, [True, "x"]).errors[0].error.message == "data: must be text, got true."
    days = [dt.date(2026, 3, 1), pd.Timestamp("2026-03-02"), dt.datetime(2026, 3, 3, 9, 30)]  # noqa: DTZ001
    assert list(texts(mediakit.batch(mediakit.qr, days)).values()) == [
        "2026-03-01",
        "2026-03-02",
        "2026-03-03 09:30:00",
    ]


@pytest.mark.browser
def test_columns_fill_template_and_missing_value_is_empty_text() -> None:
    frame = pd.DataFrame({"recipient": ["Ada Lovelace", "Mary Somerville"], "course": ["Notes", None], "room": [1, 2]})
    made = mediakit.batch(
        mediakit.capture,
        frame,
        name="{room} {recipient}",
        template="certificate",
        accent="#0f766e",
        data={"issuer": "The school"},
    )
    ada = {"recipient": "Ada Lovelace", "course": "Notes", "accent": "#0f766e", "issuer": "The school"}
    mary = ada | {"recipient": "Mary Somerville", "course": ""}
    assert dict(made) == {
        "1 Ada Lovelace": mediakit.capture(template="certificate", data=ada),
        "2 Mary Somerville": mediakit.capture(template="certificate", data=mary),
    }
    assert "course" not in made["2 Mary Somerville"].meta["defaults_used"]
    assert "signer" in made.report[0]["notes"]


@pytest.mark.browser
def test_rows_can_have_different_templates() -> None:
    rows = [
        {"template": "og", "title": "Tea", "site": "example.com"},
        {"template": "youtube", "title": "Tea", "channel": "Tea"},
    ]
    made = mediakit.batch(mediakit.capture, rows, width=400, height=225)
    assert "site" not in made["1"].meta["defaults_used"]
    assert "channel" not in made["2"].meta["defaults_used"]


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([{"dta": "x"}], {}, 'rows: the column "dta" is not a field of qr; did you mean "data"?'),
        ([{"data": "x", "email": "a@b"}], {}, 'ignore=["email"]'),
        (["x"], {"sise": 300}, 'sise: is not a known field; did you mean "size"?'),
        (["x"], {"workers": 2}, "gradient_angle, transparent, logo, name, to, columns, ignore, force, executor."),
        (["x", "y"], {"size": 9}, "size: must be between 64 and 2000, got 9."),
        ("tea", {}, 'the path of a CSV, TSV, XLSX or Parquet file, got "tea".'),
        ("tea.csv", {}, "rows: cannot read 'tea.csv': No such file or directory."),
        (5, {}, "or the path of a table file, got int."),
        (["x"], {"name": "{dta}"}, 'name: row 1 has no column "dta"; did you mean "data"?'),
        (["x"], {"name": "{"}, 'name: must be a pattern such as "{recipient}"'),
        (["x"], {"name": "{data:d}"}, "does not fit row 1"),
        (["x"], {"name": "{data.__class__}"}, "has no column"),
        (["x"], {"ignore": "dta"}, 'ignore: no row has a column "dta"; did you mean "data"?'),
        ([{"data": "x", "text": "y"}], {}, 'data: is passed twice, as "data" and "text".'),
    ],
)
def test_batch_rejects_invalid_arguments_before_any_call(
    rows: Any, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput, match=re.escape(message)):
        mediakit.batch(mediakit.qr, rows, to=tmp_path / "out", **options)
    assert not list(tmp_path.rglob("*.png"))


def test_error_of_unknown_column_names_template() -> None:
    with pytest.raises(
        InvalidInput, match='"recipent" is not a field of capture or key of certificate; did you mean "recipient"'
    ):
        mediakit.batch(mediakit.capture, [{"recipent": "Ada"}], template="certificate")


@pytest.mark.parametrize("name", ["qr", "validate-email"])
def test_tool_can_be_named(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a validator takes all values in one call
        assert len(mediakit.batch(name, ["a@example.com", "b@example.com"])) == 2
    with pytest.raises(NotFound, match='did you mean "qr"'):
        mediakit.batch("qrr", ["tea"])


def test_rows_can_be_the_result_of_a_data_tool() -> None:
    queried = mediakit.data_query(
        rows=[{"name": "tea"}, {"name": "milk"}], sql="SELECT name AS data FROM data ORDER BY 1"
    )
    expected = [mediakit.qr("milk"), mediakit.qr("tea")]
    for rows in (queried, mediakit.data_convert(queried, to="csv"), mediakit.data_convert(queried, to="xlsx")):
        assert mediakit.batch("qr", rows).results == expected
    with pytest.raises(
        InvalidInput, match=r"rows: must be a table, got ImageResult \(a PNG image\)\. mediakit\.image_info"
    ):
        mediakit.batch("qr", expected[0])


TEA = [{"data": "tea", "sise": 3, "price": 3, "note": "hot"}, {"data": "milk", "sise": 4, "price": 2, "note": ""}]


def test_unused_columns_are_all_named_at_once() -> None:
    with pytest.raises(InvalidInput) as error:
        mediakit.batch("qr", TEA)
    assert str(error.value) == (
        'rows: the columns "sise", "price", "note" are not fields of qr; did you mean "size" for "sise"? '
        'To omit them, pass ignore=["sise", "price", "note"], or ignore="rest" for all columns that are not used.'
    )


def test_rest_of_the_columns_can_be_ignored(tmp_path: Path) -> None:
    made = mediakit.batch("qr", TEA, ignore="rest", name="{data} {price}")
    assert dict(made) == {"tea 3": mediakit.qr("tea"), "milk 2": mediakit.qr("milk")}
    streamed = mediakit.batch("qr", iter(TEA), ignore="rest", to=tmp_path / "codes")
    assert [result.content for result in streamed.values()] == [mediakit.qr("tea").content, mediakit.qr("milk").content]
    with pytest.raises(InvalidInput, match='no row has a column "rest"'):
        mediakit.batch("qr", ["tea"], ignore=["rest"])


@pytest.mark.parametrize("name", ["{Name}", "{data}"])
def test_name_can_contain_old_and_new_names_of_columns(name: str) -> None:
    made = mediakit.batch("qr", [{"Name": "Ada"}], columns={"Name": "data"}, name=f"{{{{{name}}}}} {{row:03}}")
    assert list(made) == ["{Ada} 001"]


def test_new_name_of_a_column_comes_before_an_old_one_in_names() -> None:
    made = mediakit.batch("qr", [{"a": "x", "data": 200}], columns={"data": "size", "a": "data"}, name="{data}")
    assert list(made) == ["x"]


def test_frame_of_results_that_are_data_has_a_row_for_each_of_their_rows() -> None:
    rows = [{"phone": "+34 912 34 56 78"}, {"phone": "20 7946 0018", "region": "GB"}]
    frame = mediakit.batch("validate_phone", rows, name="{row}").to_frame()
    assert list(frame.columns[:1]) == ["result"]
    assert frame["result"].to_list() == ["1", "2"]
    assert frame["e164"].to_list() == ["+34912345678", "+442079460018"]
    images = {"small": mediakit.qr("x", size=100), "large": mediakit.qr("x", size=200)}
    about = mediakit.batch("image_info", images).to_frame()
    assert (about["result"].to_list(), about["width"].to_list()) == (["small", "large"], [100, 200])
    assert mediakit.batch("code_reader", images).to_frame()["text"].to_list() == ["x", "x"]
    with pytest.raises(InvalidInput, match="to_frame: the results are files"):
        mediakit.batch("qr", ["x"]).to_frame()


@pytest.mark.parametrize("tool", [5, print, mediakit.gallery])
def test_batch_rejects_object_that_is_not_a_tool(tool: Any) -> None:
    with pytest.raises(InvalidInput, match=r"tool: must be a tool, such as mediakit\.qr"):
        mediakit.batch(tool, ["x"])


def test_batch_rejects_directory_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("taken")
    with pytest.raises(InvalidInput, match=r"to: .*out must be a folder"):
        mediakit.batch(mediakit.qr, ["x"], to=tmp_path / "out")


def test_columns_can_be_ignored_or_used_in_names() -> None:
    rows = [{"data": "tea", "shop": "North", "price": 3.5, "dark": "not a color"}]
    made = mediakit.batch(mediakit.qr, rows, name="{shop} {row:03}", ignore=["price", "dark"])
    assert dict(made) == {"North 001": mediakit.qr("tea")}


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("Ada Lovelace", "Ada Lovelace"),
        ("../../etc/passwd", "-..-etc-passwd"),
        ("a/b\\c", "a-b-c"),
        ("..", "1"),
        ("", "1"),
        ("con", "_con"),
        ('x<>:"|?*\n\0y', "x- -y"),
        ("Dr. Ada v1.2", "Dr. Ada v1.2"),
        ("Zoe\u0308", "Zoë"),
        ("Ж" * 300, "Ж" * 100),
    ],
)
def test_names_are_safe_as_file_names(value: str, name: str, tmp_path: Path) -> None:
    made = mediakit.batch(mediakit.qr, [{"data": "x", "who": value}], name="{who}", to=tmp_path / "out")
    assert list(made) == [name]
    files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*") if path.is_file()}
    assert files == {f"out/{name}.png", "out/report.csv", "out/report.jsonl"}


def test_name_pattern_creates_directories_and_its_suffix_must_match_format(tmp_path: Path) -> None:
    rows = [{"data": "x", "city": "Oslo"}, {"data": "y", "city": "a/b"}]
    mediakit.batch(mediakit.qr, rows, name="{city}/../{data}.png", to=tmp_path)
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.png")) == ["Oslo/x.png", "a-b/y.png"]
    wrong = mediakit.batch(mediakit.qr, rows, name="{data}.jpg", ignore="city", to=tmp_path)
    assert [str(failure.error) for failure in wrong.errors] == [
        "path: the file is named .jpg, but the result is PNG.",
        "path: the file is named .jpg, but the result is PNG.",
    ]


def test_duplicate_names_are_numbered_ignoring_case() -> None:
    rows = [{"data": "x", "who": who} for who in ("Ada", "ada", "Ada (2)", "Ada", "b.png", "b.png")]
    made = mediakit.batch(mediakit.qr, rows, name="{who}")
    assert list(made) == ["Ada", "ada (2)", "Ada (2) (2)", "Ada (3)", "b.png", "b (2).png"]


def test_row_numbers_are_padded_to_equal_length() -> None:
    assert list(mediakit.batch(mediakit.qr, ["x"] * 11, size=64))[::5] == ["01", "06", "11"]


def test_failed_row_does_not_stop_others(tmp_path: Path) -> None:
    frame = pd.DataFrame({"data": ["tea", "", "milk"], "who": ["a", "b", "c"]})
    made = mediakit.batch(mediakit.qr, frame, name="{who}", to=tmp_path)
    assert texts(made) == {"a": "tea", "c": "milk"}
    assert sorted(path.name for path in tmp_path.glob("*.png")) == ["a.png", "c.png"]
    (failure,) = made.errors
    assert (failure.row, failure.name, dict(failure.values)) == (2, "b", {"data": "", "who": "b"})
    assert str(failure) == "row 2, b: data: must not be empty."
    with pytest.raises(InvalidInput, match=r"data: must not be empty\.") as raised:
        made.raise_errors()
    assert raised.value.__notes__ == ['Row 2, "b".']
    mediakit.batch(mediakit.qr, ["x"]).raise_errors()


def test_report_has_one_entry_per_row(tmp_path: Path) -> None:
    made = mediakit.batch(mediakit.qr, ["tea", "", "x"], light="#888888", dark="#777777", to=tmp_path)
    first, second, _ = made.report
    assert first["file"] == "1.png"
    assert first["size_bytes"] == (tmp_path / "1.png").stat().st_size
    assert "low_contrast" in first["notes"]
    assert (second["file"], second["error"]) == (None, "data: must not be empty.")
    table = made.report.to_pandas()
    assert list(table["row"]) == [1, 2, 3]
    assert list(table["error"].notna()) == [False, True, False]
    assert "data: must not be empty." in made.report._repr_html_()
    assert len(made.report[1:]) == 2


def test_batch_displays_gallery_with_failed_rows_below() -> None:
    made = mediakit.batch(mediakit.qr, {"Tea": "tea", "A & B": {"data": "x", "dark": "<i>"}})
    shown = made._repr_html_()
    assert re.findall("<b>(.*?)</b>", shown) == ["Tea", "1 row failed"]
    row, name, message = re.findall("<td[^>]*>(.*?)</td>", shown)
    assert (row, name) == ("2", "A &amp; B")
    assert message.startswith("dark: must be an opaque color such as")
    assert "&lt;i&gt;" in message
    assert repr(made).startswith("<BatchResult: 1 created, 1 failed>\n  row 2, A & B: dark: must be an opaque")


def test_batch_displays_at_most_ten_errors() -> None:
    made = mediakit.batch(mediakit.qr, ["x", *[""] * 25])
    assert repr(made).count("must not be empty") == made._repr_html_().count("must not be empty") == 10
    assert "15 more" in repr(made)
    assert "15 more" in made._repr_html_()


def test_results_can_be_saved_and_zipped(tmp_path: Path) -> None:
    made = mediakit.batch(mediakit.qr, {"tea": "tea", "milk.png": "milk", "none": ""})
    assert made.save(tmp_path / "out") == [tmp_path / "out/tea.png", tmp_path / "out/milk.png"]
    with pytest.raises(InvalidInput, match=r"directory: must be a folder, .* writes an archive"):
        made.save(tmp_path / "codes.zip")
    with pytest.raises(InvalidInput, match=r"directory: must be a folder, .* `to` writes one file"):
        made.save(tmp_path / "codes.pdf")
    packed = made.zip(tmp_path / "codes")
    assert packed == tmp_path / "codes.zip"
    with zipfile.ZipFile(packed) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "tea.png": made["tea"].content,
            "milk.png": made["milk.png"].content,
        }
    assert made.zip(tmp_path / "again.zip").read_bytes() == packed.read_bytes()
    with pytest.raises(InvalidInput, match=r"path: must be a file name, but .* is a directory"):
        made.zip(tmp_path)


def test_batch_without_rows_is_empty() -> None:
    made = mediakit.batch(mediakit.qr, [])
    assert (len(made), made.errors, list(made.report)) == (0, [], [])


def test_results_keep_order_of_rows() -> None:
    sizes = [2000, 64, 1500, 80, 1000, 100]
    made = mediakit.batch(mediakit.qr, [{"data": "x", "size": size} for size in sizes])
    assert [code.width for code in made.results] == sizes


@pytest.mark.anyio
async def test_aio_can_be_awaited() -> None:
    made = await mediakit.batch.aio(mediakit.qr, ["tea", "", "milk"])
    assert texts(made) == {"1": "tea", "3": "milk"}


def test_batch_works_inside_running_event_loop() -> None:
    import asyncio

    async def cell() -> BatchResult[mediakit.ImageResult]:
        return mediakit.batch(mediakit.qr, ["tea"])

    assert texts(asyncio.run(cell())) == {"1": "tea"}


class Server:
    """Returns QR codes; rejects the first calls with a rate limit error."""

    def __init__(self, rejections: int = 0) -> None:
        self.rejections = rejections
        self.calls = 0
        self._lock = threading.Lock()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        with self._lock:
            self.calls += 1
            self.rejections, rejected = self.rejections - 1, self.rejections > 0
        if rejected:
            body = {"error": "Too many requests.", "reason": "rate", "plan": "free", "limit": 5, "retry_after": 0}
            return httpx.Response(429, json=body)
        qr_request = mediakit.qr.validate(json.loads(request.content))
        return httpx.Response(200, content=mediakit.qr.run(qr_request).envelope())


def test_client_tool_calls_server_and_retries_after_rate_limit() -> None:
    server = Server(rejections=3)
    with mediakit.Client("http://api.test", transport=httpx.MockTransport(server)) as client:
        made = mediakit.batch(client.qr, ["tea", "", "milk"], size=300)
    assert dict(made) == {"1": mediakit.qr("tea", size=300), "3": mediakit.qr("milk", size=300)}
    assert server.calls == 5


@pytest.mark.anyio
async def test_async_client_tool_requires_aio() -> None:
    async with mediakit.AsyncClient("http://api.test", transport=httpx.MockTransport(Server())) as client:
        assert texts(await mediakit.batch.aio(client.qr, ["tea", "milk"])) == {"1": "tea", "2": "milk"}
        with pytest.raises(InvalidInput, match=r"use await mediakit\.batch\.aio"):
            mediakit.batch(client.qr, ["tea"])  # type: ignore[type-var]


def test_notebook_shows_progress_bar_then_summary(displayed: list[Any], tmp_path: Path) -> None:
    mediakit.batch(mediakit.qr, ["tea", "", "milk"], to=tmp_path)
    first, *_, last = displayed
    assert "application/vnd.jupyter.widget-view+json" in first["data"]
    assert len({output["transient"]["display_id"] for output in displayed}) == 1
    assert [output["update"] for output in displayed] == [False, *[True] * (len(displayed) - 1)]
    assert last["data"]["text/plain"] == f"qr: 2 created, 1 failed, saved in {tmp_path}"
    assert "widget" not in str(last["data"])


@pytest.mark.parametrize(("is_terminal", "output"), [(True, "qr: 2 created, 1 failed\n"), (False, "")])
def test_progress_is_one_line_in_terminal_and_nothing_elsewhere(
    is_terminal: bool, output: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal, raising=False)
    mediakit.batch(mediakit.qr, ["tea", "", "milk"])
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == output.count("\n")
    assert captured.err.endswith(output)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_interrupt_cancels_running_calls_and_keeps_saved_files(tmp_path: Path) -> None:
    program = """
        import asyncio, sys
        import mediakit
        from mediakit.results.files import ImageResult
        from mediakit.core.tool import tool
        from mediakit.tools.images.qr.request import QrRequest

        @tool(QrRequest, tag="Images", raw={}, produces=("image/png",))
        async def slow(request: QrRequest) -> ImageResult:
            '''Return a code, or block.'''
            if request.data == "wait":
                try:
                    await asyncio.sleep(600)
                finally:
                    print("cancelled", flush=True)
            return mediakit.qr.run(request)

        rows = ["tea", "milk", *["wait"] * 100]
        try:
            mediakit.batch(slow, rows, to=sys.argv[1])
        finally:
            print(mediakit.last_batch, len(mediakit.last_batch), mediakit.last_batch.report[-1]["notes"], flush=True)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while len(list(tmp_path.glob("*.png"))) < 2:
        assert process.poll() is None
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert "KeyboardInterrupt" in err
    assert 0 < out.count("cancelled") < 100
    saved = f"<BatchResult: 2 created, 100 not run>\n  Saved in {tmp_path}\n  100 rows not run; .retry() runs them"
    assert out.endswith(f"{saved} 2 not run\n")
    assert sorted(path.name for path in tmp_path.glob("*.png")) == ["001.png", "002.png"]


def test_field_named_like_a_batch_argument_is_a_column(tmp_path: Path) -> None:
    rows = [{"text": "a,b\n1,2", "to": "yaml"}, {"text": "a,b\n1,2", "to": "toml"}]
    results = mediakit.batch(mediakit.data_convert, rows, to=tmp_path)
    assert sorted(path.name for path in tmp_path.glob("[12].*")) == ["1.yaml", "2.toml"]
    assert results["1"].mime_type == "application/yaml"


def test_only_known_fields_are_named_like_a_batch_argument() -> None:
    from mediakit.tools.catalogue import all_tools

    clashes = {
        (tool.name, name)
        for tool in all_tools()
        for each in tool.parameters
        for name in (each.name, *each.aliases)
        if name in BATCH_ARGUMENTS
    }
    converters = ("data_convert", "mail_merge", "markdown_convert", "notebook_convert")
    readers = ("data_convert", "data_diff", "data_profile", "data_query", "data_sample", "mail_merge", "table_image")
    assert clashes == {
        ("data_diff", "ignore"),
        ("image_compare", "ignore"),
        *((name, "rows") for name in readers),
        *((name, "to") for name in converters),
    }


def test_rows_can_be_payload_texts() -> None:
    guests = [payloads.wifi(f"Room {number}", password="sunflower-42") for number in (1, 2)]
    assert [text.count("Room") for text in texts(mediakit.batch(mediakit.qr, guests)).values()] == [1, 1]


def test_batch_of_a_validator_warns_that_one_call_takes_the_column() -> None:
    addresses = ["ana@example.com", "bo@example.com"]
    message = (
        r'batch: validate_email takes a column of up to 1,000 values in one call.*validate_email\(frame\["email"\]\)'
    )
    with pytest.warns(UserWarning, match=message) as caught:
        made = mediakit.batch(mediakit.validate_email, addresses, allow=["local"])
    assert caught[0].filename == __file__
    assert [result.valid for result in made.values()] == [True, True]


def test_batch_of_a_validator_with_options_by_row_does_not_warn() -> None:
    rows = [{"phone": "912 345 678", "region": "ES"}, {"phone": "030 23125014", "region": "DE"}]
    assert all(result.valid for result in mediakit.batch(mediakit.validate_phone, rows).values())
    assert mediakit.batch(mediakit.validate_email, ["ana@example.com"])["1"].valid


def test_rows_are_the_files_of_a_folder_or_pattern(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    photos = tmp_path / "photos"
    (photos / "more").mkdir(parents=True)
    for name in ("b.png", "a.png", "notes.txt", ".hidden.png", "more/c.png"):
        Image.new("RGB", (40, 20)).save(photos / name, "PNG")
    monkeypatch.chdir(tmp_path)
    assert list(mediakit.batch("images", "photos/*.png", width=10)) == ["a", "b"]
    assert list(mediakit.batch(mediakit.images, photos, width=10)) == ["a", "b", "notes"]
    result = mediakit.batch("images", Path("photos/**/c.png"), width=10, to="small")
    assert list(result) == ["c"]
    assert [path.stem for path in Path("small").iterdir() if path.suffix in (".png", ".jpg", ".webp")] == ["c"]
    for rows, message in (("photos/*.gif", "rows: photos/*.gif matches no file."), ("photos/x", "photos/x")):
        with pytest.raises(InvalidInput, match=re.escape(message)):
            mediakit.batch("images", rows, width=10)
