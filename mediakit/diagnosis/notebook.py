"""The ports of servers, and whether JupyterLab shows the widgets of this kernel."""

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
"""Where `mediakit serve` answers when not told otherwise."""

MANAGER = Path("share/jupyter/labextensions/@jupyter-widgets/jupyterlab-manager/package.json")
MANAGER_OF_IPYWIDGETS_8 = 5
"""ipywidgets 8 speaks with major version 5 of the JupyterLab extension, and with no older one."""


def ports(_settings: Settings) -> Iterator[Finding]:
    """Try the port that the shell's server takes."""
    from mediakit.server import listen

    try:
        listen("127.0.0.1", SHELL_PORT).close()
    except InvalidInput:
        free = listen("127.0.0.1", 0)
        other = free.getsockname()[1]
        free.close()
        taken = f"{SHELL_PORT} is taken by another program"
        yield Finding("Port", taken, f"mediakit serve --port {other}", minor=True)
    else:
        yield Finding("Port", f"{SHELL_PORT} is free")


def proxy(_settings: Settings) -> Iterator[Finding]:
    """Say whether a browser reaches a server in this kernel, where the notebook lives behind a hub."""
    if way := proxy_url(NOTEBOOK_PORT):
        yield Finding("Proxy", f"a server in a kernel is reached at {way.replace(str(NOTEBOOK_PORT), 'PORT')}")
    elif missing := proxy_setup_command(NOTEBOOK_PORT):
        yield Finding("Proxy", "a server in a kernel is out of your browser's reach", missing, minor=True)


def widgets(_settings: Settings) -> Iterator[Finding]:
    """Compare this Python's widgets with those that its JupyterLab shows; in a kernel that may be another Python's."""
    server = server_python()
    prefix = server.parent.parent
    try:
        manager = _major(prefix)
    except OSError:
        if server == Path(sys.executable) and not _has_lab():
            yield Finding("JupyterLab", "not installed in this environment; forms need one that shows widgets")
            return
        yield Finding(
            "JupyterLab", f"{prefix} shows no widgets", f'{server} -m pip install "ipywidgets>=8"', minor=True
        )
        return
    if manager < MANAGER_OF_IPYWIDGETS_8:
        old = f"the widgets of {prefix} are older than those of this kernel"
        yield Finding("JupyterLab", old, f'{server} -m pip install -U "ipywidgets>=8"', minor=True)
    else:
        yield Finding("JupyterLab", f"shows the widgets of this kernel (ipywidgets {version('ipywidgets')})")


def _major(prefix: Path) -> int:
    return int(json.loads((prefix / MANAGER).read_text("utf-8"))["version"].partition(".")[0])


def _has_lab() -> bool:
    try:
        return bool(version("jupyterlab"))
    except PackageNotFoundError:
        return False
