"""Forms for Word templates."""
