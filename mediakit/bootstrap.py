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
WANTED = ".[all,dev]"
OLDEST = (3, 11)

MEND_ENVIRONMENT = "Install Python's venv and pip (Debian: sudo apt install python3-venv) and run the command again."
MEND_PACKAGES = f"Mend that and run the command again; {LOG.relative_to(ROOT)} has the whole output."
MEND_NETWORK = "Check the network, HTTPS_PROXY and PIP_INDEX_URL, and run the command again."

OFFLINE = "the package index cannot be reached"
UNTRUSTED = "the package index's certificate is not trusted (PIP_CERT and SSL_CERT_FILE name the ones to trust)"
SIGNS = {
    r"CERTIFICATE_VERIFY_FAILED|invalid peer certificate": UNTRUSTED,
    r"name resolution|Name or service not known|nodename nor servname|Network is unreachable|Connection refused"
    r"|Could not resolve|NewConnectionError|dns error|timed out": OFFLINE,
}
"""What a command's output shows, and what it means; its last line is often about a consequence alone."""
REASON = re.compile(r"^\s*(?:ERROR|E|error|cause|Caused by): (.+)", re.MULTILINE)
TERMINAL = sys.stdout.isatty()
REWIND = "\r\033[K" if TERMINAL else ""
PROGRESS_EVERY = 1 if TERMINAL else 15

QUIET = {"PIP_USER": "0", "PIP_RETRIES": "2", "PIP_NO_INPUT": "1", "DEBIAN_FRONTEND": "noninteractive"}
"""A user-wide pip.conf may say `user = true`, which no environment allows; five retries offline take a minute."""

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
        sys.exit(f"Setting up stopped: {error}")


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
            _say("Environment", ".venv is up to date")
            return
        if usable:
            STAMP.unlink(missing_ok=True)  # stopped from here on, it is gone on with and what else is in it is kept
        else:
            _clear()
            _first_that_works("Environment", MEND_ENVIRONMENT, ENVIRONMENTS)
        _first_that_works("Packages", MEND_PACKAGES, INSTALLERS)
        STAMP.write_text(wanted)


def _say(step: str, text: str, end: str = "\n") -> None:
    """Print a step's line, in place of its progress on a terminal."""
    print(f"{REWIND}  {step:<18} {text}", end=end, flush=True)  # noqa: T201  # a command's output


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
    look = "import sys, sysconfig; print(sys.version_info[:2], sysconfig.get_path('purelib'), sep='|')"
    version, _, packages = _ask(PYTHON, "-I", "-c", look).strip().partition("|")
    return bool(version) and ast.literal_eval(version) >= OLDEST and Path(packages).is_dir()


def _ask(*command: str | Path) -> str:
    """Give what a command prints, nothing if it does not run."""
    try:
        return subprocess.run(command, check=False, capture_output=True, text=True).stdout  # noqa: S603  # our own words
    except OSError:
        return ""


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
                _say(step, f"{error}; trying another way")
        else:
            _say(step, f"{outcome} in {time.monotonic() - began:.0f} s")
            return
    listed = "".join(f"\n    - {reason}" for reason in dict.fromkeys(reasons))
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


def _with_pip_of_pypi(step: str) -> str:
    """A wheel of pip can run itself, so it can install itself."""
    _run(step, [_base_python(), "-m", "venv", "--without-pip", VENV])
    with tempfile.TemporaryDirectory() as folder:
        wheel = _download_pip(Path(folder))
        _run(step, [PYTHON, wheel / "pip", "install", "--no-index", wheel])
    return "made with venv and PyPI's pip"


def _download_pip(folder: Path) -> Path:
    """Fetch the newest pip by the simple repository API (PEP 503), which every mirror of PyPI speaks."""
    page = f"{os.environ.get('PIP_INDEX_URL', 'https://pypi.org/simple').rstrip('/')}/pip/"
    wheels = re.findall(r'href="([^"#]*?(pip-([\d.]+)-py3-none-any\.whl))#sha256=(\w+)"', _fetch(page).decode())
    if not wheels:
        raise StepError(f"{page}: lists no wheel of pip")
    address, name, _, digest = max(wheels, key=lambda wheel: [int(part) for part in wheel[2].split(".")])
    content = _fetch(urljoin(page, address))
    if hashlib.sha256(content).hexdigest() != digest:
        raise StepError(f"{name}: arrived damaged")
    wheel = folder / str(name)
    wheel.write_bytes(content)
    return wheel


def _fetch(address: str) -> bytes:
    try:
        with urlopen(address, timeout=60) as answer:  # noqa: S310  # the index that pip would use
            content: bytes = answer.read()
    except (OSError, ValueError) as error:
        raise StepError(f"{urlsplit(address).hostname}: {getattr(error, 'reason', error)}") from error
    return content


def _with_debian(step: str) -> str:
    if not shutil.which("apt-get") or os.geteuid() != 0:
        raise UnavailableError("apt-get: for root on Debian only")
    apt = ["apt-get", "-y", "-q", "-o", "DPkg::Lock::Timeout=60"]
    _run(step, [*apt, "update"])
    _run(step, [*apt, "install", "--no-install-recommends", "python3-venv"])
    _run(step, [_base_python(), "-m", "venv", VENV])
    return "made with venv, after apt-get install python3-venv"


def _install_with_uv(step: str) -> str:
    """Five times as fast as pip, so worth fetching."""
    uv: str | Path | None = shutil.which("uv")
    if not uv:
        uv = BIN / "uv"
        _run(step, [PYTHON, "-m", "pip", "install", "uv"])
    _run(step, [uv, "pip", "install", "--python", PYTHON, "--editable", WANTED], _uv_settings())
    return "installed with uv"


def _install_with_pip(step: str) -> str:
    _run(step, [PYTHON, "-m", "pip", "install", "--editable", WANTED])
    return "installed with pip"


ENVIRONMENTS = (_with_venv, _with_system_pip, _with_pip_of_pypi, _with_debian)
INSTALLERS = (_install_with_uv, _install_with_pip)


def _uv_settings() -> dict[str, str]:
    """Tell uv what pip is told: it reads no pip.conf, and by default not the system's certificates."""
    told = {"UV_INDEX_STRATEGY": "unsafe-best-match"}  # as pip does with several indexes
    system = ssl.get_default_verify_paths()
    if system.cafile or system.capath:
        told["UV_SYSTEM_CERTS"] = told["UV_NATIVE_TLS"] = "true"
    for line in _ask(PYTHON, "-m", "pip", "config", "list").splitlines():  # variables come first, and beat files
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
    folders = f"{sys.base_prefix}{os.pathsep}{Path(sys.base_prefix, 'bin')}"
    return shutil.which(name, path=folders) or sys.executable


def _run(step: str, command: Sequence[str | Path], settings: dict[str, str] | None = None) -> None:
    """Run a command with signs of life; its output goes to the log.

    Raises:
        StepError: It failed; the text is its own reason, in one line.
    """
    environ = os.environ | QUIET | (settings or {})
    for name in ("PYTHONHOME", "PYTHONPATH"):
        environ.pop(name, None)
    program = _program(command)
    with LOG.open("w+", encoding="utf-8", errors="replace") as log:
        try:
            process = subprocess.Popen(  # noqa: S603  # our own words
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
    began = time.monotonic()
    while True:
        try:
            process.wait(PROGRESS_EVERY)
        except subprocess.TimeoutExpired:
            _say(step, f"at work for {time.monotonic() - began:.0f} s", end="" if TERMINAL else "\n")
        else:
            return


def _program(command: Sequence[str | Path]) -> str:
    """Name a command as people do: `pip` for `python -m pip`."""
    words = [str(word) for word in command]
    return words[words.index("-m") + 1] if "-m" in words else Path(words[0]).name


def _reason(output: str) -> str:
    """Give the line of a command's output that says most; its last error is the most particular one."""
    for sign, meaning in SIGNS.items():
        if re.search(sign, output):
            return meaning
    errors = REASON.findall(output)
    lines = output.strip().splitlines() or ["no output"]
    return str(errors[-1] if errors else lines[-1]).strip()


if __name__ == "__main__":
    main()
