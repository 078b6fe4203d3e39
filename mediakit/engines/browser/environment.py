"""Environment variables of Chromium and of the driver."""

from pathlib import Path


def temporary_folder_variables(folder: Path) -> dict[str, str]:
    """Return the environment variables that set the folder for temporary files."""
    return dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(folder))


def home_variable(folder: Path) -> dict[str, str]:
    """Return `HOME` set to a folder, which Chromium requires, or nothing if the user has a home."""
    try:
        Path.home()
    except RuntimeError:
        return {"HOME": str(folder)}
    return {}
