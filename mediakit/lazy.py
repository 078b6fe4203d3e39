"""Names of a package that are imported on first use (PEP 562). The stub of the package lists them."""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

__all__ = ["attach_stub"]


def attach_stub(package: str, file: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package for the relative imports in its stub."""
    with open(f"{file}i", "rb") as source:  # noqa: PTH123  # pathlib takes longer to import than the rest
        stub = ast.parse(source.read())
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom) and node.level == 1]
    modules = {alias.name: node.module for node in imports for alias in node.names}
    names = sorted(modules)
    of_own_name = {name for name, module in modules.items() if module == name}

    class Package(ModuleType):
        """A package in which a function is not replaced by the module of its name when that is imported."""

        def __setattr__(self, name: str, value: object) -> None:
            if name not in of_own_name or not isinstance(value, ModuleType):
                super().__setattr__(name, value)

    def load(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = modules[name]
        value = getattr(import_module(f"{package}.{module}"), name) if module else import_module(f"{package}.{name}")
        setattr(sys.modules[package], name, value)
        return value

    sys.modules[package].__class__ = Package
    return load, lambda: names, names
