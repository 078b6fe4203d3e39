"""Tracebacks of two lines in IPython: the user's line that called mediakit, and the message of the error."""

import linecache
import sys
import sysconfig
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

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
        shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
        if shell is None:
            return traceback.format_exception(self)
        if shell.InteractiveTB.mode in COMPLETE_MODES:
            lines: list[str] = shell.InteractiveTB.structured_traceback(type(self), self, self.__traceback__)
            return lines
        colored = str(shell.colors).lower() != "nocolor"
        red, green, default = (RED, GREEN, DEFAULT) if colored else ("", "", "")
        message = f"{red}{type(self).__name__}{default}: {self}"
        trace = _user_line(self.__traceback__)
        return [f"{green}{_place(trace, shell)}{default}: {_source(trace)}", message] if trace else [message]


def _user_line(trace: TracebackType | None) -> TracebackType | None:
    """Return the innermost line of the user's code before mediakit's; None if only libraries called mediakit."""
    found = None
    while trace and not (path := Path(trace.tb_frame.f_code.co_filename)).is_relative_to(PACKAGE):
        if not any(map(path.is_relative_to, LIBRARIES)):
            found = trace
        trace = trace.tb_next
    return found


def _place(trace: TracebackType, shell: Any) -> str:
    """Return where a line is: `Cell In[3], line 2, in draw`, or the name of a file instead of the cell."""
    code = trace.tb_frame.f_code
    path, label = Path(code.co_filename), shell.compile.format_code_name(code.co_filename)
    place = " ".join(label) if label else path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    function = "" if code.co_name.startswith("<") else f", in {code.co_name}"
    return f"{place}, line {trace.tb_lineno}{function}"


def _source(trace: TracebackType) -> str:
    """Return the source of a call in one line."""
    code, first = trace.tb_frame.f_code, trace.tb_lineno
    # The last line of the expression of the instruction, which can be missing.
    ends = [end for _, end, _, _ in code.co_positions()][trace.tb_lasti // 2 :]
    joined = ""
    for number in range(first, max(first, (ends and ends[0]) or first) + 1):
        text = linecache.getline(code.co_filename, number, trace.tb_frame.f_globals).strip()
        if text[:1] in (*")]}",):
            joined = joined.removesuffix(",")
        elif joined and joined[-1] not in "([{":
            joined += " "
        joined += text
    return joined if len(joined) <= MAX_SOURCE_LENGTH else f"{joined[:MAX_SOURCE_LENGTH]}…"
