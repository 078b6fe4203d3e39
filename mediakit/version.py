"""The version of the installed package, which is set in `pyproject.toml`."""

from importlib.metadata import version

__version__ = version("mediakit")
