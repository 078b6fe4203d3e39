"""The events of a YAML text: what the parser of ruamel.yaml finds, in a shape of our own."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal


class YamlSyntaxError(ValueError):
    """The text is not YAML; the message says where."""


@dataclass(frozen=True)
class Event:
    """A step through a YAML text; the children of a collection follow it up to its `end`."""

    kind: Literal["document", "alias", "scalar", "sequence", "mapping", "end"]
    line: int
    anchor: str = ""
    tag: str = ""
    value: str = ""
    is_plain: bool = False
    """Whether a scalar is without quotes, so that it may be a number."""


def events(text: str) -> Iterator[Event]:
    """Iterate over the events of a YAML text.

    Raises:
        YamlSyntaxError: The text is not YAML.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    from mediakit.engines.tables.readers.yaml_scanner import StrictParser, StrictScanner

    try:
        yaml = YAML(typ="safe", pure=True)
        yaml.Scanner, yaml.Parser = StrictScanner, StrictParser
        for event in yaml.parse(text):
            found = _event(event)
            if found:
                yield found
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise YamlSyntaxError(f"{where}{error.problem or error.context}") from None
    except (YAMLError, ValueError, AssertionError, IndexError, AttributeError, TypeError) as error:
        raise YamlSyntaxError(" ".join(str(error).split())[:200]) from None


def _event(event: Any) -> Event | None:
    kind = _KINDS.get(type(event).__name__)
    if kind is None:
        return None
    line = event.start_mark.line + 1
    tag = str(getattr(event, "tag", None) or "")
    anchor = str(getattr(event, "anchor", None) or "")
    if kind != "scalar":
        return Event(kind, line, anchor, tag)
    return Event(kind, line, anchor, tag, event.value, is_plain=event.style is None or event.style == "")


_KINDS: dict[str, Any] = {
    "DocumentStartEvent": "document",
    "AliasEvent": "alias",
    "ScalarEvent": "scalar",
    "SequenceStartEvent": "sequence",
    "MappingStartEvent": "mapping",
    "SequenceEndEvent": "end",
    "MappingEndEvent": "end",
}
