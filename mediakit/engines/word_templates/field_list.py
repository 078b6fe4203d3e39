"""Lists the values that a template asks for."""

from collections.abc import Mapping, Sequence

from mediakit.engines.word_templates.field_info import FieldKind, TemplateField
from mediakit.engines.word_templates.language.expressions import Expression, paths
from mediakit.engines.word_templates.nodes import Choice, Fill, Loop, Step

_RANKS: dict[FieldKind, int] = {"list": 3, "image": 2, "value": 1, "condition": 0}
"""A field that is used in two ways has the kind with the higher rank."""

LOOP = "loop"


class FieldList:
    """The fields of a document, in the order in which they are first used."""

    def __init__(self) -> None:
        self._kinds: dict[str, FieldKind] = {}
        self._places: dict[str, dict[str, None]] = {}

    def collect(self, steps: Sequence[Step], label: str) -> None:
        """Add the fields of a part."""
        self._walk(steps, label, {LOOP: ""})

    @property
    def fields(self) -> list[TemplateField]:
        """The fields."""
        return [TemplateField(name, kind, ", ".join(self._places[name])) for name, kind in self._kinds.items()]

    @property
    def names(self) -> set[str]:
        """The paths of the fields."""
        return set(self._kinds)

    @property
    def roots(self) -> set[str]:
        """The keys of the data that the document asks for."""
        return {name.partition(".")[0] for name in self._kinds}

    def _walk(self, steps: Sequence[Step], label: str, variables: Mapping[str, str]) -> None:
        for step in steps:
            if isinstance(step, Fill):
                self._add(step.tag.expression, "value", label, variables)
            elif isinstance(step, Loop):
                name = self._add(step.tag.expression, "list", label, variables)
                self._walk(step.body, label, {**variables, step.tag.variable: name})
            elif isinstance(step, Choice):
                for branch in step.branches:
                    self._add(branch.condition, "condition", label, variables)
                    self._walk(branch.body, label, variables)

    def _add(self, expression: Expression | None, kind: FieldKind, label: str, variables: Mapping[str, str]) -> str:
        """Add the paths of an expression, and return the name of the first one; empty for `loop` and texts."""
        first = ""
        for path in paths(expression) if expression else ():
            name = _full_name(path.names, variables)
            first = first or name
            if not name:
                continue
            known = self._kinds.get(name)
            if known is None or _RANKS[kind] > _RANKS[known]:
                self._kinds[name] = kind
            self._places.setdefault(name, {})[label] = None
        return first


def _full_name(names: tuple[str, ...], variables: Mapping[str, str]) -> str:
    root, *rest = names
    if root not in variables:
        return ".".join(names)
    owner = variables[root]
    return ".".join((owner, *rest)) if owner else ""
