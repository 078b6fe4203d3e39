"""Resources that a form shares among its fields, such as fonts."""

import re
from collections.abc import Iterator

import pikepdf
from pikepdf import Array, Dictionary, Name, String

MAX_FIELDS = 100_000
"""Fields whose default appearances are rewritten."""


def rename_clashing_resources(first: pikepdf.Object, form: pikepdf.Object) -> None:
    """Rename resources of a form where the first form has others of the same name."""
    mine, theirs = _resources(first), _resources(form)
    renamed: dict[str, str] = {}
    for category, add in theirs.items():
        have = mine.get(category)
        if isinstance(have, Dictionary) and isinstance(add, Dictionary):
            clashing = [key for key, value in add.items() if key in have and not _alike(have[key], value)]
            renamed |= {key: _free(key, {*have.keys(), *add.keys()}) for key in clashing}
            theirs[category] = Dictionary({renamed.get(key, key): value for key, value in add.items()})
    if renamed:
        _rewrite(form, renamed)


def join_resources(first: pikepdf.Object, form: pikepdf.Object) -> None:
    """Add the resources of a copied form to those of the first."""
    if Name.DR not in first:
        first.DR = Dictionary()
    for category, add in _resources(form).items():
        have = first.DR.get(category)
        if isinstance(have, Dictionary) and isinstance(add, Dictionary):
            for key in add.keys() - have.keys():
                have[key] = add[key]
        elif have is None:
            first.DR[category] = add


def _resources(form: pikepdf.Object) -> pikepdf.Object:
    found = form.get(Name.DR)
    return found if isinstance(found, Dictionary) else Dictionary()


def _alike(one: pikepdf.Object, other: pikepdf.Object) -> bool:
    """Return whether two resources draw the same; two standard fonts of one name do."""
    if isinstance(one, Dictionary) and isinstance(other, Dictionary):
        fonts = (one.get(Name.BaseFont), other.get(Name.BaseFont))
        if fonts[0] is not None and Name.FontDescriptor not in one and Name.FontDescriptor not in other:
            return bool(fonts[0] == fonts[1])
    return bool(one == other)


def _free(key: str, taken: set[str]) -> str:
    number = 2
    while f"{key}_{number}" in taken:
        number += 1
    return f"{key}_{number}"


def _rewrite(form: pikepdf.Object, renamed: dict[str, str]) -> None:
    """Rename resources in the default appearances of a form and its fields."""
    new = {old.encode("latin-1", "replace"): name.encode("latin-1", "replace") for old, name in renamed.items()}
    pattern = re.compile(b"(?:" + b"|".join(map(re.escape, new)) + rb")(?=\s|$)")
    for node in _nodes(form):
        if isinstance(appearance := node.get(Name.DA), String):
            node.DA = String(pattern.sub(lambda match: new[match[0]], bytes(appearance)))


def _nodes(form: pikepdf.Object) -> Iterator[pikepdf.Object]:
    waiting, count = [form], 0
    while waiting and count < MAX_FIELDS:
        node = waiting.pop()
        count += 1
        if isinstance(node, Dictionary):
            yield node
            kids = node.get(Name.Fields if node is form else Name.Kids)
            waiting += list(kids) if isinstance(kids, Array) else []
