"""What works without PyMuPDF and python-stdnum, as docs/licenses.md says: their import is blocked in all processes."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from mediakit.core.tool import Tool
from mediakit.installation import install_command
from mediakit.tools.catalogue import all_tools

COMMANDS = {"PyMuPDF": install_command("pymupdf"), "python-stdnum": install_command(extra="tax")}

BLOCK = "import sys\nsys.modules.update(dict.fromkeys(('pymupdf', 'fitz', 'stdnum')))\n"
"""Is run by every Python that starts with its folder in PYTHONPATH, workers included."""

CALLS = """
import json
import mediakit
from mediakit import samples
from mediakit.tools.catalogue import all_tools

FURTHER_CALLS = {
    "code_reader": {"file": samples.SURVEY},
    "pdf_split": {"file": samples.REPORT, "mode": "blank"},
    "table_image": {"rows": [{"flag": "\\U0001f1ee\\U0001f1f3"}], "format": "pdf"},
}

def outcome(call):
    try:
        call()
    except Exception as error:
        return [type(error).__name__, str(error)]
    return []

for tool in all_tools():
    calls = [example.values for example in tool.examples]
    calls += [FURTHER_CALLS[tool.name]] if tool.name in FURTHER_CALLS else []
    if isinstance(tool.spec.needs_browser, str):
        calls = [values for values in calls if tool.spec.needs_browser not in values]
    elif tool.spec.needs_browser and not tool.spec.licensed_packages:
        continue
    print(json.dumps([tool.name, [outcome(lambda: tool(**values)) for values in calls]]), flush=True)

pdf = mediakit.pdf_merge([samples.REPORT])
print(json.dumps(["shown", list(pdf._repr_mimebundle_()[0])]))
print(json.dumps(["to_pil", outcome(pdf.to_pil)]))
"""
"""Prints the outcome of every example of every tool: an empty list, or the class and the message of the error."""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("blocked")
    (folder / "sitecustomize.py").write_text(BLOCK)
    environment = os.environ | {"PYTHONPATH": str(folder)}
    run = subprocess.run([sys.executable, "-c", CALLS], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return dict(json.loads(line) for line in run.stdout.splitlines())


@pytest.mark.browser
@pytest.mark.parametrize(
    "tool",
    [tool for tool in all_tools() if tool.spec.needs_browser is not True or tool.spec.licensed_packages],
    ids=lambda tool: tool.name,
)
def test_tool_needs_the_packages_that_it_states(tool: Tool[..., Any], outcomes: dict[str, Any]) -> None:
    found = outcomes[tool.name]
    failed = [outcome for outcome in found if outcome]
    assert bool(failed) == bool(tool.spec.licensed_packages), failed
    for package, calls in tool.spec.licensed_packages.items():
        assert len(failed) < len(found) if calls else failed == found
        for kind, message in failed:
            assert kind == "MissingPackage"
            assert message.endswith(f" requires {package}, which is not installed. Install it: {COMMANDS[package]}")


@pytest.mark.browser
def test_pdf_is_shown_as_text_without_pymupdf(outcomes: dict[str, Any]) -> None:
    assert outcomes["shown"] == ["text/plain"]
    message = "The image of a PDF page requires PyMuPDF, which is not installed."
    assert outcomes["to_pil"] == ["MissingPackage", f"{message} Install it: {COMMANDS['PyMuPDF']}"]
