"""The version, which lives in `pyproject.toml` alone."""

from importlib.metadata import version

__version__ = version("mediakit")
