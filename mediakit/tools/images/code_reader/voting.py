"""Voting: which detections are accepted as codes.

Linear codes have at most one check digit, and a misread of a blurred or torn code passes it one time in ten. Misreads
differ from codes in two ways: few adjacent scan lines agree on them, and no other pass repeats them. Each pass adds a
weighted vote for what it detects; a candidate is accepted once its votes reach `REQUIRED_VOTES`.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass, field

from PIL import Image

from mediakit.tools.images.code_reader.decoder import RETAIL, Detection
from mediakit.tools.images.code_reader.retail import reading

UNCHANGED_VIEW = "plain"
"""Name of the first pass."""

REQUIRED_VOTES = 1.0
"""Weighted votes at which a candidate is accepted."""

DOUBTFUL_VOTES = 1.5
"""Weighted votes at which a candidate is accepted that can be a part of another code."""

UNCORRECTED = frozenset({"PDF417", "CompactPDF417", "DataMatrix", "Aztec", "AztecCode"})
"""Symbologies that decode even when their whole error correction is used, and are then unreliable."""

UNCHECKED = frozenset({"ITF", "Codabar", "Code39", "Code39Std", "Code39Ext", "DXFilmEdge"})
"""Symbologies without a mandatory check digit."""

CODE_39 = frozenset({"Code39", "Code39Std", "Code39Ext"})

MIN_LENGTHS = {"ITF": 6, "Codabar": 4} | dict.fromkeys(CODE_39, 3)
"""Minimum number of characters of codes that later passes can find; they find shorter ones in random stripes."""


@dataclass(slots=True)
class Candidate:
    """A code that may be present, with its votes."""

    detection: Detection
    votes: float = 0.0
    passes: set[str] = field(default_factory=set)
    targeted: float = 0.0
    """Votes of targeted passes, which were made because of an earlier detection."""
    required: float = REQUIRED_VOTES
    """Weighted votes at which the candidate is decided."""
    contradicted: bool = False
    """Whether the bars show another number; see `retail.reading`."""

    @property
    def decided(self) -> bool:
        """Whether the votes suffice for a decision."""
        return self.votes >= self.required

    @property
    def accepted(self) -> bool:
        """Whether the votes suffice, and the bars do not contradict the detection."""
        return self.decided and not self.contradicted


class VoteTally:
    """The candidates of one image, which are compared with its bars.

    Any pass can find short codes of the symbologies that are requested by name.
    """

    def __init__(self, requested: Collection[str] = (), gray: Image.Image | None = None) -> None:
        self.candidates: list[Candidate] = []
        self._requested = requested
        self._gray = gray

    @property
    def undecided(self) -> list[Candidate]:
        """Candidates with too few votes."""
        return [each for each in self.candidates if not each.decided]

    def add_detections(
        self, detections: list[Detection], name: str, *, first: bool = False, targeted: bool = False
    ) -> None:
        """Add a vote of a pass for each of its detections. The first pass, over the unchanged image, misreads least."""
        for detection in detections:
            self.add_vote(detection, name, _weight(detection, first=first), targeted=targeted)

    def add_vote(self, detection: Detection, name: str, weight: float, *, targeted: bool = False) -> None:
        """Add a vote of a pass, which votes once for a code.

        Targeted passes were made because of an earlier detection; their votes count at most half.
        """
        same = (each for each in self.candidates if each.detection.key == detection.key)
        candidate = next((each for each in same if each.detection.is_near(detection)), None)
        if candidate is None:
            if self._is_too_short(detection, name):
                return
            is_doubtful = self._gray is not None and reading.has_bars_beside(self._gray, detection)
            required = DOUBTFUL_VOTES if is_doubtful else REQUIRED_VOTES
            self.candidates.append(candidate := Candidate(detection, required=required))
        elif name in candidate.passes:
            return
        elif detection.height > candidate.detection.height and not candidate.decided:
            candidate.detection = detection
        if targeted:
            weight = min(weight, REQUIRED_VOTES / 2 - candidate.targeted)
            candidate.targeted += weight
        candidate.passes.add(name)
        was_decided = candidate.decided
        candidate.votes += weight
        if candidate.decided and not was_decided:
            candidate.contradicted = self._gray is not None and reading.is_contradicted(self._gray, candidate.detection)

    def _is_too_short(self, detection: Detection, name: str) -> bool:
        """Return whether a code is so short that stripes resemble it, or it may be a part of a longer code."""
        shares = dict.fromkeys(CODE_39, 0.1) | {"ITF": 0.15}
        if name == UNCHANGED_VIEW and detection.height >= shares.get(detection.format, math.inf) * detection.width:
            return False
        digits = len(detection.text.strip("ABCDabcd")) if detection.format == "Codabar" else len(detection.text)
        return digits < MIN_LENGTHS.get(detection.format, 0) and detection.format not in self._requested

    def accepted(self) -> list[Candidate]:
        """Return the accepted codes; of two overlapping linear codes only the one with more votes."""
        accepted = (each for each in self.candidates if each.accepted)
        kept: list[Candidate] = []
        for candidate in sorted(accepted, key=lambda each: (-each.votes, -each.detection.height)):
            if not any(_conflict(candidate.detection, other.detection) for other in kept):
                kept.append(candidate)
        return kept


def _conflict(one: Detection, other: Detection) -> bool:
    """Return whether two codes exclude each other. Separate retail codes are never closer than their length."""
    retail = {one.format, other.format} <= RETAIL and one.is_near(other)
    return retail or (one.linear and other.linear and one.overlaps(other))


def _weight(detection: Detection, *, first: bool) -> float:
    """Return the weight of a vote of the first pass or of a later one."""
    lines, width = detection.height, detection.width
    if not detection.linear:
        is_used_up = detection.format in UNCORRECTED and detection.spare_correction == 0
        return 0.5 if is_used_up else 1.0
    if first and detection.format in RETAIL and detection.format != "UPCE":
        return 1.0 if lines >= max(15, 0.15 * width) else 0.5
    if lines < max(3, 0.012 * width):
        return 0.25
    is_reliable = first and detection.format != "UPCE" and not (detection.format in UNCHECKED and lines < 0.05 * width)
    return 1.0 if is_reliable else 0.5
