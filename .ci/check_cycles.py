"""Fail if modules of mediakit import each other in a cycle, `if TYPE_CHECKING` imports included."""

import sys
from graphlib import CycleError, TopologicalSorter

import grimp


def main() -> int:
    """Print a cycle if there is one."""
    graph = grimp.build_graph("mediakit")
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        print("Import cycle:", " -> ".join(reversed(error.args[1])), file=sys.stderr)
        return 1
    print(f"No import cycle in {len(imports)} modules.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
