"""Animations: read every frame with its exact delay, and write GIF, WebP and APNG without merging frames."""
