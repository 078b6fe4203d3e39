"""The reader's trees, asked for many rows at once."""

import math
import random

import pytest

from mediakit.tools.documents.web_to_markdown.reader import model
from mediakit.tools.documents.web_to_markdown.reader.evidence import NAMES as EVIDENCE
from mediakit.tools.documents.web_to_markdown.reader.features import NAMES_OF
from mediakit.tools.documents.web_to_markdown.reader.kind import NAMES as KIND


@pytest.mark.parametrize("unknown", [0.0, 0.2, 1.0])
def test_many_rows_at_once_get_what_each_gets_alone(unknown: float) -> None:
    chance = random.Random(7)
    width = len(NAMES_OF()) + len(KIND) + len(EVIDENCE)
    rows = [
        [
            math.nan if chance.random() < unknown else chance.choice([-999, 0, 1, chance.gauss(0, 5)])
            for _ in range(width)
        ]
        for _ in range(40)
    ]
    alone = [1 / (1 + math.exp(-model.score(model.trees("units"), row))) for row in rows]
    assert model.likelihoods("units", rows) == pytest.approx(alone)
    assert len(set(alone)) > 1 or unknown == 1.0
