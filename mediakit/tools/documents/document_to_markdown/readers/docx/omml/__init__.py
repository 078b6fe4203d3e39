"""Formulas of Office documents (OMML) as LaTeX."""
