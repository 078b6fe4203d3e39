"""What is taken from a worker: plain data, objects of mediakit's own classes, and Python's exceptions.

A hostile file may have seized the process that read it, and a pickle can call anything its reader lets it find.
"""

import builtins
import io
import pickle
import sys
from typing import Any

from mediakit.engines.workers.failures import Crashed


def read(content: bytes) -> Any:
    """Unpickle an answer.

    Raises:
        Crashed: It is damaged, or holds what a worker has no business to send.
    """
    try:
        return _Reader(io.BytesIO(content)).load()
    except Exception as error:  # a damaged pickle raises nearly anything
        raise Crashed(f"The worker's answer cannot be read: {error}") from error


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Give a class that is loaded already; no function, and nothing through another object."""
        found = getattr(sys.modules.get(module), name, None)
        if isinstance(found, type) and (_is_own(found) or _is_error(found)):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is not taken from a worker")


def _is_own(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == "mediakit"


def _is_error(kind: type) -> bool:
    return kind is getattr(builtins, kind.__name__, None) and issubclass(kind, BaseException)
