"""Names of the places of phone numbers, from the data of phonenumbers.

Importing `phonenumbers.geocoder` loads 19 MB of source. Its data are in files sorted by prefix, so that only the file
of a prefix is loaded here, and all of them where the files are not as expected.
"""

import importlib.util
import re
from bisect import bisect_right
from functools import cache
from pathlib import Path
from typing import Any

Names = dict[str, str]
_FIRST_KEY = re.compile(r"^ '(\d+)':", re.MULTILINE)
_HEAD_BYTES = 4096
_LONGEST_PREFIX = 10
_RENAMED = {
    "MK": {"en": "North Macedonia", "es": "Macedonia del Norte"},
    "SZ": {"en": "Eswatini", "es": "Esuatini"},
    "CV": {"en": "Cabo Verde", "es": "Cabo Verde"},
    "CZ": {"en": "Czechia", "es": "Chequia"},
    "TR": {"en": "Türkiye", "es": "Turquía"},
}


def region_name(region: str | None, lang: str) -> str | None:
    """Return the name of a region, None if it is not known."""
    if region is None:
        return None
    names = _RENAMED.get(region) or _region_names().get(region, {})
    name = names.get(lang, "")
    return (names.get(name[1:], "") if name.startswith("*") else name) or names.get("en") or None


def location(number: str, lang: str) -> str | None:
    """Return the city or area of a number, which are its calling code and national number; None if not known."""
    for length in range(min(_LONGEST_PREFIX, len(number)), 0, -1):
        prefix = number[:length]
        names = _names_near(prefix).get(prefix)
        if names:
            return names.get(lang) or names.get("en") or None
    return None


def _names_near(prefix: str) -> dict[str, Names]:
    """Return the part of the data that has the names of a prefix, if there are any."""
    starts = _first_prefixes()
    if not starts:
        return _all_names()
    place = bisect_right(starts, prefix) - 1
    return _part(f"data{place}") if place >= 0 else {}


@cache
def _first_prefixes() -> tuple[str, ...]:
    """Return the first prefix of each data file, empty if the files are not sorted or not found."""
    found = []
    for number in range(len(list(_folder().glob("data*.py")))):
        with (_folder() / f"data{number}.py").open("rb") as file:
            key = _FIRST_KEY.search(file.read(_HEAD_BYTES).decode("utf-8", "replace"))
        if key is None:
            return ()
        found.append(key.group(1))
    return tuple(found) if found == sorted(found) else ()


@cache
def _folder() -> Path:
    import phonenumbers

    return Path(phonenumbers.__file__).parent / "geodata"


@cache
def _part(name: str) -> dict[str, Names]:
    data: dict[str, Names] = _module(name).data
    return data


@cache
def _region_names() -> dict[str, Names]:
    data: dict[str, Names] = _module("locale").LOCALE_DATA
    return data


def _module(name: str) -> Any:
    """Return a module of `phonenumbers.geodata` without running the package, which would load all of them."""
    full_name = f"phonenumbers.geodata.{name}"
    spec = importlib.util.spec_from_file_location(full_name, _folder() / f"{name}.py")
    if spec is None or spec.loader is None:
        return importlib.import_module(full_name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def _all_names() -> dict[str, Names]:
    from phonenumbers.geodata import GEOCODE_DATA

    data: dict[str, Names] = GEOCODE_DATA
    return data
