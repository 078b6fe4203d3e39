"""`mediakit browser`: find or install Chromium."""

import click


@click.group()
def browser() -> None:
    """Find or install Chromium."""


@browser.command()
def install() -> None:
    """Find a working Chromium, or install one."""
    from mediakit.core.runtime import runtime
    from mediakit.engines.browser.install import install as find_or_install
    from mediakit.settings import Settings

    runtime.run(find_or_install(Settings().browser, lambda line: click.echo(f"  {'Browser':<18} {line}")))
