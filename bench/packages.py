"""The peers' packages, each in a folder of its own below `bench/.peers`, so that nothing of them reaches mediakit."""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.race import NotMeasured

NPM = {
    "@mozilla/readability": "0.6.0",
    "@napi-rs/canvas": "1.1.1",
    "bwip-js": "4.11.4",
    "chart.js": "4.6.1",
    "jsdom": "26.1.0",
    "puppeteer-core": "24.43.1",
    "qrcode": "1.5.4",
    "sharp": "0.35.5",
}
PYPI = {
    "opencv-python-headless": "5.0.0.93",
    "python-barcode": "0.16.1",
    "pyzbar": "0.1.9",
    "qrcode": "8.2",
    "segno": "1.6.6",
}

PEERS = Path(__file__).resolve().parent / ".peers"


def npm_package(name: str) -> Path:
    """Install a package of npm and give the folder that Node finds it in."""
    if not shutil.which("node"):
        raise NotMeasured("there is no node")
    install = ("npm", "install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--prefix")
    folder = f"npm-{name.replace('/', '-')}-{NPM[name]}"
    return _installed(folder, install, f"{name}@{NPM[name]}") / "node_modules"


def pip_package(name: str) -> Path:
    """Install a package of PyPI, without what it depends on, and give the folder that Python finds it in."""
    install = (sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps", "--target")
    return _installed(f"pip-{name}-{PYPI[name]}", install, f"{name}=={PYPI[name]}")


def _installed(folder: str, install: Sequence[str], package: str) -> Path:
    """Install into a scratch folder and rename it, so that an interrupted run leaves nothing half done."""
    target = PEERS / folder
    if target.exists():
        return target
    PEERS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=PEERS) as scratch:
        made = Path(scratch) / folder
        made.mkdir()
        _run([*install, str(made), package])
        made.rename(target)
    return target


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise NotMeasured(f"there is no {command[0]}") from None
    if done.returncode:
        raise NotMeasured(f"{command[-1]} does not install: {_reason(done.stderr)}")


def _reason(said: str) -> str:
    """Find the first line that names an error; npm's last lines name its log."""
    found = re.search(r"^(?:ERROR|npm error|npm ERR!|.*No module named).*", said, re.MULTILINE)
    return found[0] if found else "the installer does not say why"
