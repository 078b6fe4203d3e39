"""The magics `%mediakit` and `%%mediakit`."""

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from IPython.core.completer import provisionalcompleter, rectify_completions
from IPython.core.error import UsageError
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from tests.conftest import free_port

pytest_plugins = ["tests.support.shell_fixtures"]


@pytest.fixture
def magic(shell: Any) -> Any:
    shell.run_line_magic("load_ext", "mediakit")
    return shell


def test_cell_magic_uses_cell_as_input_and_line_as_options(magic: Any) -> None:
    result = magic.run_cell_magic("mediakit", "qr --size 300 --dark 1e3a8a", "https://example.com\n")
    assert result == mediakit.qr("https://example.com", size=300, dark="#1e3a8a")


def test_cell_magic_stores_result_in_variable_and_file(magic: Any, tmp_path: Path) -> None:
    magic.run_cell_magic("mediakit", f"qr code -o '{tmp_path / 'my code.svg'}'", "hi")
    assert magic.user_ns["code"] == mediakit.qr("hi", format="svg")
    assert (tmp_path / "my code.svg").read_bytes() == mediakit.qr("hi", format="svg").content


@pytest.mark.parametrize(
    "cell",
    [
        "City,2025,Next year\nOslo,1,2\nRoma,3,4.5",
        "\t2025\tNext year\nOslo\t1\t2\nRoma\t3\t4,5",
        (
            '{"labels": ["Oslo", "Roma"], "series": [{"name": "2025", "data": [1, 3]}, '
            '{"name": "Next year", "data": [2, 4.5]}]}'
        ),
    ],
    ids=["csv", "spreadsheet", "json"],
)
def test_cell_with_table_creates_chart(magic: Any, cell: str) -> None:
    result = magic.run_cell_magic("mediakit", "chart bar --title Visitors figure", cell)
    expected = mediakit.chart("bar", ["Oslo", "Roma"], {"2025": [1, 3], "Next year": [2, 4.5]}, title="Visitors")
    assert result == magic.user_ns["figure"] == expected


def test_cell_without_numbers_raises_usage_error(magic: Any) -> None:
    with pytest.raises(UsageError, match="series: Oslo must have a number, got 'many'"):
        magic.run_cell_magic("mediakit", "chart bar", "City,Visitors\nOslo,many")


@pytest.mark.browser
def test_cell_of_html_is_rendered(magic: Any) -> None:
    result = magic.run_cell_magic("mediakit", "capture --width 200 --height 100", "<body style='background:red'>")
    image: Image.Image = result.to_pil().convert("RGB")
    assert (image.size, image.getpixel((5, 5))) == ((200, 100), (255, 0, 0))


def test_line_magic_takes_arguments_of_shell_command(magic: Any) -> None:
    assert magic.run_line_magic("mediakit", "qr 'two words' --margin 4") == mediakit.qr("two words", margin=4)
    assert magic.run_line_magic("mediakit", "images tests/../mediakit/samples/landscape.jpg --width 90").width == 90


@pytest.mark.parametrize(
    ("line", "cell", "message"),
    [
        ("qr --size 5", "hi", "size: must be between 64 and 2000, got 5."),
        ("qr --sice 300", "hi", "No such option"),
        ("qr", "\n", "data: must not be empty."),
        ("qr two-words", "hi", "is not a valid Python variable name"),
        ("captur", "hi", 'unknown tool "captur"; did you mean "capture"?'),
        ("", "hi", 'unknown tool "". mediakit.find("words") searches the tools.'),
        ("docx-to-pdf", "hi", 'did you mean "document-to-markdown", then "markdown-convert"?'),
        ("chart", "a,b\nx,1", "Choose from bar, line, pie, doughnut, radar, timeline, scatter, area, combo."),
        ("qr -o /dev/null/code.png", "hi", "/dev/null"),
        ("images", "hi", "images: does not take a cell as input; use %mediakit images FILE."),
        ("qr 'hi", "hi", "No closing quotation"),
    ],
)
def test_invalid_line_or_cell_raises_usage_error(magic: Any, line: str, cell: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        magic.run_cell_magic("mediakit", line, cell)


@pytest.mark.parametrize("line", ["status now", "stop it", "doctor all", "serve --prt 3"])
def test_action_rejects_extra_arguments(magic: Any, line: str) -> None:
    with pytest.raises(UsageError, match=r"unexpected extra argument|No such option"):
        magic.run_line_magic("mediakit", line)


@pytest.mark.browser
def test_unreachable_page_raises_usage_error(magic: Any) -> None:
    with pytest.raises(UsageError, match=r"^The page could not be loaded"):
        magic.run_line_magic("mediakit", "screenshot http://127.0.0.1:1/")


def test_variables_are_inserted_into_line_but_not_into_cell(magic: Any) -> None:
    magic.user_ns |= {"name": "Ada", "side": 300}
    assert magic.run_cell("%mediakit qr {name} --size $side").result == mediakit.qr("Ada", size=300)
    assert magic.run_cell("%%mediakit qr --size {side}\n{name}").result == mediakit.qr("{name}", size=300)
    assert magic.user_ns["_"] == mediakit.qr("{name}", size=300)


@pytest.mark.parametrize(
    ("line", "completions"),
    [
        ("%mediakit q", {"qr"}),
        ("%%mediakit web", {"web-to-markdown"}),
        ("%mediakit s", {"screenshot", "serve", "status", "stop"}),
        ("%%mediakit qr --s", {"--size", "--style"}),
        ("%%mediakit web_to_markdown --main", {"--main-content"}),
        ("%mediakit qr hi --format ", {"png", "svg"}),
        ("%mediakit serve --p", {"--port"}),
    ],
)
def test_tab_completes_tools_options_and_choices(magic: Any, line: str, completions: set[str]) -> None:
    with provisionalcompleter():
        found = list(rectify_completions(line, magic.Completer.completions(line, len(line))))
    assert {line[: one.start] + one.text for one in found} == {
        line[: line.rindex(" ") + 1] + word for word in completions
    }


@pytest.mark.parametrize("line", ["", "?", "--help"])
def test_magic_without_arguments_prints_tools(magic: Any, capsys: pytest.CaptureFixture[str], line: str) -> None:
    assert magic.run_line_magic("mediakit", line) is None
    assert f"code-reader      {mediakit.code_reader.summary}" in capsys.readouterr().out


def test_help_lists_every_field_as_option(magic: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert magic.run_line_magic("mediakit", "qr --help") is None
    printed = capsys.readouterr().out
    for parameter in mediakit.qr.parameters[1:]:
        assert f"--{parameter.name.replace('_', '-')}" in printed
    assert "--json" not in printed
    magic.run_line_magic("mediakit", "qr ?")
    assert capsys.readouterr().out == printed


def test_question_mark_shows_every_tool(magic: Any) -> None:
    docstring = magic.object_inspect("%%mediakit")["docstring"]
    assert f"qr               {mediakit.qr.summary}" in docstring


def test_magic_starts_shows_and_stops_server(
    magic: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mediakit.server.kernel._current_server", None)  # do not stop the server of other tests
    port = free_port()
    magic.run_line_magic("mediakit", f"serve --port {port}")
    assert magic.run_line_magic("mediakit", "status") == mediakit.status()
    magic.run_line_magic("mediakit", "stop")
    assert f"Stopped the server at http://127.0.0.1:{port}." in capsys.readouterr().out


def shown(shell: Any, value: Any) -> dict[str, Any]:
    data, _ = shell.display_formatter.format(value)
    return dict(data)


@pytest.mark.parametrize("kind", [list, tuple])
def test_list_of_results_displays_as_gallery(magic: Any, kind: type[Any]) -> None:
    codes = kind([mediakit.qr("tea"), mediakit.qr("milk")])
    bundle = shown(magic, codes)
    assert bundle["text/html"] == mediakit.gallery(codes)._repr_html_()
    assert bundle["text/plain"].count("ImageResult") == 2
    magic.run_line_magic("reload_ext", "mediakit")
    assert shown(magic, codes) == bundle


def test_other_lists_display_as_text(magic: Any) -> None:
    class Pair(NamedTuple):
        left: Any
        right: Any

    code = mediakit.qr("tea")
    for value in ([], (), [1, 2], [code, "milk"], [code, None], [[code]], Pair(code, code)):
        assert list(shown(magic, value)) == ["text/plain"]


def test_existing_list_formatter_is_kept(shell: Any) -> None:
    shell.display_formatter.formatters["text/html"].for_type(list, lambda found: f"<b>{len(found)}</b>")
    shell.run_line_magic("load_ext", "mediakit")
    assert shown(shell, [mediakit.qr("tea")])["text/html"] == "<b>1</b>"


def test_cell_is_text_of_data_convert(magic: Any) -> None:
    result = magic.run_cell_magic("mediakit", "data-convert --to yaml", "name;n\nAda;1\n")
    assert "name: Ada" in result.text


def test_cell_of_data_query_is_its_sql(magic: Any, tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("city,amount\nOslo,3\nRome,4\n")
    result = magic.run_cell_magic(
        "mediakit", f"data-query {tmp_path / 'sales.csv'}", "SELECT city FROM sales\nWHERE amount > 3"
    )
    assert result.rows == [{"city": "Rome"}]


def test_status_is_that_of_the_function(magic: Any) -> None:
    with pytest.raises(UsageError) as shown:
        magic.run_line_magic("mediakit", "status")
    with pytest.raises(InvalidInput) as raised:
        mediakit.status()
    assert str(shown.value) == str(raised.value)


def test_cell_is_the_table_of_a_tool_with_a_table(magic: Any) -> None:
    shown = magic.run_cell_magic("mediakit", "table-image --title Tides", "port,high\nVigo,3.1\n")
    assert shown == mediakit.table_image(b"port,high\nVigo,3.1\n", title="Tides")


def test_find_lists_tools_for_a_task(magic: Any) -> None:
    found = magic.run_line_magic("mediakit", "find unlock pdf")
    assert [each.name for each in found] == [each.name for each in mediakit.find("unlock pdf")]


def test_option_for_tables_names_batch(magic: Any) -> None:
    with pytest.raises(UsageError, match=r'in a notebook, mediakit\.batch\("qr", table\) calls the tool'):
        magic.run_line_magic("mediakit", "qr --from guests.csv --to codes")
