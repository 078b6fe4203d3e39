"""`mediakit doctor`: check the installation."""

import click


@click.command()
@click.pass_context
def doctor(ctx: click.Context) -> None:
    """Check the installation, and print how to fix problems. The exit code is 1 if a tool does not work."""
    from mediakit.diagnosis import Diagnosis, findings

    checked = []
    for finding in findings():
        checked.append(finding)
        click.echo(finding)
    ctx.exit(0 if Diagnosis(tuple(checked)).healthy else 1)
