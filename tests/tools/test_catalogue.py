"""The catalogue: names of the tools, and loading on first use."""

import subprocess
import sys
from importlib import import_module
from typing import get_args

import pytest

import mediakit
from mediakit.core.tool import Tag, Tool
from mediakit.errors import NotFound
from mediakit.tools.catalogue import CATALOGUE, SUMMARIES, all_tools, command_names, load_tool, module_of, tool_names


def loaded_modules(code: str) -> set[str]:
    """Return the modules of mediakit that are loaded after some code has run in a new interpreter."""
    report = f"{code}\nimport sys\nprint(*(name for name in sys.modules if name.startswith('mediakit')))"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def tools_in(modules: set[str]) -> set[str]:
    """Return the names of the tools among modules."""
    return {name for name in tool_names() if module_of(name) in modules}


def test_names_are_unique_and_commands_have_hyphens() -> None:
    assert len(set(tool_names())) == len(tool_names())
    assert command_names() == tuple(name.replace("_", "-") for name in tool_names())
    assert all(name.isidentifier() and name == name.lower() for name in tool_names())


def test_catalogue_has_every_tag_in_order_of_documentation() -> None:
    assert tuple(CATALOGUE) == get_args(Tag)


@pytest.mark.parametrize("name", tool_names())
def test_tool_is_loaded_by_its_name_and_command(name: str) -> None:
    tool = load_tool(name)
    assert isinstance(tool, Tool)
    assert tool is load_tool(tool.command) is getattr(mediakit, name)
    assert (tool.name, tool.path) == (name, f"/{name.replace('_', '-')}")
    assert name in CATALOGUE[tool.spec.tag]
    assert SUMMARIES[name] == tool.summary
    assert getattr(import_module(module_of(name)), name) is tool
    assert module_of(name) == f"mediakit.tools.{tool.spec.tag.lower()}.{name}"


def test_all_tools_are_in_order_of_catalogue() -> None:
    assert tuple(tool.name for tool in all_tools()) == tool_names()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("qrr", 'tool: unknown tool qrr; did you mean "qr"?'),
        ("pdf-merg", 'tool: unknown tool pdf_merg; did you mean "pdf_merge"?'),
        ("PDF_MERGE", 'tool: unknown tool PDF_MERGE; did you mean "pdf_merge"?'),
        ("zzzzzz", "tool: unknown tool zzzzzz; known names are capture, screenshot, qr,"),
        ("../x", "tool: unknown tool ../x; "),
        ("", "tool: unknown tool "),
    ],
)
def test_unknown_tool_raises_not_found_with_similar_name(name: str, words: str) -> None:
    with pytest.raises(NotFound) as caught:
        load_tool(name)
    assert str(caught.value).startswith(words)


def test_names_are_known_without_loading_a_tool() -> None:
    modules = loaded_modules("from mediakit.tools.catalogue import tool_names; tool_names()")
    assert "mediakit.tools.catalogue" in modules
    assert tools_in(modules) == set()


def test_import_of_package_loads_no_tool() -> None:
    assert tools_in(loaded_modules("import mediakit")) == set()


@pytest.mark.parametrize("name", ["qr", "pdf_merge", "data_convert"])
def test_tool_is_loaded_alone(name: str) -> None:
    assert tools_in(loaded_modules(f"import mediakit; mediakit.{name}")) == {name}


def test_shell_loads_only_the_tool_of_its_command() -> None:
    code = "import sys\nsys.stdout = open('/dev/null', 'w')\nfrom mediakit.cli import main\n"
    code += "try: main(['qr', '--help'], prog_name='mediakit')\nexcept SystemExit: sys.stdout = sys.__stdout__"
    assert tools_in(loaded_modules(code)) == {"qr"}
