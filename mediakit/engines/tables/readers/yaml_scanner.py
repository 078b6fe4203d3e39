"""A scanner of ruamel.yaml that keeps to YAML 1.2 where the original does not, and the events that it finds.

It accepts tabs as separation, keys of several lines in flow mappings and blank lines before a block scalar, and rejects
comments without a space before them, tabs as indentation, lines that are not indented, and directives within a
document. The words in brackets name productions of the YAML 1.2.2 specification.
"""

from collections.abc import Iterator
from typing import Any

from ruamel.yaml.parser import Parser, ParserError
from ruamel.yaml.scanner import Scanner, ScannerError
from ruamel.yaml.tokens import DirectiveToken, DocumentEndToken

_BREAKS = "\r\n\x85\u2028\u2029"
_BLANKS = " \t"
_SPACE = f"{_BLANKS}{_BREAKS}"
_FLOW_INDICATORS = ",[]{}"
_CLOSING = "]}"


class StrictScanner(Scanner):
    """Finds the tokens of a YAML text."""

    def scan_to_next_token(self) -> None:
        """Skip white space, line breaks and comments [s-l-comments]."""
        reader = self.reader
        if reader.index == 0 and reader.peek() == "\ufeff":
            reader.forward()
        while True:
            at_start = reader.column == 0
            spaces, tabs = self._skip_blanks()
            if reader.peek() == "#" and (
                at_start or spaces or tabs or not reader.pointer or reader.buffer[reader.pointer - 1] in _SPACE
            ):
                while reader.peek() not in f"{_BREAKS}\0":
                    reader.forward()
            if not self.scan_line_break():
                self._check_line(spaces, at_start=at_start, has_tabs=bool(tabs))
                return
            if not self.flow_level:
                self.allow_simple_key = True

    def check_plain(self) -> bool:
        """Return whether a plain scalar starts here [ns-plain-first]."""
        if self.flow_level and self.reader.peek() in "-?:" and self.reader.peek(1) in _FLOW_INDICATORS:
            return False
        if self.flow_level and self.reader.peek() == "?":
            return not self.check_key()
        return bool(super().check_plain())

    def check_key(self) -> bool:
        """Return whether a question mark is the indicator of a key, and not the first character of a scalar."""
        return self.reader.peek(1) in f"{_BLANKS}{_BREAKS}\0{_FLOW_INDICATORS if self.flow_level else ''}"

    def scan_flow_scalar_breaks(self, double: Any, start_mark: Any) -> list[str]:  # noqa: ARG002  # the scanner's
        """Return the line breaks within a quoted scalar, whose lines are indented [s-flow-line-prefix]."""
        breaks: list[str] = []
        while True:
            if self._at_document_mark():
                self._fail("a quoted scalar does not end before the document does")
            spaces, _ = self._skip_blanks()
            if self.reader.peek() not in _BREAKS:
                if spaces <= self.indent and self.reader.peek() != "\0":
                    self._fail("a line of a quoted scalar must be indented by spaces more than its parent")
                return breaks
            breaks.append(self.scan_line_break())

    def stale_possible_simple_keys(self) -> None:
        """Drop keys that cannot be keys any more; those directly in a flow mapping may have several lines."""
        level = self.flow_level
        kept = self.possible_simple_keys.pop(level, None) if level and self.flow_context[-1] == "{" else None
        super().stale_possible_simple_keys()
        if kept is not None:
            self.possible_simple_keys[level] = kept

    def scan_plain_spaces(self, indent: int, start_mark: Any) -> list[str] | None:  # noqa: ARG002  # the scanner's
        """Return what stands between two pieces of a plain scalar: blanks, or line breaks folded [b-l-folded]."""
        reader = self.reader
        length = 0
        while reader.peek(length) in _BLANKS:
            length += 1
        blanks = reader.prefix(length)
        reader.forward(length)
        if reader.peek() not in _BREAKS:
            return [blanks] if blanks else []
        breaks: list[str] = []
        while reader.peek() in _BREAKS:
            breaks.append(self.scan_line_break())
            self.allow_simple_key = True
            if self._at_document_mark():
                return None
            spaces, tabs = self._skip_blanks()
            if tabs and spaces < indent and reader.peek() not in f"{_BREAKS}\0":
                self._fail("a tab cannot be indentation")
        return breaks if breaks[0] != "\n" else breaks[1:] or [" "]  # of several line breaks the first is omitted

    def scan_block_scalar_indentation(self) -> tuple[list[str], int, Any]:
        """Return the blank lines before a block scalar's text, and the column of the text [c-indentation-indicator]."""
        reader = self.reader
        blank_lines: list[str] = []
        widest, mark = 0, reader.get_mark()
        while True:
            while reader.peek() == " ":
                reader.forward()
            if reader.peek() not in _BREAKS:
                break
            widest = max(widest, reader.column)
            blank_lines.append(self.scan_line_break())
            mark = reader.get_mark()
        column = reader.column
        if reader.peek() == "\0":
            return [*blank_lines, "\n"] if column else blank_lines, max(widest, column), mark
        if reader.peek() == "\t" and column <= self.indent:
            self._fail("a tab cannot be indentation")
        if widest > column > self.indent:
            self._fail("a blank line is indented more than the text of the block scalar")
        return blank_lines, column, mark

    def _skip_blanks(self) -> tuple[int, int]:
        """Skip spaces and tabs, and return how many spaces stand before the first tab, and how many tabs there are."""
        spaces = tabs = 0
        while self.reader.peek() in _BLANKS:
            tabs += self.reader.peek() == "\t"
            spaces += not tabs
            self.reader.forward()
        return spaces, tabs

    def _check_line(self, spaces: int, *, at_start: bool, has_tabs: bool) -> None:
        """Check the indentation of a token that is the first of its line, and what may stand after a tab."""
        char = self.reader.peek()
        if char == "\0":
            return
        if at_start and self.flow_level and self.indent >= spaces and char not in _CLOSING and self.reader.index:
            self._fail("a line of a flow collection must be indented more than its parent")
        if has_tabs and not self.flow_level:
            if at_start and spaces <= self.indent:
                self._fail("a tab cannot be indentation")
            self.allow_simple_key = self.allow_simple_key and at_start and char in "[{"

    def _at_document_mark(self) -> bool:
        return self.reader.prefix(3) in ("---", "...") and self.reader.peek(3) in f"{_BLANKS}{_BREAKS}\0"

    def _fail(self, problem: str) -> None:
        raise ScannerError(None, None, problem, self.reader.get_mark())


class StrictParser(Parser):
    """Accepts the end of a document where none has begun, and directives only at the start and behind such an end."""

    _is_ended = True
    """Whether `...` ends the document before."""

    def parse_document_start(self) -> Any:
        """Return the start of a document that is not the first one."""
        if not self._is_ended and self.scanner.check_token(DirectiveToken):
            mark = self.scanner.peek_token().start_mark
            raise ParserError(None, None, "a directive must follow the end of a document, `...`", mark)
        return super().parse_document_start()

    def parse_document_end(self) -> Any:
        """Return the end of a document."""
        event = super().parse_document_end()
        self._is_ended = event.explicit
        return event

    def parse_implicit_document_start(self) -> Any:
        """Skip ends of documents before the first document."""
        while self.scanner.check_token(DocumentEndToken):
            self.scanner.get_token()
        return super().parse_implicit_document_start()


class YamlSyntaxError(ValueError):
    """The text is not YAML; the message says where."""


def line_of(event: Any) -> int:
    """Return the line of an event, from 1."""
    return int(event.start_mark.line) + 1


def events(text: str) -> Iterator[Any]:
    """Iterate over the events of a YAML text, as ruamel.yaml has them.

    Raises:
        YamlSyntaxError: The text is not YAML.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        yaml = YAML(typ="safe", pure=True)
        yaml.Scanner, yaml.Parser = StrictScanner, StrictParser
        yield from yaml.parse(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise YamlSyntaxError(f"{where}{error.problem or error.context}") from None
    except (YAMLError, ValueError, AssertionError, IndexError, AttributeError, TypeError) as error:
        raise YamlSyntaxError(" ".join(str(error).split())[:200]) from None
