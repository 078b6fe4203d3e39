"""Values of features that cannot be computed. The models were trained with these values."""

NOT_PRESENT = -1.0
"""A feature of a neighbor, an ancestor or a group of blocks that does not exist."""

NO_OFFSET = -999.0
"""The offset to a block that the page does not contain."""

NO_HEADING_DISTANCE = 99.0
"""The distance to a heading if there is none within `MAX_HEADING_DISTANCE` blocks."""
