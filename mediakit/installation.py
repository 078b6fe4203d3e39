"""The installed version of mediakit, how it was installed, and the commands that install more of it.

The distribution is `mediakit-notebook`: the name `mediakit` on the package index belongs to another project. How it was
installed is in its `direct_url.json` (PEP 610), which an installation from a package index does not have.
"""

import json
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import distribution, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mediakit.errors import MissingPackage

DISTRIBUTION = "mediakit-notebook"

__version__ = version(DISTRIBUTION)


def site_folder() -> Path | None:
    """Return the folder of the documentation site: that of the package, or what `make docs` built in a checkout."""
    package = Path(__file__).parent
    places = (package / "site", package.parent / "docs/_build/html")
    return next((place for place in places if (place / "docs/index.html").is_file()), None)


@contextmanager
def required(what: str, package: str, *, module: str = "", extra: str = "") -> Iterator[None]:
    """Name the missing package, and the command that installs it, if an import in the block fails.

    Args:
        what: The field, or the part of mediakit, that requires the package.
        package: Name of the package.
        module: Its module, if the name is another one.
        extra: The extra of mediakit that contains the package; without one, only the package is installed.

    Raises:
        MissingPackage: The package is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != (module or package.lower()):
            raise
        command = install_command(*(() if extra else (package.lower(),)), extra=extra)
        raise MissingPackage(f"{what} requires {package}, which is not installed.", command=command) from error


def install_command(*packages: str, extra: str = "", python: Path | None = None) -> str:
    """Return the command that installs packages, and what an extra of mediakit needs.

    A checkout is installed again, with the extra. In other installations pip keeps mediakit as it is, because the
    requirement has no version and no URL.

    Args:
        packages: Names of packages. Dependencies of mediakit are installed in the versions that it supports.
        extra: Name of the extra.
        python: The Python to install into; the running one by default.
    """
    from packaging.requirements import Requirement

    declared = {each.name: f"{each.name}{each.specifier}" for each in map(Requirement, requires(DISTRIBUTION) or ())}
    own = (_editable(f"[{extra}]") or [f"{DISTRIBUTION}[{extra}]"]) if extra else []
    return _pip(*own, *(declared.get(package, package) for package in packages), python=python)


def update_command() -> str:
    """Return the command that installs a newer version of mediakit from where this one came from."""
    if own := _editable():
        return f"{_command('git', '-C', own[1], 'pull')} && {_pip(*own)}"
    return _pip("-U", _requirement())


def client_command() -> str:
    """Return the command that installs mediakit on another machine; a comment if it came from a local file."""
    url = _origin().get("url", "")
    is_local = url.startswith("file:")
    return f"# requires {DISTRIBUTION} {__version__}" if is_local else _command("pip", "install", _requirement())


def _origin() -> dict[str, Any]:
    """Return where mediakit was installed from (PEP 610); an empty dictionary if that is a package index."""
    origin: dict[str, Any] = json.loads(distribution(DISTRIBUTION).read_text("direct_url.json") or "{}")
    return origin


def _editable(extras: str = "") -> list[str]:
    """Return the arguments that install an editable checkout again; an empty list for other installations."""
    origin = _origin()
    if not origin.get("dir_info", {}).get("editable"):
        return []
    from urllib.request import url2pathname

    folder = Path(url2pathname(urlsplit(origin["url"]).path))
    return ["-e", f"{'.' if folder == Path.cwd() else folder}{extras}"]


def _requirement() -> str:
    origin = _origin()
    if not origin:
        return DISTRIBUTION
    vcs = origin.get("vcs_info", {})
    scheme = f"{vcs['vcs']}+" if vcs else ""
    revision = f"@{vcs['requested_revision']}" if "requested_revision" in vcs else ""
    return f"{DISTRIBUTION} @ {scheme}{origin['url']}{revision}"


def _pip(*arguments: str, python: Path | None = None) -> str:
    """Return a call of the pip of a Python: `pip` if that is the one that a shell finds, and uv if there is none."""
    pip = [str(python or sys.executable), "-m", "pip"]
    if not python and Path(shutil.which("pip") or "").parent == Path(sys.executable).parent:
        pip = ["pip"]
    elif not python and not find_spec("pip"):
        pip, arguments = ["uv", "pip"], ("--python", sys.executable, *arguments)
    return _command(*pip, "install", *arguments)


def _command(*words: str) -> str:
    if os.name != "nt":
        return shlex.join(words)
    from subprocess import list2cmdline

    return list2cmdline(words)
