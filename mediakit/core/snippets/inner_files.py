"""Files within an object, such as the logo in the data of a template: the request contains them as data: URIs."""

import shlex
from pathlib import PurePath
from typing import Any

from mediakit.core.media import type_of


def contains_files(value: Any) -> bool:
    """Return whether an object contains paths of files."""
    return isinstance(value, dict) and any(isinstance(item, PurePath) for item in value.values())


def uri_start(path: PurePath) -> str:
    """Return the beginning of a file's data: URI, before its base64."""
    return f"data:{type_of(path) or 'application/octet-stream'};base64,"


def uri_in_shell(path: PurePath) -> str:
    """Return a data: URI for text between double quotes of a POSIX shell, whose command reads the file."""
    return f"{uri_start(path)}$(base64 < {shlex.quote(str(path))} | tr -d '\\n')"
