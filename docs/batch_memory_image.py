"""Measure the memory of a batch of 100,000 QR codes and draw it: `python docs/batch_memory_image.py [ROWS]`."""

# ruff: noqa: INP001  # a script, not part of a package

import sys
from pathlib import Path

import mediakit
from bench.batch_memory import ROWS, Samples, codes, summary

TARGET = Path(__file__).parent / "images" / "batch-memory.svg"
POINTS = 50


def draw(samples: Samples) -> mediakit.ChartResult:
    """Return a chart of the highest memory in each of some equal parts of the rows."""
    last = samples.rows[-1]
    highest: dict[int, float] = {}
    for row, used in zip(samples.rows, samples.megabytes, strict=True):
        part = max(1, -(-row * POINTS // last))
        highest[part] = max(highest.get(part, 0.0), used)
    return mediakit.chart(
        type="area",
        labels=[f"{part * last // POINTS:,}" for part in sorted(highest)],
        series=[{"name": "All processes", "data": [round(highest[part], 1) for part in sorted(highest)]}],
        title="Memory of a batch, MB by rows read",
        width=760,
        height=300,
        format="svg",
    )


def main() -> None:
    """Write the image."""
    samples = codes(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
    sys.stdout.write(f"{summary(samples)}\n")
    draw(samples).save(TARGET)


if __name__ == "__main__":
    main()
