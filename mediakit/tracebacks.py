"""Tracebacks of two lines in IPython: the user's line that called mediakit, and the message of the error."""

import linecache
import sys
import sysconfig
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any, NamedTuple

PACKAGE = Path(__file__).parent
LIBRARIES = tuple(
    {
        Path(path)
        for name, path in sysconfig.get_paths().items()
        if name in ("stdlib", "platstdlib", "purelib", "platlib")
    }
)

MAX_SOURCE_LENGTH = 160
"""Characters of the longest source line; a call of several lines is joined to one."""

COMPLETE_MODES = ("Verbose", "Minimal")
"""Modes of `%xmode` in which IPython renders the traceback as for any other error."""

RED, GREEN, DEFAULT = "\x1b[31m", "\x1b[32m", "\x1b[39m"


class ShortTraceback:
    """Base class of errors that IPython shows in two lines. Outside of IPython it has no effect."""

    def _render_traceback_(self) -> list[str]:
        assert isinstance(self, BaseException)  # noqa: S101  # a mixin of exceptions
        shell = _shell()
        if shell is None:
            return traceback.format_exception(self)
        if shell.InteractiveTB.mode in COMPLETE_MODES:
            lines: list[str] = shell.InteractiveTB.structured_traceback(type(self), self, self.__traceback__)
            return lines
        return _short(self, shell)


class _Line(NamedTuple):
    """A line of a frame, and the last line of the call that it begins."""

    frame: FrameType
    first: int
    last: int


def _shell() -> Any:
    """Return the IPython shell; None outside of IPython."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def _short(error: BaseException, shell: Any) -> list[str]:
    colored = str(shell.colors).lower() != "nocolor"
    red, green, default = (RED, GREEN, DEFAULT) if colored else ("", "", "")
    message = f"{red}{type(error).__name__}{default}: {error}"
    line = _user_line(_lines(error.__traceback__))
    return [f"{green}{_place(line, shell)}{default}: {_source(line)}", message] if line else [message]


def _lines(trace: TracebackType | None) -> list[_Line]:
    lines = []
    while trace:
        last = _end_line(trace.tb_frame.f_code, trace.tb_lasti) or trace.tb_lineno
        lines.append(_Line(trace.tb_frame, trace.tb_lineno, max(trace.tb_lineno, last)))
        trace = trace.tb_next
    return lines


def _end_line(code: CodeType, instruction: int) -> int | None:
    """Return the last line of an instruction's expression."""
    positions = list(code.co_positions())
    index = instruction // 2
    return positions[index][1] if 0 <= index < len(positions) else None


def _user_line(lines: Sequence[_Line]) -> _Line | None:
    """Return the innermost line of the user's code before mediakit's; None if only libraries called mediakit."""
    paths = [Path(line.frame.f_code.co_filename) for line in lines]
    called = next((index for index, path in enumerate(paths) if path.is_relative_to(PACKAGE)), len(lines))
    own = [index for index in range(called) if not any(map(paths[index].is_relative_to, LIBRARIES))]
    return lines[own[-1]] if own else None


def _place(line: _Line, shell: Any) -> str:
    """Return where a line is: `Cell In[3], line 2, in draw`, or the name of a file instead of the cell."""
    filename = line.frame.f_code.co_filename
    label = shell.compile.format_code_name(filename)
    name = line.frame.f_code.co_name
    function = "" if name.startswith("<") else f", in {name}"
    return f"{' '.join(label) if label else _relative(filename)}, line {line.first}{function}"


def _relative(filename: str) -> str:
    path = Path(filename)
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _source(line: _Line) -> str:
    """Return the source of a call in one line."""
    filename, names = line.frame.f_code.co_filename, line.frame.f_globals
    lines = [linecache.getline(filename, number, names).strip() for number in range(line.first, line.last + 1)]
    joined = ""
    for text in filter(None, lines):
        joined = f"{joined.removesuffix(',')}{text}" if text[0] in ")]}" else f"{joined}{_gap(joined)}{text}"
    return joined if len(joined) <= MAX_SOURCE_LENGTH else f"{joined[:MAX_SOURCE_LENGTH]}…"


def _gap(before: str) -> str:
    return "" if not before or before[-1] in "([{" else " "
