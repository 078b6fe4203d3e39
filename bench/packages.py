"""Packages to compare with, each in a separate directory below `bench/.peers` that mediakit never imports."""

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
    "gifski": "1.7.1",
    "jsdom": "26.1.0",
    "pixelmatch": "7.2.0",
    "pngjs": "7.0.0",
    "puppeteer-cluster": "0.25.0",
    "puppeteer-core": "24.43.1",
    "qrcode": "1.5.4",
    "sharp": "0.35.5",
}
PYPI = {
    "chardet": "7.7.0",
    "csv-diff": "1.2",
    "duckdb": "2.0.0",
    "email-validator": "2.4.0",
    "great-tables": "1.1.0",
    "nokap": "0.1.0",
    "opencv-python-headless": "5.0.0.93",
    "orjson": "3.13.0",
    "pandas": "3.1.1",
    "pikepdf": "10.17.0",
    "polars": "2.1.0",
    "puremagic": "1.30",
    "pypdf": "7.1.0",
    "python-barcode": "0.16.1",
    "pyzbar": "0.1.9",
    "qrcode": "8.2",
    "schwifty": "2026.10.1",
    "segno": "1.6.6",
    "ydata-profiling": "4.18.4",
}
WITH_DEPENDENCIES = {"csv-diff", "nokap", "ydata-profiling"}
"""PyPI packages that need packages which mediakit does not have, or other versions of them."""

PEERS = Path(__file__).resolve().parent / ".peers"


def npm_package(name: str) -> Path:
    """Install an npm package and return the directory for `NODE_PATH`."""
    if not shutil.which("node"):
        raise NotMeasured("Node is not installed")
    install = ("npm", "install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--prefix")
    directory = f"npm-{name.replace('/', '-')}-{NPM[name]}"
    return _installed(directory, install, f"{name}@{NPM[name]}") / "node_modules"


def pip_package(name: str) -> Path:
    """Install a PyPI package, usually without its dependencies, and return the directory for `PYTHONPATH`."""
    alone = () if name in WITH_DEPENDENCIES else ("--no-deps",)
    install = (sys.executable, "-m", "pip", "install", "--disable-pip-version-check", *alone, "--target")
    return _installed(f"pip-{name}-{PYPI[name]}", install, f"{name}=={PYPI[name]}")


def _installed(directory: str, install: Sequence[str], package: str) -> Path:
    """Install into a temporary directory and rename it, so that an interrupted run leaves no incomplete directory."""
    target = PEERS / directory
    if target.exists():
        return target
    PEERS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=PEERS) as temporary:
        installed = Path(temporary) / directory
        installed.mkdir()
        _run([*install, str(installed), package])
        installed.rename(target)
    return target


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise NotMeasured(f"{command[0]} is not installed") from None
    if done.returncode:
        raise NotMeasured(f"{command[-1]} cannot be installed: {_reason(done.stderr)}")


def _reason(output: str) -> str:
    """Return the first line with an error; the last lines of npm only name its log."""
    found = re.search(r"^(?:ERROR|npm error|npm ERR!|.*No module named).*", output, re.MULTILINE)
    return found[0] if found else "the installer reported no reason"
