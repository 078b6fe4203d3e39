"""Word templates: finds placeholders such as `{{ name }}` in a DOCX, and fills them with data."""
