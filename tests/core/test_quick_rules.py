import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mediakit.core.parameters import json_schema
from mediakit.core.quick_rules import QuickRules
from mediakit.core.request import validate_into
from mediakit.core.stored_schemas import stored_schema
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput
from mediakit.tools.catalogue import all_tools, load_tool

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, 45, 64, 100, 359, 360, 2000, 2001, -1, 2**63 - 1, 2**63, 1.0, 2.5, float("nan")),
    *("", "x", "png", "svg", "M", "#1A2b3c", "1a2b3c", "tomato", "no color", "\ud800", "\0", "https://example.com/a b"),
    *("x" * 2048, "x" * 2049, "HTTPS://Example.com", "a@b.example", b"x", ["x"], ["x", 1], {"a": "b"}, {}, ()),
)
"""Valid and invalid values of the fields of all tools."""


def _first(tool: Tool[..., Any]) -> dict[str, Any]:
    """Return the simple values of the first example."""
    values = tool.examples[0].values if tool.examples else {}
    return {name: value for name, value in values.items() if isinstance(value, str | int | float)}


def _stored_by_pydantic(kind: Any, values: dict[str, Any]) -> Any:
    made = object.__new__(kind)
    try:
        validate_into(made, kind, (), values)
    except ValueError:
        return None
    return made


@pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
def test_a_value_that_passes_is_stored_as_pydantic_stores_it(tool: Tool[..., Any]) -> None:
    kind = tool.request
    store = next(cell.cell_contents for cell in kind.__init__.__closure__ if _is_dataclass_constructor(cell))
    for parameter in tool.parameters:
        for value in VALUES:
            values = {**_first(tool), parameter.name: value}
            made = object.__new__(kind)
            if QuickRules(kind).fill(made, store, values):
                expected = _stored_by_pydantic(kind, values)
                assert expected is not None, (parameter.name, value)
                assert vars(made) == vars(expected), (parameter.name, value)
                assert {name: type(each) for name, each in vars(made).items()} == {
                    name: type(each) for name, each in vars(expected).items()
                }


def _is_dataclass_constructor(cell: Any) -> bool:
    return getattr(cell.cell_contents, "__name__", "") == "__init__"


def test_simple_values_pass() -> None:
    request = load_tool("qr").validate({"url": "x", "size": 300, "dark": "#FF0000", "style": "dots", "finder": None})
    assert (request.data, request.size, request.dark, request.style) == ("x", 300, "#ff0000", "dots")


def test_a_wrong_value_has_the_error_of_pydantic_in_a_new_process() -> None:
    code = "import mediakit\ntry: mediakit.qr('x', size=9)\nexcept ValueError as error: print(error, error.details)"
    output = _python("-c", code)
    with pytest.raises(InvalidInput) as found:
        load_tool("qr").build("x", size=9)
    assert output.strip() == f"{found.value} {found.value.details}"


def test_first_qr_code_imports_neither_pydantic_nor_another_tool() -> None:
    code = "import sys, mediakit; mediakit.qr('https://example.com'); print(*sys.modules)"
    _check_imports(_python("-c", code))


def test_shell_command_imports_neither_pydantic_nor_another_tool(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom mediakit.cli import main\n"
        f"main(['qr', 'x', '-o', {str(tmp_path / 'x.png')!r}], standalone_mode=False)\nprint(*sys.modules)"
    )
    _check_imports(_python("-c", code))


def _check_imports(output: str) -> None:
    modules = output.split()
    assert not [name for name in modules if name.startswith("pydantic")]
    tools = {name for name in modules if name.startswith("mediakit.tools.images.")}
    assert tools
    assert all(name.startswith("mediakit.tools.images.qr") for name in tools)


def _python(*arguments: str) -> str:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
def test_stored_schema_is_that_of_the_request(tool: Tool[..., Any]) -> None:
    stored = stored_schema(tool.function)
    assert (stored is None) is tool.schema_changes
    if stored is not None:
        assert json.dumps(stored) == json.dumps(json_schema(tool.request))
