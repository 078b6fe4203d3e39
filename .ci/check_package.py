"""Build the wheel and the sdist, install the wheel outside of the checkout, and call every tool there.

`python .ci/check_package.py [--python 3.11 3.12 3.13]` also checks the number and the size of the packages that an
installation has, and writes an SBOM (CycloneDX) beside the wheel. Other Pythons are those of pyenv; uv finds or
downloads those that pyenv lacks.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZipFile

from bootstrap import _uv_settings

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
BIN = Path(sys.executable).parent

OWN_VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"

MAX_PACKAGES = 105
MAX_MEGABYTES = 650

WEIGHT = """
import json
from importlib.metadata import distributions
installed = {each.name.lower(): each for each in distributions() if each.name.lower() not in ("pip", "setuptools")}
files = {file.locate() for each in installed.values() for file in each.files or () if file.suffix != ".pyc"}
print(json.dumps([len(installed), sum(file.stat().st_size for file in files if file.is_file()) / 1e6]))
"""

SMOKE_TEST = """
from importlib.resources import files
import mediakit
from mediakit.tools.catalogue import all_tools
assert "site-packages" in mediakit.__file__, mediakit.__file__
assert (files("mediakit") / "api/pages/docs/index.html").is_file()
assert len(all_tools()) == 45
with mediakit.serve(port=0) as server:
    client = mediakit.Client(server.url, api_key=server.key)
    assert client.qr("hello") == mediakit.qr("hello")
    assert client.status().plan
"""


def main() -> None:
    """Build, install and call."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", nargs="*", default=[OWN_VERSION])
    arguments = parser.parse_args()
    shutil.rmtree(DIST, ignore_errors=True)
    _run(BIN / "python", "-m", "build", "--sdist", "--wheel", "--installer", "uv", ROOT, "--outdir", DIST)
    _run(BIN / "twine", "check", "--strict", *DIST.iterdir())
    wheel = next(DIST.glob("*.whl"))
    tracked = _run("git", "ls-files", "-z", "mediakit", captured=True).strip("\0").split("\0")
    if missing := set(tracked) - set(ZipFile(wheel).namelist()):
        sys.exit(f"The wheel lacks {', '.join(sorted(missing))}.")
    for version in arguments.python:
        with tempfile.TemporaryDirectory() as folder:
            _check(version, Path(folder), wheel)


def _check(version: str, folder: Path, wheel: Path) -> None:
    """Install a wheel for a version of Python, and call every tool."""
    python = folder / "env" / BIN.name / "python"
    _run(_uv(), "venv", "--quiet", "--python", _interpreter(version), folder / "env")
    _run(_uv(), "pip", "install", "--quiet", "--python", python, wheel)
    count, megabytes = json.loads(_run(python, "-c", WEIGHT, cwd=folder, captured=True))
    print(f"  Python {version}: {count} packages, {megabytes:.0f} MB")
    if count > MAX_PACKAGES or megabytes > MAX_MEGABYTES:
        sys.exit(f"The limits are {MAX_PACKAGES} packages and {MAX_MEGABYTES} MB.")
    _run(python, "-c", SMOKE_TEST, cwd=folder)
    _run(python.with_name("mediakit"), "demo", "demo", cwd=folder)
    _run(BIN / "cyclonedx-py", "environment", python, "--output-file", DIST / f"{wheel.stem}-py{version}.cdx.json")


def _interpreter(version: str) -> str | Path:
    """Return a Python of this machine, or its version, which uv finds or downloads."""
    if version == OWN_VERSION:
        return sys.executable
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    return max(root.glob(f"versions/{version}.*/bin/python"), default=version)


def _uv() -> str:
    return shutil.which("uv") or str(BIN / "uv")


def _run(*command: str | Path, cwd: Path = ROOT, captured: bool = False) -> str:
    """Run a command outside of the checkout's packages, and end if it fails."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment = {
        **variables,
        **_uv_settings(),
        "MEDIAKIT_HOME": str(cwd / "home"),
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
    }
    words = [str(each) for each in command]
    done = subprocess.run(words, cwd=cwd, env=environment, capture_output=captured, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command[0]} failed.\n{done.stdout or ''}{done.stderr or ''}")
    return done.stdout or ""


if __name__ == "__main__":
    main()
