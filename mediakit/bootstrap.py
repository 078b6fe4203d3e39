"""Set a checkout up with nothing but Python: `python3 mediakit/bootstrap.py` makes `.venv` and installs into it.

Only the standard library is imported, and the system's Python is left as it is. A second run finds its work done.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "mediakit-installed"
WANTED = ".[all,dev]"


class StepError(Exception):
    """A step did not work; its text says why."""


def main() -> None:
    """Make the environment, if it is not there as `pyproject.toml` wants it."""
    if sys.version_info < (3, 11):
        sys.exit(f"mediakit needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    if _is_current():
        say("Python packages", "already installed in .venv")
        return
    STAMP.unlink(missing_ok=True)
    _first_that_works("Environment", [_with_uv, _with_venv, _with_foreign_pip, _with_debian])
    STAMP.write_text(_fingerprint())


def say(step: str, outcome: str) -> None:
    """Print a step's line."""
    print(f"  {step:<18} {outcome}", flush=True)


def _is_current() -> bool:
    return PYTHON.exists() and STAMP.exists() and STAMP.read_text() == _fingerprint()


def _fingerprint() -> str:
    """Change when what is to be installed changes, or where it stands."""
    return hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + str(ROOT).encode()).hexdigest()


def _first_that_works(step: str, ways: list[Callable[[], str]]) -> None:
    reasons = []
    for way in ways:
        try:
            say(step, way())
        except StepError as error:
            reasons.append(str(error))
        else:
            return
    sys.exit(f"  {step:<18} failed:\n" + "\n".join(f"    - {reason}" for reason in reasons) + f"\n{MEND}")


MEND = "Install Python's venv and pip (Debian: sudo apt install python3-venv python3-pip) and run the command again."


def _with_uv() -> str:
    uv = shutil.which("uv")
    if not uv:
        raise StepError("uv: not on this machine")
    _run([uv, "venv", "--quiet", "--allow-existing", "--seed", "--python", sys.executable, VENV])
    _install([uv, "pip", "install", "--quiet", "--python", PYTHON])
    return "made with uv"


def _with_venv() -> str:
    _run([sys.executable, "-m", "venv", VENV])
    _install([PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--quiet"])
    return "made with venv and pip"


def _with_foreign_pip() -> str:
    """Where ensurepip is missing (Debian without python3-venv), the system's pip can install into another place."""
    _run([sys.executable, "-m", "venv", "--without-pip", VENV])
    _install([sys.executable, "-m", "pip", "--python", PYTHON, "install", "--disable-pip-version-check", "--quiet"])
    return "made with venv and the system's pip"


def _with_debian() -> str:
    if not shutil.which("apt-get") or os.geteuid() != 0:
        raise StepError("apt-get: only for root on Debian")
    say("Debian packages", "installing python3-venv and python3-pip")
    _run(["apt-get", "update", "-qq"])
    _run(["apt-get", "install", "-y", "-qq", "python3-venv", "python3-pip"])
    return _with_venv()


def _install(installer: list[str | Path]) -> None:
    say("Python packages", "installing; a minute or two on a new machine")
    _run([*installer, "--editable", WANTED])


def _run(command: list[str | Path]) -> None:
    """Run a command, with a sign of life every few seconds; its output is shown only if it fails."""
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        began = time.monotonic()
        while True:
            try:
                output, _ = process.communicate(timeout=15)
                break
            except subprocess.TimeoutExpired:
                say("", f"… {time.monotonic() - began:.0f} s")
    if process.returncode:
        last = output.strip().splitlines()[-1:] or ["no output"]
        raise StepError(f"{Path(command[0]).name}: {last[0]}")


if __name__ == "__main__":
    main()
