"""`mediakit find`: the tools for a task."""

import textwrap

import click

from mediakit.search import find as find_tools


@click.command("find", short_help="Find the tool for a task.")
@click.argument("words", nargs=-1)
def find(words: tuple[str, ...]) -> None:
    """Find the tool for a task, such as: mediakit find word to pdf. Without words, all tools are listed."""
    found = find_tools(" ".join(words))
    if not found:
        raise click.ClickException(f'no tool fits "{" ".join(words)}". mediakit --help lists all tools.')
    for each in found:
        name = each.name.replace("_", "-") if each.command else each.name
        click.echo(f"{name}: {each.summary}")
        code = each.command or (f"In Python: {each.call}" if each.call else "")
        if words and code:
            click.echo(textwrap.indent(code, "    "))
