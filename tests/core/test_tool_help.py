"""Help texts and signatures of tools, without types that only pydantic reads."""

import inspect
import pickle
import pydoc
import re
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

import mediakit
from mediakit.core.inputs import File, Files
from mediakit.core.introspection import type_text
from mediakit.core.parameters import Parameter
from mediakit.core.tool import Tool, field_table
from mediakit.tools.catalogue import all_tools

AnyTool = Tool[..., Any]
every_tool = pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
INTERNALS = ("FieldInfo", "Annotated", "AfterValidator", "typing.", "pydantic", "<function", "P.args", " object at ")


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        (Annotated[int, Field(ge=1)], "int"),
        (Annotated[str, Field(min_length=1)] | None, "str | None"),
        (Literal["png", "svg"], "'png' | 'svg'"),
        (list[Annotated[str, Field()]] | Literal["ocean"], "list[str] | 'ocean'"),
        (File, "File"),
        (File | None, "File | None"),
        (Files, "list[File]"),
        (Any | None, "Any"),
        (dict[str, Any], "dict[str, Any]"),
        ("int | None", "int | None"),
    ],
)
def test_type_is_shown_without_rules(annotation: Any, text: str) -> None:
    assert type_text(annotation) == text


def test_signature_of_tool_shows_types_and_defaults() -> None:
    text = str(inspect.signature(mediakit.qr))
    assert text.startswith("(data: str, *, size: int = 512, margin: int = 2, format: 'png' | 'svg' = 'png', ")
    assert "style: 'square' | 'rounded' | 'dots'" in text
    assert "logo: File | None = None" in text
    assert text.endswith(") -> ImageResult")


@every_tool
def test_help_lists_every_field_and_no_internals(tool: AnyTool) -> None:
    client = mediakit.Client("http://127.0.0.1:1")
    calls = [tool, tool.aio, getattr(client, tool.name), getattr(mediakit.AsyncClient("http://127.0.0.1:1"), tool.name)]
    for call in calls:
        text = pydoc.plain(pydoc.render_doc(call))
        assert [word for word in INTERNALS if word in text] == []
        table = text[text.index("Field ") : text.index("Returns:")]
        assert [name for name in (field.name for field in tool.parameters) if f"\n    {name}" not in table] == []
        assert f"Returns:\n        {' | '.join(kind.__name__ for kind in tool.kinds)}" in text
        assert inspect.signature(call) == inspect.signature(tool) == inspect.signature(call.__call__)
    client.close()


@pytest.mark.parametrize(
    ("call", "example"),
    [
        (mediakit.qr, '    mediakit.qr("https://example.com")'),
        (mediakit.qr.aio, '    await mediakit.qr.aio("https://example.com")'),
        (mediakit.Client("http://127.0.0.1:1").qr, '    client.qr("https://example.com")'),
        (mediakit.AsyncClient("http://127.0.0.1:1").qr, '    await client.qr("https://example.com")'),
    ],
    ids=["call", "aio", "client", "async client"],
)
def test_examples_show_the_call_that_help_is_about(call: Any, example: str) -> None:
    assert example in call.__doc__.splitlines()


def test_field_table_wraps_long_cells_in_their_columns() -> None:
    schema = {"type": "string"}
    fields = (
        Parameter("data", ("url",), "text", "Text. " * 19 + "Text.", True, None, (), None, None, 1500, schema),
        Parameter("format", (), "choice", "File format.", False, "png", tuple("abcdefghijk"), None, None, None, schema),
    )
    assert field_table(fields).splitlines() == [
        "Field   Allowed               Default   Meaning",
        "------  --------------------  --------  --------------------------------------------",
        "data    at most 1500          required  Text. Text. Text. Text. Text. Text. Text.",
        "        characters                      Text. Text. Text. Text. Text. Text. Text.",
        "                                        Text. Text. Text. Text. Text. Text. Also",
        "                                        accepted as url.",
        "format  a, b, c, d, e, f, g,  'png'     File format.",
        "        h, i, j, k",
    ]


@pytest.mark.parametrize(
    "call", [mediakit.batch, mediakit.batch.aio, mediakit.form, mediakit.gallery, mediakit.invoice_data]
)
def test_signature_of_function_has_readable_types(call: Any) -> None:
    text = str(inspect.signature(call))
    assert [word for word in (*INTERNALS, "~R", "collections.abc", "Union[", "mediakit.") if word in text] == []


def test_calls_of_a_tool_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(mediakit.qr.aio)).tool is mediakit.qr


def test_help_of_the_package_lists_its_names() -> None:
    lines = pydoc.plain(pydoc.render_doc(mediakit)).splitlines()
    text = "\n".join(line for line in lines if "__annotations__ = " not in line)
    assert 'mediakit.form("qr")  ' in text
    assert re.search(r"qr\(\s*data: str,\s+\*,\s+size: int = 512", text)  # from Python 3.13 on, on several lines
    assert [word for word in INTERNALS[:3] if word in text] == []
