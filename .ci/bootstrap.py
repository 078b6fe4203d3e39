"""Set up a checkout: `python3 .ci/bootstrap.py` creates `.venv` and installs the package into it.

The script uses only the standard library and does not change the system's Python. Each step has several methods, which
are tried in order until one works. An up-to-date environment is not changed. A broken environment is deleted and
created again: after an interrupted setup, after the checkout was moved, or if its Python was removed.
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
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / "python"
STAMP = VENV / "mediakit-installed"
LOG = VENV / "setup.log"
REQUIREMENT = ".[all,dev]"
MIN_PYTHON = (3, 11)

ENVIRONMENT_FIX = "Install Python's venv and pip (Debian: sudo apt install python3-venv) and run the command again."
PACKAGES_FIX = f"Fix the problem and run the command again. The complete output is in {LOG.relative_to(ROOT)}."
NETWORK_FIX = "Check the network, HTTPS_PROXY and PIP_INDEX_URL, and run the command again."

INDEX_UNREACHABLE = "the package index cannot be reached"
CERTIFICATE_UNTRUSTED = (
    "the certificate of the package index is not trusted (set PIP_CERT and SSL_CERT_FILE to trusted certificates)"
)
KNOWN_ERRORS = {
    r"CERTIFICATE_VERIFY_FAILED|invalid peer certificate": CERTIFICATE_UNTRUSTED,
    r"name resolution|Name or service not known|nodename nor servname|Network is unreachable|Connection refused"
    r"|Could not resolve|NewConnectionError|dns error|timed out": INDEX_UNREACHABLE,
}
"""Patterns of known causes in the output of a command, and the message to print for each.

The last line of the output often describes only a consequence.
"""
ERROR_LINE = re.compile(r"^\s*(?:ERROR|E|error|cause|Caused by): (.+)", re.MULTILINE)
IS_TERMINAL = sys.stdout.isatty()
CLEAR_LINE = "\r\033[K" if IS_TERMINAL else ""
PROGRESS_INTERVAL_SECONDS = 1 if IS_TERMINAL else 15

COMMAND_ENVIRONMENT = {"PIP_USER": "0", "PIP_RETRIES": "2", "PIP_NO_INPUT": "1", "DEBIAN_FRONTEND": "noninteractive"}
"""Environment variables of every command.

PIP_USER overrides `user = true` in pip.conf, which fails in a virtual environment. PIP_RETRIES reduces the number of
retries, because the default of five takes a minute without a network.
"""

PIP_TO_UV = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
}
"""Settings of pip.conf, with the equivalent environment variables of uv."""


class StepError(Exception):
    """A method of a step failed. The message is the reason."""


class UnavailableError(StepError):
    """A method is not available on this machine. The reason is printed only if all methods fail."""


def main() -> None:
    """Create the environment and install the package, unless both are up to date."""
    try:
        _set_up()
    except KeyboardInterrupt:
        sys.exit("\nStopped. Run the same command to start again.")
    except OSError as error:
        sys.exit(f"Setup failed: {error}")


def _set_up() -> None:
    if sys.version_info < MIN_PYTHON:
        sys.exit(
            f"Python: must be {'.'.join(map(str, MIN_PYTHON))} or newer, got {sys.version.split()[0]}. "
            "Select another Python: make PYTHON=python3.13 ..."
        )
    with _exclusive_lock():
        fingerprint = _fingerprint()
        usable = _is_usable()
        if usable and STAMP.exists() and STAMP.read_text() == fingerprint:
            _print_step("Environment", ".venv is up to date")
            return
        if usable:
            STAMP.unlink(missing_ok=True)  # after an interruption, the next run installs into the same environment
        else:
            _reset_environment()
            _run_first_working("Environment", ENVIRONMENT_FIX, ENVIRONMENTS)
        _run_first_working("Packages", PACKAGES_FIX, INSTALLERS)
        STAMP.write_text(fingerprint)


def _print_step(step: str, text: str, end: str = "\n") -> None:
    """Print the status line of a step. On a terminal, it replaces the progress line."""
    print(f"{CLEAR_LINE}  {step:<18} {text}", end=end, flush=True)


@contextlib.contextmanager
def _exclusive_lock() -> Iterator[None]:
    """Lock this checkout, and wait while another run has the lock. Concurrent runs would delete each other's files."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    descriptor = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _fingerprint() -> str:
    """Return a text that changes when the checkout is moved or its requirements change."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    requirements = json.dumps([REQUIREMENT, project["build-system"], project["project"]], sort_keys=True)
    return f"{ROOT}\n{hashlib.sha256(requirements.encode()).hexdigest()}\n"


def _is_usable() -> bool:
    """Return whether .venv is complete, has not been moved, and has a working Python.

    An environment without a stamp was created manually. It is not replaced.
    """
    if STAMP.exists() and STAMP.read_text().partition("\n")[0] != str(ROOT):
        return False
    code = "import sys, sysconfig; print(sys.version_info[:2], sysconfig.get_path('purelib'), sep='|')"
    version, _, packages = _output(PYTHON, "-I", "-c", code).strip().partition("|")
    return bool(version) and ast.literal_eval(version) >= MIN_PYTHON and Path(packages).is_dir()


def _output(*command: str | Path) -> str:
    """Return the output of a command, or an empty text if the command cannot be run."""
    try:
        return subprocess.run(command, check=False, capture_output=True, text=True).stdout
    except OSError:
        return ""


def _reset_environment() -> None:
    """Replace .venv with an empty directory that is marked as unfinished."""
    if VENV.is_symlink():
        VENV.unlink()
    elif VENV.exists():
        shutil.rmtree(VENV)
    VENV.mkdir()
    STAMP.write_text("unfinished\n")


def _run_first_working(step: str, fix: str, methods: Sequence[Callable[[str], str]]) -> None:
    """Run the methods of a step until one succeeds. If all fail, exit with the reasons and the fix."""
    reasons: list[str] = []
    for method in methods:
        started = time.monotonic()
        try:
            outcome = method(step)
        except StepError as error:
            reasons.append(str(error))
            if method is not methods[-1] and not isinstance(error, UnavailableError):
                _print_step(step, f"{error}; trying another method")
        else:
            _print_step(step, f"{outcome} in {time.monotonic() - started:.0f} s")
            return
    listed = "".join(f"\n    - {reason}" for reason in dict.fromkeys(reasons))
    offline = any(reason.endswith(INDEX_UNREACHABLE) for reason in reasons)
    sys.exit(f"  {step:<18} failed:{listed}\n{NETWORK_FIX if offline else fix}")


def _with_venv(step: str) -> str:
    if not importlib.util.find_spec("ensurepip"):
        raise UnavailableError("venv: this Python has no ensurepip (Debian package python3-venv)")
    _run(step, [_base_python(), "-m", "venv", VENV])
    return "created with venv"


def _with_system_pip(step: str) -> str:
    """Create an environment, and install pip with the system's pip.

    Debian's Python cannot install pip into an environment unless the package python3-venv is installed.
    """
    if not importlib.util.find_spec("pip"):
        raise UnavailableError("pip: is not installed for this Python")
    _run(step, [_base_python(), "-m", "venv", "--without-pip", VENV])
    _run(step, [_base_python(), "-m", "pip", "--python", PYTHON, "install", "pip"])
    return "created with venv and the system's pip"


def _with_pip_from_pypi(step: str) -> str:
    """Create an environment, and install pip from its wheel. The wheel can run without being installed."""
    _run(step, [_base_python(), "-m", "venv", "--without-pip", VENV])
    with tempfile.TemporaryDirectory() as folder:
        wheel = _download_pip(Path(folder))
        _run(step, [PYTHON, wheel / "pip", "install", "--no-index", wheel])
    return "created with venv and pip from PyPI"


def _download_pip(folder: Path) -> Path:
    """Download the newest wheel of pip, and return its path.

    The simple repository API (PEP 503) is used, because every mirror of PyPI supports it.
    """
    page = f"{os.environ.get('PIP_INDEX_URL', 'https://pypi.org/simple').rstrip('/')}/pip/"
    wheels = re.findall(r'href="([^"#]*?(pip-([\d.]+)-py3-none-any\.whl))#sha256=(\w+)"', _fetch(page).decode())
    if not wheels:
        raise StepError(f"{page}: does not list a wheel of pip")
    address, name, _, digest = max(wheels, key=lambda wheel: [int(part) for part in wheel[2].split(".")])
    content = _fetch(urljoin(page, address))
    if hashlib.sha256(content).hexdigest() != digest:
        raise StepError(f"{name}: SHA-256 digest does not match the package index")
    wheel = folder / str(name)
    wheel.write_bytes(content)
    return wheel


def _fetch(address: str) -> bytes:
    try:
        with urlopen(address, timeout=60) as response:  # noqa: S310  # the index that pip would use
            content: bytes = response.read()
    except (OSError, ValueError) as error:
        raise StepError(f"{urlsplit(address).hostname}: {getattr(error, 'reason', error)}") from error
    return content


def _with_apt(step: str) -> str:
    if not shutil.which("apt-get") or os.geteuid() != 0:
        raise UnavailableError("apt-get: requires root on Debian or Ubuntu")
    apt = ["apt-get", "-y", "-q", "-o", "DPkg::Lock::Timeout=60"]
    _run(step, [*apt, "update"])
    _run(step, [*apt, "install", "--no-install-recommends", "python3-venv"])
    _run(step, [_base_python(), "-m", "venv", VENV])
    return "created with venv, after apt-get install python3-venv"


def _install_with_uv(step: str) -> str:
    """Install the package with uv, which is five times as fast as pip. Install uv first if it is missing."""
    uv: str | Path | None = shutil.which("uv")
    if not uv:
        uv = BIN / "uv"
        _run(step, [PYTHON, "-m", "pip", "install", "uv"])
    _run(step, [uv, "pip", "install", "--python", PYTHON, "--editable", REQUIREMENT], _uv_settings())
    return "installed with uv"


def _install_with_pip(step: str) -> str:
    _run(step, [PYTHON, "-m", "pip", "install", "--editable", REQUIREMENT])
    return "installed with pip"


ENVIRONMENTS = (_with_venv, _with_system_pip, _with_pip_from_pypi, _with_apt)
INSTALLERS = (_install_with_uv, _install_with_pip)


def _uv_settings() -> dict[str, str]:
    """Return the settings of pip as environment variables of uv.

    By default, uv ignores pip.conf and the certificates of the system.
    """
    settings = {"UV_INDEX_STRATEGY": "unsafe-best-match"}  # the behavior of pip with several indexes
    system = ssl.get_default_verify_paths()
    if system.cafile or system.capath:
        settings["UV_SYSTEM_CERTS"] = settings["UV_NATIVE_TLS"] = "true"
    for line in _output(PYTHON, "-m", "pip", "config", "list").splitlines():  # lists variables before files
        name, _, value = line.partition("=")
        if variable := PIP_TO_UV.get(name.rpartition(".")[2]):
            separator = "," if variable == "UV_FIND_LINKS" else " "
            settings.setdefault(variable, separator.join(str(ast.literal_eval(value)).split()))
    return settings | {name: value for name, value in os.environ.items() if name in settings}


def _base_python() -> str:
    """Return the path of the Python outside of the active environment, which may be the broken .venv."""
    if sys.prefix == sys.base_prefix:
        return sys.executable
    name = "python" if os.name == "nt" else f"python{sys.version_info.major}.{sys.version_info.minor}"
    folders = f"{sys.base_prefix}{os.pathsep}{Path(sys.base_prefix, 'bin')}"
    return shutil.which(name, path=folders) or sys.executable


def _run(step: str, command: Sequence[str | Path], settings: dict[str, str] | None = None) -> None:
    """Run a command, print its progress, and write its output to `LOG`.

    Raises:
        StepError: The command failed. The message is the reason, in one line.
    """
    environ = os.environ | COMMAND_ENVIRONMENT | (settings or {})
    for name in ("PYTHONHOME", "PYTHONPATH"):
        environ.pop(name, None)
    program = _program(command)
    with LOG.open("w+", encoding="utf-8", errors="replace") as log:
        try:
            process = subprocess.Popen(
                command, cwd=ROOT, env=environ, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        except OSError as error:
            raise StepError(f"{program}: {error.strerror}") from error
        with process:
            _wait(step, process)
        if process.returncode:
            log.seek(0)
            raise StepError(f"{program}: {_reason(log.read())}")


def _wait(step: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until the process ends, and print the elapsed time every `PROGRESS_INTERVAL_SECONDS`."""
    started = time.monotonic()
    while True:
        try:
            process.wait(PROGRESS_INTERVAL_SECONDS)
        except subprocess.TimeoutExpired:
            _print_step(step, f"running for {time.monotonic() - started:.0f} s", end="" if IS_TERMINAL else "\n")
        else:
            return


def _program(command: Sequence[str | Path]) -> str:
    """Return the name of the program that a command runs: `pip` for `python -m pip`."""
    arguments = [str(argument) for argument in command]
    return arguments[arguments.index("-m") + 1] if "-m" in arguments else Path(arguments[0]).name


def _reason(output: str) -> str:
    """Return the cause of a failure from its output: a known cause, else the last error, else the last line."""
    for pattern, meaning in KNOWN_ERRORS.items():
        if re.search(pattern, output):
            return meaning
    errors = ERROR_LINE.findall(output)
    lines = output.strip().splitlines() or ["no output"]
    return str(errors[-1] if errors else lines[-1]).strip()


if __name__ == "__main__":
    main()
