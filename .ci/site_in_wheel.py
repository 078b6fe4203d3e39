"""Adds the documentation site to a wheel if `make docs` has built it, so that `mediakit docs` opens it."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SiteHook(BuildHookInterface):  # type: ignore[misc, unused-ignore]  # hatchling is installed where a wheel is built
    """Includes `docs/_build/html` as `mediakit/site`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folder, except to an editable installation, which reads it where it is."""
        site = Path(self.root) / "docs/_build/html"
        if version != "editable" and (site / "docs/index.html").is_file():
            build_data["force_include"][str(site)] = "mediakit/site"
