"""Run the promises' tests on the oldest and on the newest allowed versions of the most used packages.

`python .ci/check_versions.py [oldest|newest ...]` creates an environment for each, outside of the checkout's own. The
ranges in `pyproject.toml` follow from it: a version with which a test fails is not allowed.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
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
    failed = []
    for which in sys.argv[1:] or ("oldest", "newest"):
        with tempfile.TemporaryDirectory() as folder:
            limits, python = Path(folder, "constraints.txt"), Path(folder, "env", BIN.name, "python")
            limits.write_text(constraints(which), "utf-8")
            _run(_uv(), "venv", "--quiet", "--python", sys.executable, Path(folder, "env"))
            _run(
                _uv(),
                "pip",
                "install",
                "--quiet",
                "--python",
                python,
                "--constraint",
                limits,
                "--editable",
                REQUIREMENT,
            )
            print(f"{which}: {', '.join(_run(_uv(), 'pip', 'freeze', '--python', python, captured=True).split())}")
            tests = subprocess.run([str(python), "-m", "pytest", "-q", "-n", "2", *TESTS], cwd=ROOT, check=False)
            failed += [which] if tests.returncode else []
    sys.exit(f"Tests fail with the {' and the '.join(failed)} versions." if failed else 0)


if __name__ == "__main__":
    main()
