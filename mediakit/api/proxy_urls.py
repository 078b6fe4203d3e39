"""URLs of local ports behind a notebook proxy: JupyterHub, Binder, code-server, GitHub Codespaces, Colab."""

import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mediakit.installation import install_command

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


def proxy_url(port: int) -> str | None:
    """Return the URL at which the user's browser reaches a local port, without a trailing slash; None without a proxy.

    JupyterHub and Binder set the base URL in the environment, other Jupyter servers write it to a file; both need
    jupyter-server-proxy. code-server sets `VSCODE_PROXY_URI`, and GitHub Codespaces have a domain for each port.
    """
    if template := os.environ.get("VSCODE_PROXY_URI"):
        return template.replace("{{port}}", str(port)).rstrip("/")
    if codespace := os.environ.get("CODESPACE_NAME"):
        domain = os.environ.get("GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN", "app.github.dev")
        return f"https://{codespace}-{port}.{domain}"
    base = _jupyter_base_url()
    return f"{base.rstrip('/')}/proxy/{port}" if base and has_server_proxy() else None


def proxy_hosts(port: int) -> frozenset[str] | None:
    """Return the host names for which a notebook proxy passes on requests to a port; None if it can be any name.

    Such a proxy connects over loopback, with the `Host` header of the user's browser. A hub and Colab have any name.
    """
    if "google.colab" in sys.modules or os.environ.get("JUPYTERHUB_SERVICE_PREFIX"):
        return None
    if os.environ.get("VSCODE_PROXY_URI") or os.environ.get("CODESPACE_NAME"):
        host = urlsplit(proxy_url(port) or "").hostname
        return frozenset([host]) if host else None  # code-server's URL can be relative
    jupyter = str(_jupyter_server().get("hostname", "localhost"))
    return frozenset() if jupyter in LOOPBACK_NAMES else None


def proxy_setup_command(port: int) -> str:
    """Return the code to run in a cell so that the browser can reach a port; an empty text if no code is needed.

    Only Colab and a JupyterHub without jupyter-server-proxy need it.
    """
    if "google.colab" in sys.modules:
        return f"from google.colab import output; output.serve_kernel_port_as_window({port})"
    if os.environ.get("JUPYTERHUB_SERVICE_PREFIX") and not has_server_proxy():
        return f"!{install_command('jupyter-server-proxy', python=server_python())}"
    return ""


def server_python() -> Path:
    """Return the path of the Jupyter server's Python; if it is unknown, the path of the kernel's Python."""
    import psutil

    try:
        arguments = psutil.Process(int(os.environ["JPY_PARENT_PID"])).cmdline()
    except (KeyError, ValueError, psutil.Error):
        return Path(sys.executable)
    executable = Path(arguments[0]) if arguments else Path(sys.executable)
    return executable if executable.is_absolute() and "python" in executable.name else Path(sys.executable)


def has_server_proxy() -> bool:
    """Return whether the Jupyter server, which may use another Python, has jupyter-server-proxy."""
    prefix = server_python().parent.parent
    if prefix == Path(sys.executable).parent.parent:
        return find_spec("jupyter_server_proxy") is not None
    libraries = ("lib/python3*/*-packages", "Lib/site-packages")
    return any(any(prefix.glob(f"{library}/jupyter_server_proxy")) for library in libraries)


def _jupyter_base_url() -> str | None:
    """Return the base URL from JupyterHub's variables, or from the file of the running Jupyter server."""
    if hub := os.environ.get("JUPYTERHUB_PUBLIC_URL") or os.environ.get("JUPYTERHUB_SERVICE_PREFIX"):
        return hub
    base = _jupyter_server().get("base_url")
    return None if base is None else str(base)


def _jupyter_server() -> dict[str, Any]:
    """Return the description of the Jupyter server that runs this kernel; empty without one."""
    try:
        from jupyter_core.paths import jupyter_runtime_dir

        server_file = Path(jupyter_runtime_dir()) / f"jpserver-{os.environ['JPY_PARENT_PID']}.json"
        return dict(json.loads(server_file.read_text("utf-8")))
    except (ImportError, KeyError, OSError, ValueError):
        return {}
