"""Own templates of the setting MEDIAKIT_TEMPLATES, for commands."""


def load_own_templates() -> None:
    """Add the templates of the setting.

    Raises:
        InvalidInput: The folder does not exist, or a template has a problem.
    """
    from mediakit.settings import Settings

    if folder := Settings().server.templates:
        from mediakit.engines.templates.registry import add_templates

        add_templates(folder)
