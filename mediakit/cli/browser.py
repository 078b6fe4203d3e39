"""`mediakit browser`: the Chromium that renders."""

import click


@click.group()
def browser() -> None:
    """Find or install the Chromium that renders."""


@browser.command()
def install() -> None:
    """Find a Chromium that works, or install one."""
    from mediakit.engines.browser.install import install
    from mediakit.settings import Settings

    install(Settings().browser, say=lambda line: click.echo(f"  {'Browser':<18} {line}"))
