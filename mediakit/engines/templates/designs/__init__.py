"""The designs of the templates: a manifest (TOML), a layout (Python) and a style sheet (CSS) for each."""
