"""Set a checkout up with nothing but Python: `python3 mediakit/bootstrap.py` makes `.venv` and installs into it.

Only the standard library is imported, and the system's Python is left as it is. Each step has a ladder of ways, the
best first; a way that fails says why and the next one is tried. A run that finds the work done changes nothing, and one
that finds it broken (interrupted, moved, made by a Python that has gone) begins again.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib.util
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / "python"
STAMP = VENV / "mediakit-installed"
LOG = VENV / "setup.log"
WANTED = ".[all,dev]"
OLDEST = (3, 11)

MEND_ENVIRONMENT = "Install Python's venv and pip (Debian: sudo apt install python3-venv) and run the command again."
MEND_PACKAGES = f"Mend that and run the command again; {LOG.relative_to(ROOT)} has the whole output."
MEND_NETWORK = "Check the network, HTTPS_PROXY and PIP_INDEX_URL, and run the command again."

OFFLINE = "the package index cannot be reached"
OFFLINE_SIGNS = re.compile(
    r"name resolution|Name or service not known|nodename nor servname|Network is unreachable|Connection refused"
    r"|Could not resolve|NewConnectionError|dns error|timed out",
)
REASON_SIGNS = re.compile(r"^\s*(?:ERROR|E|error|[Cc]ause|Caused by): ")

PIP_TO_UV = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
}
"""What pip is told in pip.conf, and the variable that tells uv the same."""


class StepError(Exception):
    """A way of doing a step did not work; its text says why."""


class UnavailableError(StepError):
    """A way that this machine was not expected to have; nobody needs to hear of it while another works."""


def main() -> None:
    """Make the environment and install into it, as far as that is not done."""
    try:
        _set_up()
    except KeyboardInterrupt:
        sys.exit("\nStopped; the same command begins again.")
    except OSError as error:
        sys.exit(f"Setting up stopped: {error.strerror}: {error.filename}")


def _set_up() -> None:
    if sys.version_info < OLDEST:
        sys.exit(
            f"mediakit needs Python {'.'.join(map(str, OLDEST))} or newer; this is {sys.version.split()[0]}. "
            "Name a newer one: make PYTHON=python3.13 ..."
        )
    with _alone():
        wanted = _fingerprint()
        usable = _is_usable()
        if usable and STAMP.exists() and STAMP.read_text() == wanted:
            say("Environment", ".venv is up to date")
            return
        if not usable:
            _clear()
            _first_that_works("Environment", MEND_ENVIRONMENT, ENVIRONMENTS)
        STAMP.write_text("unfinished\n")
        _first_that_works("Packages", MEND_PACKAGES, INSTALLERS)
        STAMP.write_text(wanted)


def say(step: str, outcome: str) -> None:
    """Print a step's line."""
    print(f"  {step:<18} {outcome}", flush=True)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Wait for another run in this checkout; two would clear each other's work away."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _fingerprint() -> str:
    """Change when the checkout is moved or asks for other packages; the settings of its linters do not matter."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = json.dumps([WANTED, project["build-system"], project["project"]], sort_keys=True)
    return f"{ROOT}\n{hashlib.sha256(wanted.encode()).hexdigest()}\n"


def _is_usable() -> bool:
    """Say whether .venv stands where it was made, is finished, and has the Python it was made with.

    One made by hand has no stamp, and is installed into as it is.
    """
    if STAMP.exists() and STAMP.read_text().partition("\n")[0] != str(ROOT):
        return False
    look = f"import os, sys, sysconfig as s; sys.exit(sys.version_info < {OLDEST} or not os.path.isdir(s.get_path('purelib')))"
    try:
        return subprocess.run([PYTHON, "-I", "-c", look], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def _clear() -> None:
    if VENV.is_symlink():
        VENV.unlink()
    elif VENV.exists():
        shutil.rmtree(VENV)
    VENV.mkdir()
    STAMP.write_text("unfinished\n")


def _first_that_works(step: str, mend: str, ways: Sequence[Callable[[str], str]]) -> None:
    reasons: list[str] = []
    for way in ways:
        began = time.monotonic()
        try:
            outcome = way(step)
        except StepError as error:
            reasons.append(str(error))
            if way is not ways[-1] and not isinstance(error, UnavailableError):
                say(step, f"{error}; trying another way")
        else:
            say(step, f"{outcome} in {time.monotonic() - began:.0f} s")
            return
    listed = "".join(f"\n    - {reason}" for reason in reasons)
    offline = any(reason.endswith(OFFLINE) for reason in reasons)
    sys.exit(f"  {step:<18} failed:{listed}\n{MEND_NETWORK if offline else mend}")


def _with_venv(step: str) -> str:
    if not importlib.util.find_spec("ensurepip"):
        raise UnavailableError("venv: this Python has no ensurepip (Debian's package python3-venv)")
    _run(step, [_base_python(), "-m", "venv", VENV])
    return "made with venv"


def _with_system_pip(step: str) -> str:
    """Debian's Python without python3-venv makes environments without pip; the system's pip can bring one in."""
    if not importlib.util.find_spec("pip"):
        raise UnavailableError("pip: this Python has none")
    _run(step, [_base_python(), "-m", "venv", "--without-pip", VENV])
    _run(step, [_base_python(), "-m", "pip", "--python", PYTHON, "install", "pip"])
    return "made with venv and the system's pip"


def _with_uv(step: str) -> str:
    uv = shutil.which("uv")
    if not uv:
        raise UnavailableError("uv: not on this machine")
    _run(step, [uv, "venv", "--allow-existing", "--seed", "--python", _base_python(), VENV])
    return "made with uv"


def _with_pip_of_pypi(step: str) -> str:
    """A wheel of pip can run itself, so it can install itself."""
    _run(step, [_base_python(), "-m", "venv", "--without-pip", VENV])
    with tempfile.TemporaryDirectory() as folder:
        wheel = _download_pip(Path(folder))
        _run(step, [PYTHON, wheel / "pip", "install", "--no-index", wheel])
    return "made with venv and PyPI's pip"


def _download_pip(folder: Path) -> Path:
    try:
        with urllib.request.urlopen("https://pypi.org/pypi/pip/json", timeout=30) as answer:
            release = next(file for file in json.load(answer)["urls"] if file["filename"].endswith(".whl"))
        if not release["url"].startswith("https://"):
            raise StepError("pypi.org: pip's address is not https")
        with urllib.request.urlopen(release["url"], timeout=60) as answer:  # noqa: S310  # https, see above
            content: bytes = answer.read()
    except OSError as error:
        raise StepError(f"pypi.org: {getattr(error, 'reason', error)}") from error
    if hashlib.sha256(content).hexdigest() != release["digests"]["sha256"]:
        raise StepError("pypi.org: pip arrived damaged")
    wheel = folder / Path(release["filename"]).name
    wheel.write_bytes(content)
    return wheel


def _with_debian(step: str) -> str:
    if not shutil.which("apt-get") or os.geteuid() != 0:
        raise UnavailableError("apt-get: for root on Debian only")
    apt = ["apt-get", "-y", "-q", "-o", "DPkg::Lock::Timeout=60"]
    _run(step, [*apt, "update"])
    _run(step, [*apt, "install", "--no-install-recommends", "python3-venv", "ca-certificates"])
    _run(step, [_base_python(), "-m", "venv", VENV])
    return "made with venv, after apt-get install python3-venv"


def _install_with_uv(step: str) -> str:
    """Five times as fast as pip, so worth fetching."""
    uv: str | Path | None = shutil.which("uv")
    if not uv:
        uv = BIN / "uv"
        _run(step, [PYTHON, "-m", "pip", "install", "--retries", "2", "uv"])
    _run(step, [uv, "pip", "install", "--python", PYTHON, "--editable", WANTED], _uv_settings())
    return "installed with uv"


def _install_with_pip(step: str) -> str:
    _run(step, [PYTHON, "-m", "pip", "install", "--retries", "2", "--editable", WANTED])
    return "installed with pip"


ENVIRONMENTS = (_with_venv, _with_system_pip, _with_uv, _with_pip_of_pypi, _with_debian)
INSTALLERS = (_install_with_uv, _install_with_pip)


def _uv_settings() -> dict[str, str]:
    """Tell uv what pip is told: it reads no pip.conf, and by default not the system's certificates."""
    told = {"UV_INDEX_STRATEGY": "unsafe-best-match"}  # as pip does with several indexes
    if os.path.exists(ssl.get_default_verify_paths().openssl_cafile):
        told["UV_SYSTEM_CERTS"] = told["UV_NATIVE_TLS"] = "true"
    listing = subprocess.run([PYTHON, "-m", "pip", "config", "list"], check=False, capture_output=True, text=True)
    for line in listing.stdout.splitlines():  # variables come first, and count more than files
        name, _, value = line.partition("=")
        if variable := PIP_TO_UV.get(name.rpartition(".")[2]):
            separator = "," if variable == "UV_FIND_LINKS" else " "
            told.setdefault(variable, separator.join(str(ast.literal_eval(value)).split()))
    return told | {name: value for name, value in os.environ.items() if name in told}


def _base_python() -> str:
    """Give the Python that an activated environment, which may be the broken .venv itself, was made from."""
    if sys.prefix == sys.base_prefix:
        return sys.executable
    name = "python" if os.name == "nt" else f"python{sys.version_info.major}.{sys.version_info.minor}"
    folders = os.pathsep.join([sys.base_prefix, os.path.join(sys.base_prefix, "bin")])
    return shutil.which(name, path=folders) or sys.executable


def _run(step: str, command: Sequence[str | Path], settings: Mapping[str, str] | None = None) -> None:
    """Run a command with signs of life; its output goes to the log.

    Raises:
        StepError: It failed; the text is its own reason, in one line.
    """
    environ = (
        os.environ | {"PIP_USER": "0", "PIP_NO_INPUT": "1", "DEBIAN_FRONTEND": "noninteractive"} | (settings or {})
    )
    for name in ("PYTHONHOME", "PYTHONPATH", "PIP_REQUIRE_VIRTUALENV"):
        environ.pop(name, None)
    name = _name(command)
    with LOG.open("w+", encoding="utf-8", errors="replace") as log:
        try:
            process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=log, stderr=subprocess.STDOUT)
        except OSError as error:
            raise StepError(f"{name}: {error.strerror}") from error
        with process:
            _wait(step, process)
        if process.returncode:
            log.seek(0)
            raise StepError(f"{name}: {_reason(log.read())}")
