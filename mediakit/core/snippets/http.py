"""Calls as curl commands and HTTP requests."""

import json
import shlex
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

from mediakit.core.snippets.bodies import (
    HERE_DOCUMENT,
    json_body,
    json_with_commands,
    json_with_names,
    multipart_body,
    raw_body,
)
from mediakit.core.snippets.call import Call
from mediakit.core.tool import Tool

DEFAULT_URL = "http://127.0.0.1:8000"


KEY = "$MEDIAKIT_API_KEY"


def curl(tool: Tool[..., Any], values: Mapping[str, Any], base_url: str = DEFAULT_URL, key: str = KEY) -> str:
    """Return a call as a curl command for a POSIX shell.

    Args:
        tool: The tool to call.
        values: Values by field name or alias.
        base_url: Address of the server.
        key: The text between double quotes that stands for the API key: a variable, never a real key.
    """
    call = Call(tool, values)
    body = multipart_body(call) or raw_body(call) or json_body(call)
    url = f"{base_url.rstrip('/')}{tool.path}{'?' if body.query else ''}{urlencode(body.query)}"
    words = [
        f"curl {shlex.quote(url)}",
        f'-H "x-api-key: {key}"',
        *([f"-H {shlex.quote(f'content-type: {body.media_type}')}"] if body.media_type else []),
        *body.options,
        *([] if tool.result.is_data else [f"-o {call.filename}"]),
    ]
    line = " \\\n  ".join(words)
    return f"{line} <<END\n{json_with_commands(call)}\nEND" if HERE_DOCUMENT in body.options else line


def http(tool: Tool[..., Any], values: Mapping[str, Any], base_url: str = DEFAULT_URL, key: str = KEY) -> str:
    """Return a call as an HTTP request.

    `@page.html` stands for the content of that file, in JSON for its base64.
    """
    call = Call(tool, values)
    body = raw_body(call) or json_body(call)
    address = urlsplit(base_url)
    path = f"{address.path.rstrip('/')}{tool.path}{'?' if body.query else ''}{urlencode(body.query)}"
    head = (
        f"POST {path} HTTP/1.1",
        f"host: {address.netloc}",
        f"x-api-key: {key}",
        f"content-type: {body.media_type}",
    )
    content = (
        json.dumps(json_with_names(call), ensure_ascii=False)
        if HERE_DOCUMENT in body.options
        else shlex.split(body.options[0])[1]
    )
    return "\n".join((*head, "", content))
