"""Calls as HTTP requests."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

from mediakit.core.called_tool import CalledTool
from mediakit.core.server_address import address
from mediakit.core.snippets.bodies import JSON, Body, json_with_names, raw_body
from mediakit.core.snippets.call import Call

KEY = "$MEDIAKIT_API_KEY"


def http(tool: CalledTool, values: Mapping[str, Any], base_url: str | None = None, key: str = KEY) -> str:
    """Return a call as an HTTP request.

    `@page.html` stands for the content of that file, in JSON for its base64.
    """
    call = Call(tool, values)
    body = raw_body(call) or Body({}, JSON, json.dumps(json_with_names(call), ensure_ascii=False))
    server = urlsplit(address(base_url)[0])
    path = f"{server.path}{tool.path}{'?' if body.query else ''}{urlencode(body.query)}"
    head = (
        f"POST {path} HTTP/1.1",
        f"host: {server.netloc}",
        f"x-api-key: {key}",
        f"content-type: {body.media_type}",
    )
    content = body.content if isinstance(body.content, str) else f"@{body.content}"
    return "\n".join((*head, "", content))
