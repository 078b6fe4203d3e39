"""The peers' packages, each in a folder of its own below `bench/.peers`, so that nothing of them reaches mediakit."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.race import NotMeasured

PEERS = Path(__file__).resolve().parent / ".peers"


def npm_package(name: str, version: str) -> Path:
    """Install a package of npm and give the folder that Node finds it in."""
    for command in ("node", "npm"):
        if not shutil.which(command):
            raise NotMeasured(f"there is no {command}")
    install = ("npm", "install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--prefix")
    return _installed(f"npm-{name}-{version}", install, f"{name}@{version}") / "node_modules"


def pip_package(name: str, version: str) -> Path:
    """Install a package of PyPI, without what it depends on, and give the folder that Python finds it in."""
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target")
    return _installed(f"pip-{name}-{version}", pip, f"{name}=={version}")


def _installed(folder: str, install: Sequence[str], package: str) -> Path:
    """Install into a scratch folder and rename it, so that an interrupted run leaves nothing half done."""
    target = PEERS / folder
    if target.exists():
        return target
    PEERS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=PEERS) as scratch:
        made = Path(scratch) / folder
        made.mkdir()
        done = subprocess.run([*install, str(made), package], capture_output=True, text=True, check=False)
        if done.returncode:
            raise NotMeasured(f"{package} does not install: {_reason(done.stderr)}")
        made.rename(target)
    return target


def _reason(said: str) -> str:
    lines = [line for line in said.splitlines() if "ERR" in line]
    return lines[0].strip() if lines else "it does not say why"
