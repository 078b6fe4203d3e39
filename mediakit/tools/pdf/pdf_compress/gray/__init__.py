"""Conversion to gray: content streams, gradients, annotations and images."""
