"""Save an uploaded file beside the notebook, so that the call can name it."""

from itertools import count
from pathlib import Path, PurePath


def save_beside_notebook(name: str, content: bytes) -> Path:
    """Write a file to the current directory and return its relative path.

    An existing file with the same content is used; one with other content is never replaced.

    Raises:
        OSError: The file cannot be written.
    """
    wanted = PurePath(PurePath(name.replace("\\", "/")).name or "file")
    for number in count():
        path = Path(f"{wanted.stem}-{number}{wanted.suffix}" if number else wanted)
        try:
            with path.open("xb") as file:
                file.write(content)
        except FileExistsError:
            if not path.is_file() or path.read_bytes() != content:
                continue
        return path
    raise AssertionError  # `count` has no end
