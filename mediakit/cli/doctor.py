"""`mediakit doctor`: what works here, what is missing, and the command that mends it."""

import click


@click.command()
@click.pass_context
def doctor(ctx: click.Context) -> None:
    """Say what works here and what is missing; exit code 1 if a tool does not work."""
    from mediakit.diagnosis import Diagnosis, findings
    from mediakit.diagnosis.finding import lines

    found = []
    for finding in findings():
        found.append(finding)
        for line in lines(finding):
            click.echo(line)
    ctx.exit(0 if Diagnosis(tuple(found)).healthy else 1)
