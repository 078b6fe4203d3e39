"""One value in several spellings: case, spaces, marks, accents, words for null, wrong charsets."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from mediakit.core.messages import counted
from mediakit.tools.data.data_profile.column_values import Observed, has_at_edges, unaccented
from mediakit.tools.data.data_profile.problems.values import Problem, shown

_WORDS = frozenset(
    "na n/a n.a. n.a n/d nd nan null none nil #n/a #na (null) (none) <na> <null> nat missing unknown unbekannt "
    "desconocido inconnu undefined - -- --- . ? ??".split()
)
_SPELLINGS = frozenset(form for word in _WORDS for form in (word, word.upper(), word.title(), word.capitalize())) | {
    "NaN",
    "NaT",
    "#n/a",
    "n/A",
    "N/a",
}
"""The words as people write them."""

_UNCERTAIN = frozenset("nd na none unknown missing . - ?".split())
"""Words that may be values of a column of text; they count where another spelling of null is there as well."""

_CODES_LIKE = ("country", "id", "uuid", "iban", "email", "url", "postcode")


def is_null_word(text: str) -> bool:
    """Return whether a trimmed text stands for null."""
    return not text or text.casefold() in _WORDS


def check_nulls(observed: Observed) -> Iterator[Problem]:
    """Find columns that write null in several ways, as empty cells and NA."""
    found = list(_null_cells(observed))
    words = {cell.strip().casefold() for cell in found if cell is not None and cell.strip()}
    if observed.is_text and observed.semantic in _CODES_LIKE:
        words -= _UNCERTAIN
    if not words or (observed.is_text and len({_spelling(cell) for cell in found}) == 1):
        return
    places = [place for place, cell in enumerate(observed.cells) if _is_null(cell)]
    counts = Counter(_spelling(observed.cells[place]) for place in places)
    if len(counts) == 1:
        return
    ways = ", ".join(f"{name} ({number:,})" for name, number in counts.most_common(6))
    sentence = f"{counted(len(places), 'null')} {'is' if len(places) == 1 else 'are'} written in several ways: {ways}."
    yield Problem.at(
        observed, "nulls_in_several_ways", places, sentence, "Leave such cells empty, or name the words in `nulls`."
    )


def _null_cells(observed: Observed) -> Iterable[Any]:
    """Return the distinct cells that stand for null."""
    if not observed.is_text:  # the reader has recognized them
        return [
            cell
            for cell in dict.fromkeys(observed.cells[place] for place in np.flatnonzero(observed.codes < 0).tolist())
            if _is_null(cell)
        ]
    if observed.is_padded:
        return [cell for cell in dict.fromkeys(observed.cells) if _is_null(cell)]
    known = {None, "", *_SPELLINGS}.intersection(observed.cells)
    return [cell for cell in (None, "", *sorted(_SPELLINGS)) if cell in known and _is_null(cell)]


def _is_null(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and len(cell) <= 16 and is_null_word(cell.strip()))


def _spelling(cell: str | None) -> str:
    return "empty" if cell is None or not cell.strip() else cell.strip()


_LAYOUT_SHARE = 0.5
"""Share of padded cells of a typed column from which on they are its layout, which reading removes."""


def check_spaces(observed: Observed) -> Iterator[Problem]:
    """Find cells with spaces around their text."""
    if not observed.is_padded:
        return
    padded = {
        cell
        for cell in dict.fromkeys(observed.cells)
        if isinstance(cell, str) and (cell[:1].isspace() or cell[-1:].isspace()) and cell.strip()
    }
    if not padded:
        return
    places = [place for place, cell in enumerate(observed.cells) if cell in padded]
    if not observed.is_text and len(places) > _LAYOUT_SHARE * len(observed.cells):
        return
    verb = "has" if len(places) == 1 else "have"
    example = next(iter(padded)) if len(padded) == 1 else observed.cells[places[0]]
    sentence = f'{counted(len(places), "cell")} {verb} spaces around the text, such as "{example[:40]}".'
    yield Problem.at(observed, "spaces_around", places, sentence, "Trim the cells.")


_SEPARATORS = re.compile(r"[\s_\-‐‑–]+")
_SEPARATOR_TABLE = dict.fromkeys(map(ord, "\t\v\f\r_-‐‑–\N{NO-BREAK SPACE}"), " ") | {ord("’"): "'"}
_EDGES = re.compile(r"(?<![ ,;:])[ ,;:]*\n[ ,;:]*")
_SPACES = re.compile(r" {2,}")
_TOKEN = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])\S+")
_LONGEST_AVERAGE = 60
_RARE = 0.25
"""Share of the usual spelling up to which one without its accents is a mistake, and not another name."""

_MACHINE_MADE = ("uuid", "url", "iban", "phone", "postcode")
_MOSTLY_UNIQUE = 0.5
_SHOWN_GROUPS = 3


def check_spellings(observed: Observed) -> Iterator[Problem]:
    """Find values that differ only by case, and others that differ by spaces, marks or accents; each is found once."""
    if not observed.is_text or not observed.distinct or observed.semantic in _MACHINE_MADE:
        return
    texts = observed.distinct
    if sum(map(len, texts)) > _LONGEST_AVERAGE * len(texts) or not _may_collide(texts):
        return
    is_category = len(texts) <= _MOSTLY_UNIQUE * observed.count
    near = list(_near(observed, is_category=is_category))
    reported = {place for group in near for place in group}
    groups: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        groups[text.strip().casefold()].append(place)
    cased = [
        group
        for key, group in groups.items()
        if len(group) > 1
        and (is_category or _is_prose(key))
        and len({texts[place].strip() for place in group}) > 1
        and reported.isdisjoint(group)
    ]
    if cased:
        yield _problem(observed, "case_variants", cased, "only by upper and lower case")
    if near:
        yield _problem(observed, "near_duplicates", near, "only by spaces, marks, accents or case")


def _may_collide(texts: list[str]) -> bool:
    """Return whether texts may be equal without regard to case, spaces, marks and accents; it is fast to rule out."""
    joined = "\n".join(texts)
    if not joined.isascii():
        joined = unaccented(joined)
    joined = f"\n{joined.casefold()}\n".translate(_SEPARATOR_TABLE).replace(".", " ")
    if has_at_edges(joined, " ,;:"):
        joined = _EDGES.sub("\n", joined)
    keys = _SPACES.sub(" ", joined).split("\n")[1:-1]
    return len(keys) != len(texts) or len(set(keys)) < len(texts)


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
    if not is_category or all(map(str.isascii, groups)):
        return
    plain: dict[str, list[str]] = defaultdict(list)
    for key in groups:
        plain[unaccented(key)].append(key)
    for keys in plain.values():  # with and without accents, where one of them is rare
        if len(keys) > 1:
            totals = sorted(int(observed.counts[groups[key]].sum()) for key in keys)
            if totals[0] <= _RARE * totals[-1]:
                yield [place for key in keys for place in groups[key]]


def _key(text: str) -> str:
    """Return a text without what people write in different ways; texts without letters stay as they are."""
    folded = text.strip().casefold()
    if folded.isalnum() or not any(map(str.isalpha, folded)):
        return folded
    return _SEPARATORS.sub(" ", folded).strip(" .,;:").replace("’", "'").replace(". ", " ")


def _problem(observed: Observed, kind: str, groups: Iterable[list[int]], how: str) -> Problem:
    """Return a problem; its rows are those of all spellings but the most frequent one of each group."""
    ordered = [sorted(group, key=lambda place: -int(observed.counts[place])) for group in groups]
    wrong = np.zeros(len(observed.distinct), np.bool_)
    for group in ordered:
        wrong[group[1:]] = True
    groups_shown = ([observed.distinct[place] for place in group[:3]] for group in ordered[:_SHOWN_GROUPS])
    # Spaces around a short text may be all that differs.
    some = "; ".join(
        " and ".join(f'"{each if len(each) <= 40 else shown(each)}"' for each in group) for group in groups_shown
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


_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_MAX_CHARACTERS = 2000
"""Characters of a cell that are looked at."""


def check_mojibake(observed: Observed) -> Iterator[Problem]:
    """Find cells such as MÃ¡laga, and cells with the replacement character."""
    if not observed.is_text or all(map(str.isascii, observed.distinct)):
        return
    repaired = [_repaired(text[:_MAX_CHARACTERS]) for text in observed.distinct]
    places = observed.places_of([one is not None for one in repaired])
    if not len(places):
        return
    place = int(observed.codes[places[0]])
    example, right = shown(observed.distinct[place]), repaired[place] or ""
    meant = "" if _REPLACEMENT in example else f' in place of "{shown(right)}"'
    verb = "was" if len(places) == 1 else "were"
    sentence = f'{counted(len(places), "cell")} {verb} decoded with the wrong charset, such as "{example}"{meant}.'
    fix = "Read the source with its charset (`encoding`), or repair the text with text_repair."
    yield Problem.at(observed, "mojibake", places, sentence, fix)


def _repaired(text: str) -> str | None:
    """Return the text that was meant; None for a text in order."""
    if text.isascii():
        return None
    if _REPLACEMENT in text:
        return text
    from ftfy import fix_encoding
    from ftfy.badness import is_bad

    if not is_bad(text):
        return None
    fixed = fix_encoding(text)
    return fixed if fixed != text else None
