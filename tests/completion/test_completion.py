"""Tab completion, `?` and did-you-mean in a real kernel."""

import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import mediakit
from mediakit.completion import complete
from mediakit.errors import UnknownName
from mediakit.samples import ARTICLE_HTML, LABEL, REPORT, SALES
from tests.support.kernel_kit import Kernel

INTERNALS = ("FieldInfo", "Annotated", "P.args", "Call signature", "Class docstring")
STYLES = ["square", "rounded", "dots"]


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    running = Kernel()
    running.run("import mediakit\nresult = mediakit.qr('hi')\nclient = mediakit.Client()\nreport = mediakit.pdf")
    yield running
    running.stop()


@pytest.mark.parametrize(
    ("code", "suggested"),
    [
        ('mediakit.qr("hi", style="', STYLES),
        ("mediakit.qr('hi', style='ro", ["rounded"]),
        ('mediakit.qr(\n    "hi",\n    format="s', ["svg"]),
        ('await mediakit.qr.aio("hi", ecc="', ["L", "M", "Q", "H"]),
        ('client.qr("hi", format="p', ["png"]),
        ('mediakit.chart("ba', ["bar"]),
        ('mediakit.form("q', ["qr"]),
        ('mediakit.form("qr", format="s', ["svg"]),
        ('mediakit.form(mediakit.qr, format="s', ["svg"]),
        ('mediakit.batch(mediakit.qr, ["a"], format="s', ["svg"]),
        ('report(template="cert', ["certificate"]),
        ('mediakit.images("a.png", position="right t', ["right top"]),
        ('result.code("ja', ["javascript"]),
        ('mediakit.qr("hi", sty', ["style="]),
    ],
)
def test_tab_suggests_choices(kernel: Kernel, code: str, suggested: list[str]) -> None:
    matches = kernel.complete(code)
    assert matches[: len(suggested)] == suggested
    assert not [match for match in matches if match.startswith(("%", "README"))]


@pytest.mark.parametrize("code", ['open("', 'print("a", end="', 'mediakit.qr("', "undefined.name(x='"])
def test_other_texts_keep_completions_of_ipython(kernel: Kernel, code: str) -> None:
    assert "rounded" not in kernel.complete(code)


def test_tab_suggests_templates_for_template(kernel: Kernel) -> None:
    assert kernel.complete("mediakit.templ") == ["templates"]
    assert kernel.run("mediakit.template").strip().split("\n")[1] == (
        'UnknownName: mediakit.template: does not exist; did you mean "templates"?'
    )


def entries(source: str, **variables: object) -> dict[str, str]:
    """Return the completions at the end of source code, with their help."""
    prefix, found = complete(source, {"mediakit": mediakit, **variables})
    return {entry.text: entry.help for entry in found if entry.text.startswith(prefix)}


def test_names_of_the_package_come_without_jedi_and_with_their_help() -> None:
    fresh = Kernel()
    try:
        fresh.run("import mediakit, sys")
        shown = fresh.entries("mediakit.")
        assert {"qr", "chart", "batch", "form", "serve"} <= shown.keys()
        assert shown["qr"] == "Create a QR code."
        assert [name for name, line in shown.items() if not line or line == "<unknown>"] == []
        assert fresh.run("'jedi' in sys.modules") == "False"
    finally:
        fresh.stop()


def test_help_of_names_is_that_of_their_docstrings() -> None:
    shown = entries("mediakit.")
    assert shown.keys() == {name for name in dir(mediakit) if not name.startswith("_")}
    for name, line in shown.items():
        value: Any = getattr(mediakit, name)
        is_described = inspect.ismodule(value) or callable(value)
        text = (inspect.getdoc(value if is_described else type(value)) or "").replace("\n", " ")
        assert text.startswith(line.rstrip(".")), name


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("mediakit.qr('hi', si", {"size="}),
        ("mediakit.qr('hi', size=300, si", set()),
        ("print(mediakit.qr(", {"data=", "size=", "ecc="}),
        ("mediakit.batch('qr', rows, st", {"style="}),
        ("mediakit.batch(mediakit.qr, rows, na", {"name="}),
        ("mediakit.serve(", {"host=", "port="}),
        ("mediakit.payloads.wifi('Guests', security='", {"WPA", "SAE", "WEP", "open"}),
        ("mediakit.qr('hi', fi", {"figure", "finder="}),
        ("mediakit.qr.ai", {"aio"}),
        ("mediakit.errors.Inv", {"InvalidInput", "InvalidKey"}),
        ("# mediakit.", set()),
        ("mediakit.qr(si\n", set()),
        ("open(", set()),
        ("[mediakit.q", {"qr"}),
    ],
)
def test_names_and_arguments_at_the_end_of_code(source: str, names: set[str]) -> None:
    shown = entries(source, figure=1)
    assert names <= shown.keys()
    assert bool(names) == bool(shown)
    assert all(shown.values())


@pytest.mark.parametrize(
    ("source", "given"),
    [
        ("mediakit.batch('qr', [1, 2], ", {"tool=", "rows="}),
        ("mediakit.batch('qr', rows=[1], ", {"tool=", "rows="}),
        ("mediakit.batch.aio(mediakit.qr, rows, ", {"tool=", "rows="}),
        ("mediakit.form(mediakit.qr, ", {"tool="}),
        ("mediakit.qr('hi', ", {"data="}),
        ("mediakit.chart('bar', labels, ", {"type=", "labels="}),
    ],
)
def test_given_arguments_are_not_suggested(source: str, given: set[str]) -> None:
    shown = entries(source)
    assert shown
    assert not given & shown.keys()


def test_variables_are_suggested_as_arguments(kernel: Kernel) -> None:
    kernel.run("my_address = 1")
    assert kernel.complete("mediakit.qr(my_") == ["my_address"]


def test_shift_tab_shows_signature_and_fields(kernel: Kernel) -> None:
    for code in ("mediakit.qr", "mediakit.qr.aio", "client.qr"):
        text = kernel.inspect(code)
        assert f"{code}(\n    data: str,\n    *,\n    size: int = 512," in text
        assert re.search(r"^size +64-2000 +512 +Width and height", text, re.MULTILINE)
        assert [word for word in INTERNALS if word in text] == []


def test_tab_lists_public_names_of_a_result(kernel: Kernel) -> None:
    assert kernel.complete("result.sa") == ["save"]
    assert [name for name in kernel.complete("result.") if name in ("attach_call", "envelope", "is_data")] == []


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (mediakit.qr("hi"), {"save", "code", "width", "alt", "to_pil"}),
        (mediakit.pdf_merge([REPORT]), {"pages", "save", "to_pil"}),
        (mediakit.code_reader(LABEL), {"codes", "texts", "to_frame"}),
        (mediakit.data_convert(SALES), {"columns", "rows", "to_frame"}),
        (mediakit.web_to_markdown(html=ARTICLE_HTML), {"title", "tables", "links"}),
        (mediakit.templates(), {"describe"}),
        (mediakit.templates()["og"], {"name", "width", "keys"}),
        (mediakit.form("qr"), {"result", "values", "fields", "widget"}),
        (mediakit.batch(mediakit.qr, ["a"]), {"errors", "report", "zip", "save"}),
        (mediakit.gallery([mediakit.qr("hi")]), {"items", "keys"}),
        (mediakit.qr, {"aio", "examples", "schema"}),
        (mediakit.batch, {"aio"}),
        (mediakit.Client("http://127.0.0.1:1"), {"qr", "status", "close"}),
        (mediakit.Client("http://127.0.0.1:1").qr, {"help"}),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, set) else "",
)
def test_dir_lists_public_names_only(value: object, names: set[str]) -> None:
    assert names <= set(dir(value))
    assert [name for name in dir(value) if name.startswith("_")] == []
    assert all(hasattr(type(value), name) or name in vars(value) for name in dir(value))


def test_unknown_name_of_package_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r'mediakit\.Qr: does not exist; did you mean "qr"\?'):
        mediakit.Qr  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(mediakit, "_repr_html_")


def test_import_outside_of_ipython_loads_no_completion() -> None:
    program = "import mediakit, sys; print('mediakit.completion' in sys.modules, 'IPython' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]
