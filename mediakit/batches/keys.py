"""Keys of calls: equal keys mean equal files, so that a second run makes only what changed."""

import hashlib
import json
import uuid
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePath
from typing import Any

from mediakit.core.tool import Tool
from mediakit.engines.templates import TEMPLATES
from mediakit.engines.templates.registry import BUNDLED
from mediakit.installation import __version__
from mediakit.results.result import Result


class Keys:
    """Makes the keys of the calls of a tool from their values, the content of their files, and the versions.

    Args:
        tool: The tool.
    """

    def __init__(self, tool: Tool[..., Any]) -> None:
        self._prefix = f"{tool.name} {__version__}".encode()
        self._files = frozenset(tool.file_fields)
        self._template = cache(_template_digest)

    def key(self, values: Mapping[str, Any]) -> str:
        """Return the key of a call, 32 hexadecimal digits."""
        digest = hashlib.blake2b(self._prefix, digest_size=16)
        written = {name: _named_file(value) if name in self._files else value for name, value in values.items()}
        digest.update(json.dumps(written, sort_keys=True, default=_written).encode())
        template = values.get("template")
        if isinstance(template, str) and template in TEMPLATES and template not in BUNDLED:
            digest.update(self._template(TEMPLATES[template].folder))
        return digest.hexdigest()


def idempotency_key(location: str, name: str, key: str) -> str:
    """Return the key of a call to a server, which is the same if an interrupted batch is run again."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{location}\n{name}\n{key}"))


def _named_file(value: Any) -> Any:
    """Return a path for a text that names a file, as calls of tools understand it."""
    if isinstance(value, list | tuple):
        return [_named_file(item) for item in value]
    return Path(value) if isinstance(value, str) else value


def _written(value: Any) -> str:
    """Return a text for a value that JSON does not have; for a file, the checksum of its content."""
    if isinstance(value, Result):
        value = value.file
    if isinstance(value, PurePath):
        try:
            value = Path(value).read_bytes()
        except OSError:
            return str(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return hashlib.blake2b(value, digest_size=16).hexdigest()
    return f"{type(value).__name__} {value!r}"


def _template_digest(folder: Path) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()
