"""Reads the outputs of code cells of nbformat 3 and 4."""

from collections.abc import Iterable, Mapping
from typing import Any

from mediakit.engines.notebooks.model import Output
from mediakit.engines.notebooks.values import count_of, mapping_of, text_of, word_of

OLD_NAMES: Mapping[str, str] = {
    "text": "text/plain",
    "html": "text/html",
    "svg": "image/svg+xml",
    "png": "image/png",
    "jpeg": "image/jpeg",
    "latex": "text/latex",
    "json": "application/json",
    "javascript": "application/javascript",
    "pdf": "application/pdf",
}
"""Media types by their names in nbformat 3."""

RESULTS = ("execute_result", "pyout")
ERRORS = ("error", "pyerr")


def read_outputs(outputs: Iterable[Mapping[str, Any]]) -> list[Output]:
    """Return the outputs of a cell. Parts of one stream that follow each other are joined."""
    read: list[Output] = []
    for raw in outputs:
        output = _read(raw)
        if output is None:
            continue
        if output.kind == "stream" and read and (read[-1].kind, read[-1].name) == ("stream", output.name):
            read[-1] = Output("stream", output.name, read[-1].text + output.text)
        else:
            read.append(output)
    return read


def _read(raw: Mapping[str, Any]) -> Output | None:
    kind = raw.get("output_type")
    if kind == "stream":
        name = word_of(raw.get("name")) or word_of(raw.get("stream")) or "stdout"
        text = text_of(raw.get("text"))
        return Output("stream", name, text) if text else None
    if kind in ERRORS:
        return _read_error(raw)
    data = _forms(raw)
    if not data:
        return None
    count = count_of(raw.get("execution_count", raw.get("prompt_number")))
    return Output("data", data=data, metadata=mapping_of(raw.get("metadata")), is_result=kind in RESULTS, count=count)


def _read_error(raw: Mapping[str, Any]) -> Output:
    name, value = word_of(raw.get("ename")), text_of(raw.get("evalue"))
    lines = raw.get("traceback")
    traceback = "\n".join(line for line in lines if isinstance(line, str)) if isinstance(lines, list) else ""
    return Output("error", name, traceback or ": ".join(filter(None, (name, value))))


def _forms(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the forms of a value by media type."""
    named = mapping_of(raw.get("data"))
    if not named:
        named = {OLD_NAMES[name]: value for name, value in raw.items() if name in OLD_NAMES}
    return {media: _value(media, value) for media, value in named.items() if value is not None}


def _value(media: str, value: Any) -> Any:
    """Return a text, or the value of a JSON type as it is."""
    is_json = media == "application/json" or media.endswith("+json")
    return value if is_json else text_of(value)
