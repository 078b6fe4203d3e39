"""The parts of every chart: its canvas, scales, axes, labels, title and legend."""
