"""Turns IPython's magics, shell commands and help requests into comments, so that the script is valid Python.

https://ipython.readthedocs.io/en/stable/interactive/reference.html
"""

import re

PYTHON_CELL_MAGICS = frozenset(("capture", "prun", "time", "timeit", "python", "python3", "pypy"))
"""Cell magics whose cell is Python code."""

_COMMAND = re.compile(r"[ \t]*[%!]")
_HELP = re.compile(r"[ \t]*(?:\?{1,2}[\w.*%]|[\w.*%\[\]'\"]+\?{1,2}[ \t]*\Z)")
_ASSIGNED_COMMAND = re.compile(r"[ \t]*[^\W\d][\w., \t\[\]'\"]{0,200}=[ \t]*(?:!|%[^\W\d])")
_CELL_MAGIC = re.compile(r"\s*%%([\w.!]*)")

_TOKEN = re.compile(r"(?P<quote>'''|\"\"\"|'|\")|(?P<open>[([{])|(?P<close>[)\]}])|(?P<comment>\#)|\\.", re.DOTALL)
_ESCAPED_OR_QUOTE = {quote: re.compile(rf"\\.|{quote}", re.DOTALL) for quote in ("'''", '"""', "'", '"')}


def comment_magics(source: str) -> str:
    """Return the source of a cell whose magics and commands are comments."""
    if not re.search(r"[%!?]", source):
        return source
    cell_magic = _CELL_MAGIC.match(source)
    if not cell_magic:
        return _comment_lines(source)
    magic, newline, body = source[cell_magic.start() :].lstrip().partition("\n")
    is_python = cell_magic[1] in PYTHON_CELL_MAGICS
    body = _comment_lines(body) if is_python else "\n".join(_comment(line) for line in body.split("\n") if newline)
    return f"{_comment(magic)}{newline}{body}"


def _comment(line: str) -> str:
    return f"# {line}".rstrip()


def _comment_lines(source: str) -> str:
    written: list[str] = []
    state = _LineState()
    continued = False  # the line before is a command that goes on with a backslash
    for line in source.split("\n"):
        is_continuation = continued
        is_command = is_continuation or (state.is_statement_start and _is_command(line))
        continued = is_command and line.endswith("\\")
        if is_command:
            written.append(_comment(line) if is_continuation else _comment_command(line))
        else:
            written.append(line)
            state.read(line)
    return "\n".join(written)


def _is_command(line: str) -> bool:
    return any(pattern.match(line) for pattern in (_COMMAND, _HELP, _ASSIGNED_COMMAND))


def _comment_command(line: str) -> str:
    """Return a command as a comment; inside a block, with a statement, because a block must not be empty."""
    text = line.lstrip()
    indent = line[: len(line) - len(text)]
    return f"{indent}pass  # {text}" if indent and text else f"{indent}# {text}"


class _LineState:
    """What is open at the end of a line: a string, brackets, or a statement that goes on."""

    def __init__(self) -> None:
        self._quote = ""
        self._depth = 0
        self._goes_on = False

    @property
    def is_statement_start(self) -> bool:
        """Whether the next line begins a statement."""
        return not (self._quote or self._depth or self._goes_on)

    def read(self, line: str) -> None:
        """Read a line of Python."""
        position, has_comment = 0, False
        while position < len(line):
            if self._quote:
                position = self._read_string(line, position)
                continue
            token = _TOKEN.search(line, position)
            if token is None or token["comment"]:
                has_comment = token is not None
                break
            self._apply(token)
            position = token.end()
        if self._quote in ("'", '"'):  # a string of one line ends with it, unless a backslash continues it
            self._quote = self._quote if line.endswith("\\") else ""
        self._goes_on = not has_comment and not self._quote and line.endswith("\\")

    def _read_string(self, line: str, position: int) -> int:
        """Return the position after the string's end; the end of the line if it goes on."""
        for match in _ESCAPED_OR_QUOTE[self._quote].finditer(line, position):
            if match[0] == self._quote:
                self._quote = ""
                return match.end()
        return len(line)

    def _apply(self, token: re.Match[str]) -> None:
        if token["quote"]:
            self._quote = token["quote"]
        elif token["open"]:
            self._depth += 1
        elif token["close"]:
            self._depth = max(0, self._depth - 1)
