"""The tools as attributes of a class, which clients inherit as methods. `toolbox.pyi` has their types."""

from typing import Any

from mediakit.core.tool import Tool
from mediakit.tools.catalogue import load_tool, tool_names


class _LazyTool:
    """An attribute that imports its tool when it is first read."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        tool: Tool[..., Any] = load_tool(self._name)
        return tool.__get__(instance, owner)


class Toolbox:
    """Every tool of the catalogue."""


for _name in tool_names():
    setattr(Toolbox, _name, _LazyTool(_name))
