"""Requests: strict validation by pydantic, names of fields, help, and what the first call of a process imports."""

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY
from pathlib import Path
from threading import Barrier
from typing import Annotated, Any

import pytest
from pydantic import AliasChoices, Field

from mediakit.core.parameters import json_schema
from mediakit.core.request import build, field_names, request, unknown
from mediakit.errors import InvalidInput
from mediakit.tools.catalogue import load_tool


@request
class Options:
    _: KW_ONLY
    scale: Annotated[float, Field(ge=0.5, le=4)] = 1.0
    """Pixels of the image
    in a CSS pixel."""


@request
class Sample(Options):
    text: Annotated[str, Field(min_length=1, max_length=10, validation_alias=AliasChoices("text", "data"))]
    """The text."""
    _: KW_ONLY
    size: Annotated[int, Field(ge=64, le=2000)] = 512
    """Width and height."""
    bold: bool = False
    colors: Annotated[list[str], Field(max_length=2)] | None = None


def message(**values: Any) -> str:
    with pytest.raises(InvalidInput) as found:
        build(Sample, values)
    return str(found.value)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, "text: is required."),
        ({"text": ""}, "text: must not be empty."),
        ({"text": "x" * 11}, "text: must have at most 10 characters, got 11."),
        ({"text": b"x"}, "text: must be text, got 1 byte."),
        ({"text": "\ud800"}, "text: must be valid Unicode text, without lone surrogates."),
        ({"text": "x", "size": True}, "size: must be an integer, got true."),
        ({"text": "x", "size": "512"}, 'size: must be an integer, got "512".'),
        ({"text": "x", "size": 512.5}, "size: must be an integer, got 512.5."),
        ({"text": "x", "size": float("nan")}, "size: must be an integer, got NaN."),
        ({"text": "x", "size": 9}, "size: must be between 64 and 2000, got 9."),
        ({"text": "x", "size": 10**30}, f"size: must be between 64 and 2000, got {10**30}."),
        ({"text": "x", "scale": float("inf")}, "scale: must be a finite number."),
        ({"text": "x", "scale": 8}, "scale: must be between 0.5 and 4, got 8."),
        ({"text": "x", "bold": 1}, "bold: must be true or false, got 1."),
        ({"text": "x", "colors": ["a", 1]}, "colors[1]: must be text, got 1."),
        ({"text": "x", "colors": ["a"] * 3}, "colors: must have at most 2 items, got 3."),
        ({"text": "x", "sizes": 64}, 'sizes: is not a known field; did you mean "size"?'),
        ({"text": "x", "data": "y"}, 'text: is passed twice, as "text" and "data".'),
        ({"text": 1, "size": 9}, "text: must be text, got 1. (1 more in details)"),
    ],
)
def test_error_names_the_field_the_rule_and_the_value(values: dict[str, Any], expected: str) -> None:
    assert message(**values) == expected


def test_whole_float_and_numpy_number_are_integers() -> None:
    numpy = pytest.importorskip("numpy")
    for size in (300.0, numpy.int64(300), numpy.float32(300)):
        made = build(Sample, {"text": "x", "size": size})
        assert (made.size, type(made.size)) == (300, int)


def test_request_is_frozen_and_is_equal_after_pickling() -> None:
    made = Sample("x", size=64)
    assert pickle.loads(pickle.dumps(made)) == made
    with pytest.raises(AttributeError):
        made.size = 65  # type: ignore[misc]


def test_fields_of_a_base_class_with_keyword_fields_come_last_and_keep_their_help() -> None:
    assert field_names(Sample) == {
        "text": ("text", "data"),
        "size": ("size",),
        "bold": ("bold",),
        "colors": ("colors",),
        "scale": ("scale",),
    }
    properties = json_schema(Sample)["properties"]
    assert properties["text"]["description"] == "The text."
    assert properties["scale"]["description"] == "Pixels of the image\nin a CSS pixel."


def test_threads_share_the_first_validation() -> None:
    @request
    class Fresh:
        size: Annotated[int, Field(ge=1)] = 1

    barrier = Barrier(8)

    def make(_: int) -> int:
        barrier.wait()
        return Fresh(size=5).size

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(make, range(8))) == [5] * 8


def test_a_wrong_value_has_the_same_error_in_a_new_process() -> None:
    code = "import mediakit\ntry: mediakit.qr('x', size=9)\nexcept ValueError as error: print(error, error.details)"
    with pytest.raises(InvalidInput) as found:
        load_tool("qr").build("x", size=9)
    assert _python(code).strip() == f"{found.value} {found.value.details}"


def test_first_qr_code_imports_no_other_tool() -> None:
    _check_imports(_python("import sys, mediakit; mediakit.qr('https://example.com'); print(*sys.modules)"))


def test_shell_command_imports_no_other_tool(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom mediakit.cli import main\n"
        f"main(['qr', 'x', '-o', {str(tmp_path / 'x.png')!r}], standalone_mode=False)\nprint(*sys.modules)"
    )
    _check_imports(_python(code))


def test_input_files_are_read_without_pydantic() -> None:
    assert "pydantic" not in _python("import sys, mediakit.core.inputs; print(*sys.modules)").split()


def _check_imports(output: str) -> None:
    tools = {name for name in output.split() if name.startswith("mediakit.tools.images.")}
    assert tools
    assert all(name.startswith("mediakit.tools.images.qr") for name in tools)


def _python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_error_of_many_unknown_fields_describes_the_first_hundred() -> None:
    error = unknown([f"field{number}" for number in range(5000)], ["text", "size"])
    assert str(error).startswith("field0: is not a known field;")
    assert str(error).endswith(" (4,999 more)")
    assert len(error.details) == 100
