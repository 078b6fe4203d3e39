"""Clients that other programs generate from the OpenAPI document compile, and their calls work."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from httpx import get

from mediakit.samples import LANDSCAPE
from mediakit.server import Server

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = ROOT / "tests" / "contract" / "clients"
CONFIG = ROOT / "docs" / "openapi-python-client.yml"
REJECTION = "size: must be between 64 and 2000, got 9.\n"

KNOWN_MYPY_ERRORS = ('"__exit__"', '"__aexit__"', '"types.RequestFiles"')
"""What mypy reports in code of openapi-python-client that does not depend on the document, except that a field named
`types` hides a module of the same name."""

pytestmark = pytest.mark.timeout(600)  # installs packages on the first run


@pytest.fixture
def document(server: Server, tmp_path: Path) -> Path:
    """The OpenAPI document of the running server, as a file."""
    path = tmp_path / "openapi.json"
    path.write_bytes(get(f"{server.url}/openapi.json").content)
    return path


def run(command: list[str], folder: Path, server: Server) -> str:
    environment = {**os.environ, "MEDIAKIT_URL": server.url, "MEDIAKIT_API_KEY": server.key, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def test_client_of_openapi_python_client_compiles_and_works(document: Path, tmp_path: Path, server: Server) -> None:
    package = tmp_path / "generated_client"
    command = ["generate", "--path", str(document), "--config", str(CONFIG), "--meta", "none"]
    said = run(
        [sys.executable, "-m", "openapi_python_client", *command, "--output-path", str(package)], tmp_path, server
    )
    assert "WARNING" not in said, said
    shutil.copy(CLIENTS / "three_calls.py", tmp_path)
    assert _mypy(tmp_path) == []
    assert run([sys.executable, "three_calls.py", str(LANDSCAPE)], tmp_path, server) == REJECTION


def _mypy(folder: Path) -> list[str]:
    """Return the errors in the program, and in the modules of the generated client that it uses."""
    command = [sys.executable, "-m", "mypy", "--config-file=", "three_calls.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    return [line for line in errors if not any(known in line for known in KNOWN_MYPY_ERRORS)]


@pytest.fixture(scope="module")
def node_modules() -> Path:
    """The packages of `package.json`, installed into a folder that later runs use again."""
    if not (npm := shutil.which("npm")):
        pytest.skip("this machine has no npm")
    package = (CLIENTS / "package.json").read_bytes()
    folder = Path(platformdirs.user_cache_dir("mediakit-tests")) / f"npm-{hashlib.sha256(package).hexdigest()[:12]}"
    if not (folder / "complete").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_bytes(package)
        command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1"]
        installed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if installed.returncode:
            pytest.skip(f"npm could not install the packages: {installed.stderr[-300:]}")
        (folder / "complete").touch()
    return folder / "node_modules"


def test_client_of_openapi_typescript_compiles_and_works(
    document: Path, node_modules: Path, tmp_path: Path, server: Server
) -> None:
    (tmp_path / "node_modules").symlink_to(node_modules)
    for name in ("package.json", "three_calls.ts", "validate.js"):
        shutil.copy(CLIENTS / name, tmp_path)
    assert run(["node", "validate.js", str(document)], tmp_path, server) == "valid\n"
    types = ["openapi-typescript/bin/cli.js", str(document), "-o", "schema.ts", "--default-non-nullable", "false"]
    run(["node", f"node_modules/{types[0]}", *types[1:]], tmp_path, server)
    options: dict[str, Any] = {"strict": True, "target": "es2022", "module": "nodenext", "skipLibCheck": True}
    settings = {"compilerOptions": options, "files": ["three_calls.ts"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings))
    run(["node", "node_modules/typescript/bin/tsc"], tmp_path, server)
    assert run(["node", "three_calls.js", str(LANDSCAPE)], tmp_path, server) == REJECTION
