"""Where a server in a kernel is reached from the reader's browser, when that runs on another machine."""

import json
import os
from importlib.util import find_spec
from pathlib import Path


def proxied(port: int) -> str | None:
    """Give the address of a local port behind the notebook's own server, None where there is no such way.

    JupyterHub and Binder say where the notebook lives, other Jupyter servers note it in a file; both need
    jupyter-server-proxy. Code servers name their own way in `VSCODE_PROXY_URI`.
    """
    if template := os.environ.get("VSCODE_PROXY_URI"):
        return template.replace("{{port}}", str(port)).rstrip("/")
    hub = os.environ.get("JUPYTERHUB_SERVICE_PREFIX")
    base = hub or (_base_url() if find_spec("jupyter_server_proxy") else None)
    return f"{base.rstrip('/')}/proxy/{port}" if base else None


def _base_url() -> str | None:
    """Read the base path that the Jupyter server of this kernel noted."""
    try:
        from jupyter_core.paths import jupyter_runtime_dir

        note = Path(jupyter_runtime_dir()) / f"jpserver-{os.environ['JPY_PARENT_PID']}.json"
        return str(json.loads(note.read_text("utf-8"))["base_url"])
    except (ImportError, KeyError, OSError, ValueError):
        return None
