"""The HTML files of templates: parsed once, checked, and rendered with texts."""
