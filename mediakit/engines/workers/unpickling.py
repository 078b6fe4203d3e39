"""Unpickle the response of a worker, which is not trusted.

A hostile file may have taken control of the worker, and unpickling can call every function that the unpickler finds.
Only plain data, instances of mediakit's own classes and built-in exceptions are accepted.
"""

import builtins
import io
import pickle
import sys
from typing import Any

from mediakit.engines.workers.failures import Crashed


def load(content: bytes) -> Any:
    """Unpickle a response.

    Raises:
        Crashed: The response is damaged or contains an object of another kind.
    """
    try:
        return _RestrictedUnpickler(io.BytesIO(content)).load()
    except Exception as error:  # a damaged pickle raises exceptions of nearly every type
        raise Crashed(f"The worker's response cannot be read: {error}") from error


class _RestrictedUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Return a class of a module that is already imported. Functions and dotted names are rejected."""
        found = getattr(sys.modules.get(module), name, None)
        if isinstance(found, type) and (_is_own(found) or _is_builtin_exception(found)):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is not accepted from a worker")


def _is_own(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == "mediakit"


def _is_builtin_exception(kind: type) -> bool:
    return kind is getattr(builtins, kind.__name__, None) and issubclass(kind, BaseException)
