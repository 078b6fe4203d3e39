"""The report of a scan check: a score, advice, and which simulated photos were read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mediakit.scan_check.photo_check import FAIR_SCORE, GOOD_SCORE, PhotoCheck


@dataclass(frozen=True)
class ScanReport:
    """Whether a printed QR code will be read. A notebook displays it as a table."""

    score: int
    """0 to 100: the share of the photos that were read; large prints count more."""
    min_size_mm: float | None
    """The smallest checked print size that is read in every condition; None if there is none."""
    advice: tuple[str, ...]
    """What to change, most important first; empty if nothing has to be changed."""
    checks: tuple[PhotoCheck, ...]
    """The photos by print size and condition."""
    previews: Sequence[tuple[str, bytes]] = field(default=(), repr=False, compare=False)
    """A photo of each condition as PNG."""

    @property
    def verdict(self) -> str:
        """The score in words."""
        if self.score >= GOOD_SCORE:
            return "Scans well"
        if self.score >= FAIR_SCORE:
            return "Scans in good conditions"
        return "Hard to scan" if self.score else "Does not scan"

    def to_frame(self) -> Any:
        """Return the checks as a DataFrame of pandas, or of Polars if pandas is not installed."""
        from mediakit.results.frames import data_frame

        return data_frame([vars(check) for check in self.checks])

    def __repr__(self) -> str:
        size = f", from {self.min_size_mm:g} mm" if self.min_size_mm else ""
        return f"<ScanReport {self.score}/100: {self.verdict.lower()}{size}>"

    def _repr_html_(self) -> str:
        from mediakit.scan_check import report_html

        summary = report_html.summary(self.score, self.verdict, self.min_size_mm)
        table = report_html.photo_table(self.checks, dict(self.previews))
        return f'<div style="{report_html.BOX}">{summary}{report_html.advice_list(self.advice)}{table}</div>'
