"""Errors in IPython: the user's line and the message; the complete traceback in Verbose mode and outside of IPython."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mediakit
from mediakit.errors import InvalidInput
from tests.support.kernel_kit import Kernel

pytest_plugins = ["tests.support.shell_fixtures"]

SIZE_ERROR = "InvalidInput: size: must be between 64 and 2000, got 9."
POSITIONAL_ERROR = "InvalidCall: qr() takes 1 positional argument (data), got 2; did you mean margin=2?"


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    running = Kernel()
    running.run("import asyncio, mediakit")
    yield running
    running.stop()


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ('x = 1\nmediakit.qr("hi", size=9)', 'line 2: mediakit.qr("hi", size=9)'),
        ('mediakit.qr(\n    "hi",\n    size=9,\n)', 'line 1: mediakit.qr("hi", size=9)'),
        (
            "def draw(n):\n    return mediakit.qr('hi', size=n)\n\ndraw(9)",
            "line 2, in draw: return mediakit.qr('hi', size=n)",
        ),
        ("[mediakit.qr(text, size=9) for text in 'ab']", "line 1: [mediakit.qr(text, size=9) for text in 'ab']"),
        ('await mediakit.qr.aio("hi", size=9)', 'line 1: await mediakit.qr.aio("hi", size=9)'),
        (
            'await asyncio.gather(mediakit.qr.aio("hi", size=9))',
            'line 1: await asyncio.gather(mediakit.qr.aio("hi", size=9))',
        ),
        ('try:\n    {}["a"]\nexcept KeyError:\n    mediakit.qr("hi", size=9)', 'line 4: mediakit.qr("hi", size=9)'),
        ("import functools\nfunctools.reduce(mediakit.qr, [1, 2])", "line 2: functools.reduce(mediakit.qr, [1, 2])"),
        ('mediakit.batch(mediakit.qr, ["hi"], size=9)', 'line 1: mediakit.batch(mediakit.qr, ["hi"], size=9)'),
        ("mediakit.form(mediakit.qr, size=9)", "line 1: mediakit.form(mediakit.qr, size=9)"),
    ],
    ids=["cell", "lines", "function", "list", "await", "gather", "chained", "library", "batch", "form"],
)
def test_cell_shows_own_line_and_message(kernel: Kernel, cell: str, line: str) -> None:
    place, message = kernel.run(cell).strip().split("\n")
    assert place.startswith("Cell In[")
    assert place.endswith(f"], {line}")
    assert message == (SIZE_ERROR if "size" in cell else POSITIONAL_ERROR)


def test_function_in_file_is_named_with_its_file(kernel: Kernel, tmp_path: Path) -> None:
    (tmp_path / "labels.py").write_text("import mediakit\n\ndef label(text):\n    return mediakit.qr(text, size=9)\n")
    output = kernel.run(f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nimport labels\nlabels.label('hi')")
    assert (
        output.strip() == f"{tmp_path / 'labels.py'}, line 4, in label: return mediakit.qr(text, size=9)\n{SIZE_ERROR}"
    )


def test_long_call_is_shortened(kernel: Kernel) -> None:
    place, message = kernel.run(f'mediakit.qr("{"x" * 500}", size=9)').strip().split("\n")
    assert place.endswith("x…")
    assert len(place) < 200
    assert message == SIZE_ERROR


def test_verbose_and_minimal_modes_are_those_of_ipython(kernel: Kernel) -> None:
    verbose = kernel.run('%xmode Verbose\nmediakit.qr("hi", size=9)')
    minimal = kernel.run('%xmode Minimal\nmediakit.qr("hi", size=9)')
    restored = kernel.run('%xmode Context\nmediakit.qr("hi", size=9)')
    assert "Traceback (most recent call last)" in verbose
    assert "in Tool.validate(self=<mediakit.qr" in verbose
    assert minimal.strip().split("\n")[1:] == ["", SIZE_ERROR] or minimal.strip().endswith(SIZE_ERROR)
    assert "Cell In[" not in minimal
    assert len(restored.strip().split("\n")) == 3
    assert "Tool.validate" in kernel.run("%tb Verbose")


def test_own_error_of_user_shows_complete_chain(kernel: Kernel) -> None:
    output = kernel.run(
        'try:\n    mediakit.qr("hi", size=9)\nexcept ValueError as error:\n    raise RuntimeError("own") from error'
    )
    assert "direct cause" in output
    assert output.strip().endswith("RuntimeError: own")


def test_python_script_prints_complete_traceback() -> None:
    run = subprocess.run(
        [sys.executable, "-c", "import mediakit; mediakit.qr('hi', size=9)"], capture_output=True, text=True
    )
    assert run.stderr.startswith("Traceback (most recent call last):")
    assert "in validate" in run.stderr
    assert run.stderr.strip().endswith(SIZE_ERROR)


def test_shell_without_colors_prints_no_escape_sequences(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "colors", "nocolor")
    with pytest.raises(InvalidInput) as caught:
        mediakit.qr("hi", size=9)
    place, message = caught.value._render_traceback_()
    assert message == SIZE_ERROR
    assert place.endswith(': mediakit.qr("hi", size=9)')


def test_error_outside_of_ipython_renders_like_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert InvalidInput("size: is wrong.")._render_traceback_() == ["mediakit.errors.InvalidInput: size: is wrong.\n"]
