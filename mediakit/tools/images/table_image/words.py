"""The words and dates of a table in its language."""

from collections.abc import Mapping
from dataclasses import dataclass

from mediakit.core.fields import Language

NULL = "–"
"""What stands for a missing value: an en dash."""


@dataclass(frozen=True)
class Words:
    """The words of a language."""

    months: tuple[str, ...]
    yes: str
    no: str
    sum: str
    mean: str
    source: str
    one_more: str
    more: str

    def more_rows(self, count: int) -> str:
        """Return the line that counts the rows that are not shown."""
        return self.one_more if count == 1 else self.more.format(count)


WORDS: Mapping[Language, Words] = {
    "en": Words(
        months=("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
        yes="Yes",
        no="No",
        sum="Total",
        mean="Mean",
        source="Source",
        one_more="and 1 more row",
        more="and {} more rows",
    ),
    "es": Words(
        months=("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"),
        yes="Sí",
        no="No",
        sum="Total",
        mean="Media",
        source="Fuente",
        one_more="y 1 fila más",
        more="y {} filas más",
    ),
}


def date_text(iso: str, lang: Language) -> str:
    """Return an ISO 8601 date as people write it: `Mar 4, 2026`, in Spanish `4 mar 2026`."""
    year, month, day = iso[:10].split("-")
    name = WORDS[lang].months[int(month) - 1]
    return f"{name} {int(day)}, {year}" if lang == "en" else f"{int(day)} {name} {year}"


def time_text(iso: str) -> str:
    """Return an ISO 8601 time without seconds that are zero; an offset is kept."""
    time, sign, offset = next(
        ((head, mark, tail) for mark in "+-Z" for head, found, tail in [iso.partition(mark)] if found), (iso, "", "")
    )
    short = time.removesuffix(":00") if time.count(":") == 2 else time
    return f"{short} {'UTC' if sign == 'Z' else 'UTC' + sign + offset}" if sign else short


def moment_text(iso: str, lang: Language, *, has_time: bool) -> str:
    """Return an ISO 8601 datetime; the time is omitted in a column whose times are all midnight."""
    date = date_text(iso, lang)
    return f"{date} {time_text(iso[11:])}" if has_time else date
