"""Checks of the server ports, the notebook proxy, and the widgets of JupyterLab."""

import json
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from mediakit.api.proxy_urls import proxy_setup_command, proxy_url, server_python
from mediakit.diagnosis.finding import Finding
from mediakit.errors import InvalidInput
from mediakit.settings import Settings

NOTEBOOK_PORT = 8765
SHELL_PORT = 8000
"""Default port of `mediakit serve`."""

WIDGET_MANAGER = Path("share/jupyter/labextensions/@jupyter-widgets/jupyterlab-manager/package.json")
WIDGET_MANAGER_VERSION = 5
"""The major version of the JupyterLab extension that ipywidgets 8 requires."""


def ports(_settings: Settings) -> Iterator[Finding]:
    """Yield a finding on whether the default port of `mediakit serve` is free."""
    from mediakit.server import listen

    try:
        listen("127.0.0.1", SHELL_PORT).close()
    except InvalidInput:
        sock = listen("127.0.0.1", 0)
        free_port = sock.getsockname()[1]
        sock.close()
        outcome = f"{SHELL_PORT} is used by another program"
        yield Finding("Port", outcome, f"mediakit serve --port {free_port}", is_warning=True)
    else:
        yield Finding("Port", f"{SHELL_PORT} is free")


def proxy(_settings: Settings) -> Iterator[Finding]:
    """Yield a finding on whether the browser can reach a server in this kernel through a notebook proxy."""
    if url := proxy_url(NOTEBOOK_PORT):
        yield Finding("Proxy", f"servers in this kernel are available at {url.replace(str(NOTEBOOK_PORT), 'PORT')}")
    elif command := proxy_setup_command(NOTEBOOK_PORT):
        yield Finding("Proxy", "your browser cannot reach servers in this kernel", command, is_warning=True)


def widgets(_settings: Settings) -> Iterator[Finding]:
    """Yield a finding on whether JupyterLab, which may use another Python, can display the widgets of this kernel."""
    server = server_python()
    prefix = server.parent.parent
    try:
        installed = _major_version(prefix)
    except OSError:
        if server == Path(sys.executable) and not _has_lab():
            yield Finding("JupyterLab", "not installed in this environment; forms require it")
            return
        fix = f'{server} -m pip install "ipywidgets>=8"'
        yield Finding("JupyterLab", f"{prefix} has no widget extension", fix, is_warning=True)
        return
    if installed < WIDGET_MANAGER_VERSION:
        outcome = f"the widget extension of {prefix} is older than the widgets of this kernel"
        yield Finding("JupyterLab", outcome, f'{server} -m pip install -U "ipywidgets>=8"', is_warning=True)
    else:
        yield Finding("JupyterLab", f"displays the widgets of this kernel (ipywidgets {version('ipywidgets')})")


def _major_version(prefix: Path) -> int:
    return int(json.loads((prefix / WIDGET_MANAGER).read_text("utf-8"))["version"].partition(".")[0])


def _has_lab() -> bool:
    try:
        return bool(version("jupyterlab"))
    except PackageNotFoundError:
        return False
