"""Settings of Sphinx for the site. The sources are `docs/`, `notebooks/` and the Markdown files beside them."""

# ruff: noqa: INP001  # a script, not part of a package

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

project = "mediakit"
author = "The mediakit developers"
release = version = PROJECT["version"]

extensions = ["myst_nb", "sphinx_design"]
root_doc = "docs/index"
include_patterns = ["docs/**.md", "notebooks/*.ipynb", "CHANGELOG.md", "CONTRIBUTING.md"]
exclude_patterns = ["docs/_*", "docs/deploy", "docs/images", ".*", "bench", "demo", "mediakit", "tests", "node_modules"]

myst_enable_extensions = ["colon_fence", "html_image"]
myst_heading_anchors = 4
suppress_warnings = [
    "config.cache",  # functions of the theme cannot be stored
    "mystnb.unknown_mime_type",  # widgets have an image as well
]

nb_execution_mode = "cache"
nb_execution_cache_path = str(ROOT / "docs/_build/notebooks")
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 240
nb_execution_show_tb = True
nb_merge_streams = True
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # the site loads nothing from other hosts
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]

html_theme = "pydata_sphinx_theme"
html_title = "mediakit"
html_baseurl = ""
html_show_sourcelink = False
html_copy_source = False
html_use_index = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_sidebars = {"docs/gallery": [], "docs/get-started": [], "docs/tasks": []}
html_theme_options = {
    "logo": {"text": "mediakit"},
    "navbar_align": "left",
    "navigation_with_keys": False,
    "show_nav_level": 1,
    "show_prev_next": True,
    "secondary_sidebar_items": {"**": ["page-toc"], "docs/gallery": [], "docs/tasks": []},
    "footer_start": ["copyright"],
    "footer_end": [],
}
copyright = author  # noqa: A001  # the name that Sphinx reads
