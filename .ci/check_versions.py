"""Run the promises' tests on the oldest and on the newest allowed versions of the most used packages.

`python .ci/check_versions.py [oldest|newest ...]` creates an environment for each, outside of the checkout's own. The
ranges in `pyproject.toml` follow from it: a version with which a test fails is not allowed. `make check` runs the
examples of all tools, `make versions` all `TESTS`.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from bootstrap import REQUIREMENT, ROOT
from check_package import BIN, _run, _uv

PACKAGES = (
    "alembic", "anywidget", "click", "duckdb", "fonttools", "httpx", "ipywidgets", "jinja2", "lxml", "markdown-it-py",
    "narwhals", "numpy", "pikepdf", "pillow", "pydantic", "pymupdf", "sqlalchemy", "starlette", "vl-convert-python",
    "zxing-cpp",
)  # fmt: skip
"""The packages that serve most tools, or whose versions changed results before."""

TESTS = (
    "tests/promises/test_every_example.py",
    "tests/promises/test_results_as_inputs.py",
    "tests/tools/images/test_qr.py",
)


def constraints(which: str) -> str:
    """Return the constraints for `oldest`: the lower bounds of the packages. For `newest` there are none."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    found = filter(None, (re.match(r"([\w-]+)[>~]=([\w.]+)", each) for each in declared))
    return "\n".join(
        f"{name}=={version}" for name, version in map(re.Match.groups, found) if name in PACKAGES and which == "oldest"
    )


def main() -> None:
    """Install and test."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", nargs="*", default=["oldest", "newest"], metavar="oldest|newest")
    parser.add_argument("--examples", action="store_true", help="run the examples of the tools only")
    arguments = parser.parse_args()
    tests = TESTS[:1] if arguments.examples else TESTS
    failed = [which for which in arguments.which if not _passes(which, tests)]
    sys.exit(f"Tests fail with the {' and the '.join(failed)} versions." if failed else 0)


def _passes(which: str, tests: Sequence[str]) -> bool:
    """Install the oldest or the newest versions, and return whether the tests pass."""
    with tempfile.TemporaryDirectory() as folder:
        limits, python = Path(folder, "constraints.txt"), Path(folder, "env", BIN.name, "python")
        limits.write_text(constraints(which), "utf-8")
        _run(_uv(), "venv", "--quiet", "--python", sys.executable, Path(folder, "env"))
        install = (_uv(), "pip", "install", "--quiet", "--python", python, "--constraint", limits)
        _run(*install, "--editable", REQUIREMENT)
        found = _versions(python)
        print(f"  {which}: {', '.join(found)}", flush=True)
        if found == _versions(BIN / "python"):
            print("  The checkout has these versions. `make test` runs on them.")
            return True
        command = [str(python), "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", *tests]
        return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def _versions(python: Path) -> list[str]:
    lines = _run(_uv(), "pip", "freeze", "--quiet", "--python", python, captured=True).split()
    return [line for line in lines if line.partition("==")[0] in PACKAGES]


if __name__ == "__main__":
    main()
