"""Notebooks for tests."""

import base64
import json
from typing import Any

import mediakit
from mediakit.results.files import FileResult
from mediakit.samples import LOGO

PNG = base64.b64encode(LOGO.read_bytes()).decode()


def book(*cells: Any, **metadata: Any) -> dict[str, Any]:
    """Return a notebook of nbformat 4."""
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": list(cells)}


def markdown(source: str, *tags: str, **more: Any) -> dict[str, Any]:
    """Return a Markdown cell."""
    return {"cell_type": "markdown", "source": source, "metadata": {"tags": list(tags)}, **more}


def code(source: str, *outputs: Any, tags: tuple[str, ...] = (), count: int | None = 1) -> dict[str, Any]:
    """Return a code cell."""
    metadata = {"tags": list(tags)}
    return {
        "cell_type": "code",
        "source": source,
        "outputs": list(outputs),
        "execution_count": count,
        "metadata": metadata,
    }


def shown(**forms: Any) -> dict[str, Any]:
    """Return an output by its media types, with underscores for slashes: `text_html` is `text/html`."""
    data = {name.replace("_", "/", 1).replace("svgxml", "svg+xml"): value for name, value in forms.items()}
    return {"output_type": "display_data", "data": data, "metadata": {}}


def stream(text: str, name: str = "stdout") -> dict[str, Any]:
    """Return a part of a stream."""
    return {"output_type": "stream", "name": name, "text": text}


def converted(*cells: Any, to: str = "html", **options: Any) -> FileResult:
    """Return the result for a notebook with these cells."""
    result = mediakit.notebook_convert(json.dumps(book(*cells)).encode(), to=to, **options)  # type: ignore[call-overload]
    assert isinstance(result, FileResult)
    return result
