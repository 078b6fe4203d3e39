"""Tab completion of texts with fixed choices in IPython: `mediakit.qr("hi", style="` suggests rounded and dots."""

from contextlib import suppress
from typing import Any

__all__ = ["register"]


def register() -> None:
    """Add the completions to the running IPython shell; do nothing without one."""
    from IPython import get_ipython

    shell: Any = get_ipython()
    if shell is None or not hasattr(shell, "Completer"):
        return
    with suppress(ImportError):  # IPython older than 8.6
        from mediakit.completion.matcher import add_matcher

        add_matcher(shell)
