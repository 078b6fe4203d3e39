"""Where a server in a kernel is reached from the reader's browser, when that runs on another machine."""

import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path


def proxied(port: int) -> str | None:
    """Give the address of a local port on the reader's side, without a final slash; None where there is no such way.

    JupyterHub and Binder say where the notebook lives, other Jupyter servers note it in a file; both need
    jupyter-server-proxy. Code servers name their own way in `VSCODE_PROXY_URI`, GitHub's Codespaces theirs.
    """
    if template := os.environ.get("VSCODE_PROXY_URI"):
        return template.replace("{{port}}", str(port)).rstrip("/")
    if space := os.environ.get("CODESPACE_NAME"):
        domain = os.environ.get("GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN", "app.github.dev")
        return f"https://{space}-{port}.{domain}"
    base = _base_url()
    return f"{base.rstrip('/')}/proxy/{port}" if base and has_proxy() else None


def out_of_reach(port: int) -> str:
    """Say what is missing where a notebook lives behind a hub, or in Colab, that has no way to a port as it is."""
    if "google.colab" in sys.modules:
        return f"from google.colab import output; output.serve_kernel_port_as_window({port})"
    if os.environ.get("JUPYTERHUB_SERVICE_PREFIX") and not has_proxy():
        return f"!{server_python()} -m pip install jupyter-server-proxy"
    return ""


def server_python() -> Path:
    """Give the Python of the Jupyter server that started this kernel, or this one."""
    import psutil

    try:
        words = psutil.Process(int(os.environ["JPY_PARENT_PID"])).cmdline()
    except (KeyError, ValueError, psutil.Error):
        return Path(sys.executable)
    first = Path(words[0]) if words else Path(sys.executable)
    return first if first.is_absolute() and "python" in first.name else Path(sys.executable)


def has_proxy() -> bool:
    """Tell whether the Jupyter server has jupyter-server-proxy; in a kernel that may be another Python's."""
    prefix = server_python().parent.parent
    if prefix == Path(sys.executable).parent.parent:
        return find_spec("jupyter_server_proxy") is not None
    libraries = ("lib/python3*/*-packages", "Lib/site-packages")
    return any(any(prefix.glob(f"{library}/jupyter_server_proxy")) for library in libraries)


def _base_url() -> str | None:
    """Read where the Jupyter server lives: as the hub says, or from the note that the server wrote."""
    if hub := os.environ.get("JUPYTERHUB_PUBLIC_URL") or os.environ.get("JUPYTERHUB_SERVICE_PREFIX"):
        return hub
    try:
        from jupyter_core.paths import jupyter_runtime_dir

        note = Path(jupyter_runtime_dir()) / f"jpserver-{os.environ['JPY_PARENT_PID']}.json"
        return str(json.loads(note.read_text("utf-8"))["base_url"])
    except (ImportError, KeyError, OSError, ValueError):
        return None
