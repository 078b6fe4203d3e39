"""Snippets in Python, curl, JavaScript, HTTP and shell make requests equal to the call that they were written from."""

import json
import pathlib
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY
from types import ModuleType, SimpleNamespace
from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl, urlsplit

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from IPython.core.inputtransformer2 import TransformerManager
from pydantic import Field
from starlette.datastructures import QueryParams

import mediakit
from mediakit.api.body import parse_json, raw_field
from mediakit.api.forms import parse_query
from mediakit.cli.tools import tool_command
from mediakit.core import snippets
from mediakit.core.request import request
from mediakit.core.snippets.call import as_text
from mediakit.core.snippets.http import here_document, running_server
from mediakit.core.tool import Tool, tool
from mediakit.results.files import FileResult
from mediakit.server import Server, serve
from tests.conftest import free_port

AnyTool = Tool[..., Any]

URL = "http://api.test"


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
def note(request: NoteRequest) -> FileResult:
    """Return the request as text."""
    return FileResult(repr(request).encode(), "image/svg+xml" if request.format == "svg" else "image/png")


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


PAGE = '<title>It\'s "tea"</title>\n<p class="a">\\ """ $HOME `id` ${x}</p>\nHTML\n'

TEXTS = [
    PAGE,
    PAGE + '"',
    PAGE + "\\",
    'a\n""""b""""\n',
    "tab\there\r\nnull \0, bell \a, \u2028 and é 日本\n",
    "a\n%matplotlib inline\n!ls\nlen?\n>>> 1\n    indented\n",
    "\n\na\n\n",
    "HTML\nEND\n'''",
]


@pytest.mark.parametrize("text", TEXTS)
def test_python_snippet_keeps_text_of_several_lines(text: str) -> None:
    values = {"text": text, "title": f"{text}!", "lines": 5}
    snippet = snippets.python(note, values)
    assert evaluated(note, snippet) == note.validate(values)
    cell: str = TransformerManager().transform_cell(snippet)  # type: ignore[no-untyped-call]
    assert evaluated(note, cell) == note.validate(values)


def test_python_contains_html_as_block_of_text() -> None:
    values = {"html": "<h1>Tea</h1>\n<p>Hot</p>\n", "width": 300}
    assert snippets.python(mediakit.capture, values).splitlines() == [
        "mediakit.capture(",
        '    """\\',
        "<h1>Tea</h1>",
        "<p>Hot</p>",
        '""",',
        "    width=300,",
        ")",
    ]


def test_text_too_long_to_copy_is_read_from_a_file_that_a_comment_names(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    values = {"html": "Grüße\n" * 20_000}
    (tmp_path / "page.html").write_text(values["html"], "utf-8")
    snippet = snippets.python(mediakit.capture, values)
    assert "    # First save the html as page.html.\n" in snippet
    assert len(snippet) < 200
    assert evaluated(mediakit.capture, snippet) == mediakit.capture.validate(values)
    curl, shell = snippets.curl(mediakit.capture, values, URL), snippets.shell(mediakit.capture, values)
    assert curl.startswith("# First save the html as page.html.\ncurl ")
    assert "--data-binary @page.html" in curl
    assert shell.startswith("# First save the html as page.html.\nmediakit capture page.html ")
    assert 'html: await readFile("page.html", "utf8")' in snippets.javascript(mediakit.capture, values, URL)


def test_python_uses_the_path_of_a_file() -> None:
    values = {"file": pathlib.Path("my photo.jpg"), "width": 300}
    assert snippets.python(mediakit.images, values) == 'mediakit.images(pathlib.Path("my photo.jpg"), width=300)'


def test_python_uses_placeholder_file_for_bytes() -> None:
    values = {"file": bytes(500), "width": 300}
    assert snippets.python(mediakit.images, values) == 'mediakit.images(pathlib.Path("image.png"), width=300)'


def test_shell_reads_html_from_here_document() -> None:
    values = {"html": "<h1>Tea</h1>", "format": "text"}
    assert snippets.shell(mediakit.web_to_markdown, values) == (
        "mediakit web-to-markdown --html - --format text -o web-to-markdown.txt <<'HTML'\n<h1>Tea</h1>\nHTML"
    )


def test_shell_reads_html_from_its_file() -> None:
    values = {"html": pathlib.Path("my page.html"), "full_page": True}
    assert snippets.shell(mediakit.capture, values) == "mediakit capture 'my page.html' --full-page -o capture.png"


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
    words = shlex.split(snippets.curl(note, values, URL))
    assert note.validate(sent(note, words)) == note.validate(values)


@pytest.mark.parametrize(
    ("tool", "values", "body", "kind"),
    [
        (mediakit.images, {"file": pathlib.Path("a photo.jpg"), "width": 3}, "@a photo.jpg", "image/jpeg"),
        (mediakit.images, {"file": bytes(500), "width": 3}, "@image.png", "image/png"),
        (mediakit.capture, {"html": pathlib.Path("page.html")}, "@page.html", "text/html"),
        (mediakit.capture, {"html": "<p>\n" * 100}, "@-", "text/html; charset=utf-8"),
        (mediakit.capture, {"template": "og", "data": {"title": "x" * 3000}}, "@-", "application/json"),
    ],
)
def test_curl_sends_files_and_blocks_of_text(tool: AnyTool, values: dict[str, Any], body: str, kind: str) -> None:
    words = shlex.split(snippets.curl(tool, values, URL))
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
    assert shlex.split(snippets.curl(mediakit.images, given, URL))[-2:] == ["-o", name]
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


def test_shell_reads_text_that_cannot_be_an_argument_from_standard_input() -> None:
    assert snippets.shell(mediakit.qr, {"data": "-"}) == "mediakit qr - -o qr.png <<'END'\n-\nEND"
    assert snippets.shell(mediakit.qr, {"data": "a\0b"}) == "mediakit qr - -o qr.png < data.txt"


@given(SHELL_NOTES)
def test_shell_snippet_makes_equal_request(values: dict[str, Any]) -> None:
    _, command, *words = shlex.split(snippets.shell(note, values))
    result = CliRunner().invoke(tool_command(note), [word if word != "note.png" else "-" for word in words])
    assert (command, result.exception) == ("note", None)
    assert result.stdout_bytes.decode() == repr(note.validate(values))


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js")
def test_javascript_snippets_send_equal_requests(tmp_path: pathlib.Path) -> None:
    calls: list[dict[str, Any]] = [
        *({"text": text, "data": {text[:5]: text, "__proto__": "x", "a-b": "", "tag": "`${1}`"}} for text in TEXTS),
        {"text": "one line", "lines": -3, "ratio": 0.25, "framed": False, "tags": ["a", "b\n\nc", "</script>"]},
    ]
    (tmp_path / "run.mjs").write_text(FAKE_FETCH.replace("COUNT", str(len(calls))))
    for number, values in enumerate(calls):
        (tmp_path / f"{number}.mjs").write_text(snippets.javascript(note, values, URL), "utf-8", newline="")

    run = subprocess.run(["node", "run.mjs"], cwd=tmp_path, check=True, capture_output=True)

    bodies = [json.loads(line) for line in run.stdout.decode().strip().split("\n")]
    assert [body.pop("output") for body in bodies] == ["binary"] * len(calls)
    assert [note.validate(body) for body in bodies] == [note.validate(values) for values in calls]


FAKE_FETCH = """
globalThis.fetch = async (url, { body }) => {
  console.log(body);
  return { ok: true, arrayBuffer: async () => new ArrayBuffer(0) };
};
for (let number = 0; number < COUNT; number++) await import(`./${number}.mjs`);
"""


def test_javascript_reads_files_and_key_from_environment() -> None:
    values = {"data": "hi", "logo": pathlib.Path("logo.png")}
    assert snippets.javascript(mediakit.qr, values, URL).splitlines() == [
        'import { readFile, writeFile } from "node:fs/promises";',
        "",
        'const response = await fetch("http://api.test/qr", {',
        '  method: "POST",',
        '  headers: { "x-api-key": process.env.MEDIAKIT_API_KEY, "content-type": "application/json" },',
        "  body: JSON.stringify({",
        '    data: "hi",',
        '    logo: { name: "logo.png", file: await readFile("logo.png", "base64") },',
        '    output: "binary",',
        "  }),",
        "});",
        "if (!response.ok) throw new Error((await response.json()).error);",
        'await writeFile("qr.png", Buffer.from(await response.arrayBuffer()));',
    ]


@pytest.mark.parametrize("text", [text for text in TEXTS if "\0" not in text])
def test_here_document_keeps_text(text: str) -> None:
    command = f"cat {here_document(text, 'HTML')}"
    run = subprocess.run(["sh", "-c", command], check=True, capture_output=True)
    assert run.stdout.decode().removesuffix("\n") == text.removesuffix("\n")


@pytest.mark.parametrize("write", [snippets.curl, snippets.javascript])
def test_snippets_use_the_server_of_this_process(
    write: Callable[[AnyTool, dict[str, Any]], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_server, "url", "http://127.0.0.1:8771")
    assert "http://127.0.0.1:8771/qr" in write(mediakit.qr, {"data": "hi"})
    assert "serve" not in write(mediakit.qr, {"data": "hi"})


@pytest.mark.parametrize("write", [snippets.curl, snippets.javascript])
def test_snippets_name_the_command_that_starts_a_server(
    write: Callable[[AnyTool, dict[str, Any]], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_server, "url", None)
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    in_shell = write(mediakit.qr, {"data": "hi"})
    assert "First run mediakit serve --dev. MEDIAKIT_API_KEY is the key that it prints." in in_shell.splitlines()[0]
    assert f"{snippets.DEFAULT_URL}/qr" in in_shell

    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    in_notebook = write(mediakit.qr, {"data": "hi"})
    assert "First run mediakit.serve() in a cell." in in_notebook.splitlines()[0]
    assert "http://127.0.0.1:8765/qr" in in_notebook


def test_running_server_is_the_one_of_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mediakit.server.kernel._current_server", None)  # keeps the server of other tests running
    monkeypatch.setattr(running_server, "url", None)
    with serve(port=free_port()) as server:
        assert running_server.url == server.url
        assert f"{server.url}/qr" in mediakit.qr("hi").code("curl")
    assert running_server.url is None


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
    assert '"logo": "$(base64 < logo.png' in snippets.curl(mediakit.qr, values, URL)
    assert snippets.http(mediakit.qr, values, URL).endswith('{"data": "hi", "logo": "@logo.png", "output": "binary"}')


def test_documentation_names_files_without_their_folders() -> None:
    values = {"files": [pathlib.Path("/home/ada/a.pdf"), pathlib.Path("/home/ada/b.pdf")], "pages": ["1", "2-3"]}
    shown = {"files": [pathlib.Path("a.pdf"), pathlib.Path("b.pdf")], "pages": ["1", "2-3"]}
    assert snippets.example_values(mediakit.pdf_merge, values) == shown


def test_object_is_written_with_its_letters() -> None:
    assert as_text({"name": "Zoë"}) == '{"name": "Zoë"}'
