"""Names of columns: unique, never empty; and the words for a name that is not there."""

from collections.abc import Iterable, Sequence

from mediakit.core.suggestions import similar


def unique_names(names: Iterable[str]) -> list[str]:
    """Return trimmed names, an empty one as `column_2` and a repeated one as `value_2`."""
    given = [name.strip() for name in names]
    taken = set(given)
    seen: set[str] = set()
    found: list[str] = []
    for place, name in enumerate(given, 1):
        unique = _free(name or f"column_{place}", seen, taken, is_new=not name or name in seen)
        seen.add(unique)
        found.append(unique)
    return found


def _free(name: str, seen: set[str], taken: set[str], *, is_new: bool) -> str:
    """Return the name, or the first numbered form of it that neither an earlier nor a later column has."""
    if not is_new or (name not in seen and name not in taken):
        return name
    number = 2
    while f"{name}_{number}" in seen or f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def numbered_names(count: int) -> list[str]:
    """Return `column_1`, `column_2` and so on."""
    return [f"column_{place}" for place in range(1, count + 1)]


def missing(name: str, known: Sequence[str]) -> str:
    """Say that there is no such column, with the nearest name or the names that there are."""
    if near := similar(name, known):
        return f'there is no column "{name[:80]}"; did you mean "{near[:80]}"?'
    shown = ", ".join(f'"{each[:40]}"' for each in known[:8])
    return f'there is no column "{name[:80]}"; there are {shown}{", ..." if len(known) > 8 else ""}.'
