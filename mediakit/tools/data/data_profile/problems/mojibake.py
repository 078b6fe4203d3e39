"""Text that was decoded with the wrong charset."""

from collections.abc import Iterator

from mediakit.tools.data.data_profile.observed import Observed
from mediakit.tools.data.data_profile.problems.problem import Problem, counted, shown

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_MAX_CHARACTERS = 2000
"""Characters of a cell that are looked at."""


def check(observed: Observed) -> Iterator[Problem]:
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
