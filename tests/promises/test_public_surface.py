"""The public names of `mediakit`, and what importing them loads."""

import subprocess
import sys

import mediakit
from mediakit.core.tool import Tool

HEAVY = {
    "IPython",
    "PIL",
    "altair",
    "alembic",
    "click",
    "httpx",
    "ipywidgets",
    "numpy",
    "playwright",
    "pydantic",
    "pydantic_settings",
    "pymupdf",
    "sqlalchemy",
    "starlette",
    "uvicorn",
    "vl_convert",
    "zxingcpp",
}


def loaded(code: str) -> set[str]:
    program = f"{code}; import sys; print(*{{name.partition('.')[0] for name in sys.modules}})"
    return set(
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    )


def test_public_names_are_sorted_and_importable() -> None:
    names = vars(mediakit)["__all__"]
    assert list(names) == sorted(names)
    assert all(getattr(mediakit, name) is not None for name in names)
    assert set(names) <= set(dir(mediakit))


def test_import_loads_no_heavy_package() -> None:
    assert not loaded("import mediakit") & HEAVY


def test_qr_loads_no_browser_and_no_chart_engine() -> None:
    unwanted = {
        "IPython",
        "alembic",
        "altair",
        "barcode",
        "biip",
        "httpx",
        "ipywidgets",
        "numpy",
        "playwright",
        "pymupdf",
        "qrcode",
        "sqlalchemy",
        "starlette",
        "vl_convert",
    }
    assert not loaded("import mediakit; mediakit.qr('hi')") & unwanted


def test_form_with_the_tab_many_loads_batches_when_it_gets_rows() -> None:
    before = "import sys, mediakit; form = mediakit.form('qr', data='hi'); before = set(sys.modules)"
    after = "form.use_rows(['a']); print('mediakit.batches' in before, 'mediakit.batches' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", f"{before}; {after}"], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "True"]


def test_tool_has_signature_and_docstring_of_a_function() -> None:
    import inspect

    assert isinstance(mediakit.qr, Tool)
    assert mediakit.qr.__name__ == "qr"
    assert (mediakit.qr.__doc__ or "").startswith("Create a QR code.")
    assert str(inspect.signature(mediakit.qr)).startswith("(data: ")
    assert repr(mediakit.qr) == "<mediakit.qr: Create a QR code.>"


def test_version_matches_pyproject() -> None:
    import tomllib
    from pathlib import Path

    assert mediakit.__version__ == tomllib.loads(Path("pyproject.toml").read_text())["project"]["version"]
