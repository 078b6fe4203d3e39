"""Chooses the target of a path or URL."""

import os

from mediakit.batches.targets.folder_store import FolderStore
from mediakit.batches.targets.target import FolderTarget, Target
from mediakit.errors import InvalidInput


def open_target(to: "str | os.PathLike[str]", *, title: str = "") -> Target:  # noqa: ARG001
    """Return the target of a path or URL, without reading or writing anything before its `open`.

    Args:
        to: A folder.
        title: Title of the files that combine all rows.

    Raises:
        InvalidInput: The path is empty.
    """
    path = os.fspath(to)
    if not path.strip():
        raise InvalidInput("to: must be a path or URL, got an empty text.")
    return FolderTarget(FolderStore(path))
