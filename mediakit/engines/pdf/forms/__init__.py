"""Interactive forms (ISO 32000-2, 12.7): their fields, values and appearances."""
