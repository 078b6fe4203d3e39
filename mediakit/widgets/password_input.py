"""The input for a password. Its text is hidden, and code snippets never contain it."""

from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.widgets.inputs import Input, labeled


class PasswordInput(Input):
    """One password, or the initial passwords of the form."""

    wide = True
    is_kept = False

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, w.Password(**labeled(parameter)))
        self._several: list[str] | None = None

    def read(self) -> Any:
        """Return the password, or the initial passwords; None if there is none."""
        return self.control.value or self._several

    def fill(self, value: Any) -> None:
        """Use a password, or several until the user enters one."""
        self._several = None if isinstance(value, str) else list(value)
        self.control.value = value if isinstance(value, str) else ""
        self.control.placeholder = f"{len(self._several)} from your code" if self._several else ""
