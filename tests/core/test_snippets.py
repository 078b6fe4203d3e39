"""Snippets in Python, curl, HTTP and shell make requests equal to the call that they were written from."""

import pathlib
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import KW_ONLY
from types import SimpleNamespace
from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl, urlsplit

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field
from starlette.datastructures import QueryParams

import mediakit
from mediakit.api.body import parse_json, raw_field
from mediakit.api.options import parse_query
from mediakit.cli.tools import tool_command
from mediakit.core import snippets
from mediakit.core.request import request
from mediakit.core.tool import Tool, tool
from mediakit.results.result import Result
from mediakit.server import Server

AnyTool = Tool[..., Any]


@request
class NoteRequest:
    """One field of every kind that a snippet has to write."""

    text: Annotated[str, Field(max_length=5000)]
    """What the note says."""
    title: str = ""
    """What stands above it."""
    _: KW_ONLY
    lines: int = 3
    """Lines."""
    ratio: float = 1.5
    """Width by height."""
    framed: bool = True
    """Whether a line goes around it."""
    tags: list[str] | None = None
    """Words to find it by."""
    data: dict[str, str] | None = None
    """Texts by key."""
    format: Literal["png", "svg"] = "png"
    """File format."""


@tool(NoteRequest, tag="Images", raw={"text/plain": "text"}, produces=("image/png", "image/svg+xml"))
def note(request: NoteRequest) -> Result:
    """Return the request as text."""
    return Result(repr(request).encode(), "image/svg+xml" if request.format == "svg" else "image/png")


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
ARGUMENT = TEXT.filter(lambda text: "\0" not in text)
NOTES = st.fixed_dictionaries(
    {"text": TEXT},
    optional={
        "title": TEXT,
        "lines": st.integers(-1000, 1000),
        "ratio": st.floats(allow_nan=False, allow_infinity=False),
        "framed": st.booleans(),
        "tags": st.lists(TEXT, min_size=1, max_size=4),
        "data": st.dictionaries(TEXT, TEXT, max_size=3),
        "format": st.sampled_from(["png", "svg"]),
    },
)
SHELL_NOTES = st.fixed_dictionaries(
    {"text": ARGUMENT.filter(lambda text: text not in ("", "-"))},
    optional={
        "title": ARGUMENT,
        "lines": st.integers(-1000, 1000),
        "ratio": st.floats(allow_nan=False, allow_infinity=False),
        "framed": st.booleans(),
        "tags": st.lists(ARGUMENT, min_size=1, max_size=4),
        "data": st.dictionaries(ARGUMENT.filter(lambda key: "=" not in key), ARGUMENT, min_size=1, max_size=3),
    },
)


def test_python_omits_defaults() -> None:
    values = {"data": "https://example.com", "size": 300, "margin": 2, "format": "png"}
    assert snippets.python(mediakit.qr, values) == 'mediakit.qr("https://example.com", size=300)'


def test_python_accepts_aliases() -> None:
    assert snippets.python(mediakit.qr, {"url": "https://example.com"}) == 'mediakit.qr("https://example.com")'


def test_python_splits_long_call_into_lines() -> None:
    values = {"data": "https://example.com/a/rather/long/path", "dark": "#0f3d3e", "light": "#f6f1e7"}
    assert snippets.python(mediakit.qr, values).splitlines() == [
        "mediakit.qr(",
        '    "https://example.com/a/rather/long/path",',
        '    dark="#0f3d3e",',
        '    light="#f6f1e7",',
        ")",
    ]


def test_size_that_differs_from_the_template_is_written() -> None:
    values = {"template": "certificate", "width": 1200, "height": 630}
    line = 'mediakit.capture(template="certificate", width=1200, height=630)'
    assert snippets.python(mediakit.capture, values) == line
    assert "--width 1200 --height 630" in snippets.shell(mediakit.capture, values)


def test_python_passes_fields_after_an_omitted_one_by_name() -> None:
    assert snippets.python(mediakit.capture, {"template": "og"}) == 'mediakit.capture(template="og")'


@given(NOTES)
def test_python_snippet_evaluates_to_equal_request(values: dict[str, Any]) -> None:
    assert evaluated(note, snippets.python(note, values)) == note.validate(values)


@pytest.mark.parametrize("long", ["x" * 201, "Grüße\n" * 200])
def test_python_reads_long_text_from_file(long: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.html").write_text(long, "utf-8")
    snippet = snippets.python(mediakit.capture, {"html": long})
    assert len(snippet) < 100
    assert evaluated(mediakit.capture, snippet) == mediakit.capture.validate({"html": long})


def test_python_uses_the_path_of_a_file() -> None:
    values = {"file": pathlib.Path("my photo.jpg"), "width": 300}
    assert snippets.python(mediakit.images, values) == 'mediakit.images(pathlib.Path("my photo.jpg"), width=300)'


def test_python_uses_placeholder_file_for_bytes() -> None:
    values = {"file": bytes(500), "width": 300}
    assert snippets.python(mediakit.images, values) == 'mediakit.images(pathlib.Path("image.png"), width=300)'


def test_shell_reads_html_from_file() -> None:
    values = {"html": "<h1>Tea</h1>", "format": "text"}
    assert snippets.shell(mediakit.web_to_markdown, values) == (
        "mediakit web-to-markdown --html page.html --format text -o web-to-markdown.txt"
    )


def test_curl_sends_short_text_as_raw_body() -> None:
    assert snippets.curl(mediakit.qr, {"data": "it's", "size": 300}, "http://api.test/") == (
        "curl 'http://api.test/qr?size=300' \\\n"
        '  -H "x-api-key: $MEDIAKIT_API_KEY" \\\n'
        "  -H 'content-type: text/plain' \\\n"
        "  --data-raw 'it'\"'\"'s' \\\n"
        "  -o qr.png"
    )


@given(NOTES)
def test_curl_snippet_sends_equal_request(values: dict[str, Any]) -> None:
    words = shlex.split(snippets.curl(note, values))
    assert note.validate(sent(note, words)) == note.validate(values)


@pytest.mark.parametrize(
    ("tool", "values", "body", "kind"),
    [
        (mediakit.images, {"file": pathlib.Path("a photo.jpg"), "width": 3}, "@a photo.jpg", "image/jpeg"),
        (mediakit.images, {"file": bytes(500), "width": 3}, "@image.png", "image/png"),
        (mediakit.capture, {"html": "<p>" * 100}, "@page.html", "text/html"),
        (mediakit.capture, {"template": "og", "data": {"title": "x" * 3000}}, "@request.json", "application/json"),
    ],
)
def test_curl_sends_long_values_from_file(tool: AnyTool, values: dict[str, Any], body: str, kind: str) -> None:
    words = shlex.split(snippets.curl(tool, values))
    assert words[words.index("--data-binary") + 1] == body
    assert f"content-type: {kind}" in words


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"format": "webp", "width": 3}, "images.webp"),
        ({"width": 3}, "images.jpg"),
    ],
)
def test_output_file_is_named_by_result_format(values: Mapping[str, Any], name: str) -> None:
    given = {"file": pathlib.Path("photo.jpg"), **values}
    assert shlex.split(snippets.curl(mediakit.images, given))[-2:] == ["-o", name]
    assert shlex.split(snippets.shell(mediakit.images, given))[-2:] == ["-o", name]


def test_curl_snippet_runs_in_bash(server: Server, tmp_path: pathlib.Path) -> None:
    if not (shutil.which("curl") and shutil.which("bash")):
        pytest.skip("needs curl and bash")
    values = {"data": 'it\'s $HOME "!" \\ `id`\n#é', "size": 300, "dark": "#0f3d3e"}
    (tmp_path / "call.sh").write_text(snippets.curl(mediakit.qr, values, server.url))
    environment = {"MEDIAKIT_API_KEY": server.key, "PATH": "/usr/bin:/bin"}
    subprocess.run(["bash", "call.sh"], cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert (tmp_path / "qr.png").read_bytes() == mediakit.qr.run(mediakit.qr.validate(values)).content


def test_shell_passes_text_as_argument_and_options_in_kebab_case() -> None:
    values = {"data": "https://example.com", "size": 300}
    assert snippets.shell(mediakit.qr, values) == "mediakit qr https://example.com --size 300 -o qr.png"
    page = {"html": "<h1>Hi</h1>", "full_page": True}
    assert snippets.shell(mediakit.capture, page) == "mediakit capture page.html --full-page -o capture.png"


@pytest.mark.parametrize("text", ["x" * 201, "-", "a\0b"])
def test_shell_reads_unquotable_text_from_standard_input(text: str) -> None:
    assert snippets.shell(mediakit.qr, {"data": text}) == "mediakit qr - -o qr.png < data.txt"


@given(SHELL_NOTES)
def test_shell_snippet_makes_equal_request(values: dict[str, Any]) -> None:
    _, command, *words = shlex.split(snippets.shell(note, values))
    result = CliRunner().invoke(tool_command(note), [word if word != "note.png" else "-" for word in words])
    assert (command, result.exception) == ("note", None)
    assert result.stdout_bytes.decode() == repr(note.validate(values))


def evaluated(tool: AnyTool, snippet: str) -> Any:
    """Give the request that a Python snippet makes."""
    module = SimpleNamespace(**{tool.name: tool.build})
    return eval(snippet, {"mediakit": module, "pathlib": pathlib})


def sent(tool: AnyTool, words: list[str]) -> dict[str, Any]:
    """Read curl's words as the server reads the request."""
    kind = words[words.index("-H", words.index("-H") + 1) + 1].removeprefix("content-type: ")
    body = words[words.index("--data-raw") + 1]
    if kind == "application/json":
        values = parse_json(body.encode())
        assert values.pop("output") == "binary"
        return values
    field = raw_field(tool, kind)
    query = parse_qsl(urlsplit(words[1]).query, keep_blank_values=True)
    return {**parse_query(tool, QueryParams(query), field), field: body}


@pytest.mark.parametrize("logo", [pathlib.Path("logo.png"), b"an uploaded file" * 20])
def test_file_option_is_written_as_path(logo: Any) -> None:
    values = {"data": "hi", "logo": logo}
    assert snippets.python(mediakit.qr, values) == 'mediakit.qr("hi", logo=pathlib.Path("logo.png"))'
    assert snippets.shell(mediakit.qr, values) == "mediakit qr hi --logo logo.png -o qr.png"
    assert '"logo": "$(base64 < logo.png' in snippets.curl(mediakit.qr, values)
    assert snippets.http(mediakit.qr, values).endswith('{"data": "hi", "logo": "@logo.png", "output": "binary"}')
