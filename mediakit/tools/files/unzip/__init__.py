"""`unzip`: lists and unpacks ZIP, TAR and gzip files."""

from mediakit.tools.files.unzip.tool import unzip

__all__ = ["unzip"]
