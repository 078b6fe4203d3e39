"""One value in several spellings: upper and lower case, spaces, hyphens, full stops, accents."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np

from mediakit.tools.data.data_profile.observed import Observed
from mediakit.tools.data.data_profile.problems.nulls import is_null_word
from mediakit.tools.data.data_profile.problems.problem import Problem, shown

_SEPARATORS = re.compile(r"[\s_\-‐‑–]+")
_SEPARATOR_TABLE = dict.fromkeys(map(ord, "\t\v\f\r_-‐‑–\N{NO-BREAK SPACE}"), " ") | {ord("’"): "'"}
_EDGES = re.compile(r"[ .,;:]*\n[ .,;:]*")
_SPACES = re.compile(r" {2,}")
_TOKEN = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])\S+")
_LONGEST_AVERAGE = 60
_RARE = 0.25
"""Share of the usual spelling up to which one without its accents is a mistake, and not another name."""

_MACHINE_MADE = ("uuid", "url", "iban", "phone", "postcode")
_MOSTLY_UNIQUE = 0.5
_SHOWN_GROUPS = 3


def check(observed: Observed) -> Iterator[Problem]:
    """Find values that differ only by case, and others that differ by spaces, marks or accents; each is found once."""
    if not observed.is_text or not observed.distinct or observed.semantic in _MACHINE_MADE:
        return
    texts = observed.distinct
    if sum(map(len, texts)) > _LONGEST_AVERAGE * len(texts):
        return
    if not _may_collide(texts):
        return
    is_category = len(texts) <= _MOSTLY_UNIQUE * observed.count
    near = list(_near(observed, is_category=is_category))
    reported = {place for group in near for place in group}
    cased = [
        group
        for group in _groups(texts, is_category=is_category)
        if len({texts[place].strip() for place in group}) > 1 and reported.isdisjoint(group)
    ]
    if cased:
        yield _problem(observed, "case_variants", cased, "only by upper and lower case")
    if near:
        yield _problem(observed, "near_duplicates", near, "only by spaces, marks, accents or case")


def _may_collide(texts: list[str]) -> bool:
    """Return whether texts may be equal without regard to case, spaces, marks and accents; it is fast to rule out."""
    joined = "\n".join(texts)
    if not joined.isascii():
        joined = _unaccented(joined)
    joined = _EDGES.sub("\n", f"\n{joined.casefold()}\n".translate(_SEPARATOR_TABLE).replace(".", " "))
    keys = _SPACES.sub(" ", joined).split("\n")[1:-1]
    return len(keys) != len(texts) or len(set(keys)) < len(texts)


def _groups(texts: list[str], *, is_category: bool) -> list[list[int]]:
    """Return the places of texts that are equal without regard to case and to the space around them."""
    groups: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        groups[text.strip().casefold()].append(place)
    return [group for key, group in groups.items() if len(group) > 1 and (is_category or _is_prose(key))]


def _is_prose(key: str) -> bool:
    """Return whether a text is of words, and not a token in which the case of a letter matters."""
    return not is_null_word(key) and not _TOKEN.fullmatch(key) and len(key) > 1


def _near(observed: Observed, *, is_category: bool) -> Iterator[list[int]]:
    """Return groups of places of values that are nearly equal, and differ by more than case or outer spaces alone."""
    texts = observed.distinct
    groups: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        groups[_key(text)].append(place)
    for key, group in groups.items():
        if len(group) > 1 and len(key) > 1 and _is_prose(key):
            has_more = len({texts[one].casefold() for one in group}) > 1
            if has_more and len({texts[one].strip() for one in group}) > 1:
                yield group
    if is_category:
        yield from _without_accents(observed, groups)


def _without_accents(observed: Observed, groups: dict[str, list[int]]) -> Iterator[list[int]]:
    """Return groups of spellings with and without accents, where one of them is rare."""
    if all(map(str.isascii, groups)):
        return
    plain: dict[str, list[str]] = defaultdict(list)
    for key in groups:
        plain[_unaccented(key)].append(key)
    for keys in plain.values():
        if len(keys) == 1:
            continue
        totals = sorted(int(observed.counts[groups[key]].sum()) for key in keys)
        if totals[0] <= _RARE * totals[-1]:
            yield [place for key in keys for place in groups[key]]


def _key(text: str) -> str:
    """Return a text without what people write in different ways; texts without letters stay as they are."""
    folded = text.strip().casefold()
    if folded.isalnum() or not any(map(str.isalpha, folded)):
        return folded
    return _SEPARATORS.sub(" ", folded).strip(" .,;:").replace("’", "'").replace(". ", " ")


def _unaccented(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def _problem(observed: Observed, kind: str, groups: Iterable[list[int]], how: str) -> Problem:
    """Return a problem; its rows are those of all spellings but the most frequent one of each group."""
    ordered = [sorted(group, key=lambda place: -int(observed.counts[place])) for group in groups]
    wrong = np.zeros(len(observed.distinct), np.bool_)
    for group in ordered:
        wrong[group[1:]] = True
    some = "; ".join(
        " and ".join(f'"{_written(observed.distinct[place])}"' for place in group[:3])
        for group in ordered[:_SHOWN_GROUPS]
    )
    count = len(ordered)
    what = "1 value has spellings that differ" if count == 1 else f"{count:,} values have spellings that differ"
    return Problem.at(
        observed,
        kind,  # type: ignore[arg-type]  # one of two
        observed.places_of(wrong),
        f"{what} {how}: {some}.",
        "Replace the rare spellings by the usual one.",
    )


def _written(text: str) -> str:
    """Return a text with the spaces around it, which may be all that differs."""
    return text if len(text) <= 40 else shown(text)
