"""Options of every tool's command that call it for each row of a table: `mediakit qr --from guests.csv --to codes`."""

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from mediakit.core.messages import quote
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput

SAMPLE_ROWS = 3
"""Rows that `--dry-run` shows."""

MAX_LISTED_ERRORS = 10

INTERRUPTED = 130
"""Exit code after an interrupt, as shells set it."""

TABLE_OPTIONS = ("rows_from", "rows_to", "name_pattern", "renamed", "omitted", "resume", "dry_run")
"""Parameters of the command that are not fields of the tool."""


def table_options(tool: Tool[..., Any]) -> list[click.Parameter]:
    """Return the options, without those whose names are fields of the tool. In place of `--to`, `-o` can be used."""
    fields = {f"--{parameter.name}" for parameter in tool.parameters}
    options: list[click.Parameter] = [
        click.Option(
            ["--from", "rows_from"],
            metavar="TABLE",
            help="Call the tool for each row of a table: a CSV, TSV, XLSX, ODS, Parquet, JSON or JSON Lines file, or - "
            "for CSV on standard input. Its columns are options, or keys of the template. A folder or a pattern such "
            'as "photos/*.jpg" is a table of its files.',
        ),
        click.Option(
            ["--to", "rows_to"],
            metavar="TARGET",
            help="Where files are saved: a folder, a .zip, one .pdf, a contact sheet (.png), or an fsspec URL such as "
            "s3://bucket/folder.",
        ),
        click.Option(
            ["--name", "name_pattern"],
            metavar="PATTERN",
            help='Names of the files, such as "{city}/{row}".',
        ),
        click.Option(
            ["--column", "renamed"],
            multiple=True,
            metavar="COLUMN=FIELD",
            help="The field or key for a column with another name. May be repeated.",
        ),
        click.Option(
            ["--omit", "omitted"],
            multiple=True,
            metavar="COLUMN",
            help='A column to ignore; "*" for all that are not used. May be repeated.',
        ),
        click.Option(
            ["--resume/--force"],
            default=True,
            help="Make only rows that failed, changed or are missing (default), or all of them.",
        ),
        click.Option(
            ["--dry-run"],
            is_flag=True,
            help=f"Show the columns and the calls of the first {SAMPLE_ROWS} rows, and make nothing.",
        ),
    ]
    return [option for option in options if option.opts[0] not in fields]


def run_rows(tool: Tool[..., Any], values: Mapping[str, Any], output: Path | None, given: Mapping[str, Any]) -> None:
    """Call the tool for each row, and end the process with status 1 if a row failed."""
    options: dict[str, Any] = {
        "columns": dict(_renaming(text) for text in given.get("renamed", ())) or None,
        "ignore": given["omitted"],
        "name": given["name_pattern"],
    }
    target = given.get("rows_to") or output
    if not given["dry_run"] and (target is None or str(target) == "-"):
        raise click.UsageError(f"Add -o TARGET: a folder, a .zip or a .pdf. mediakit {tool.command} --from … -o out/")
    with _source(given["rows_from"]) as source, _shell_errors():
        if given["dry_run"]:
            _show_sample(tool, source, values, options)
        else:
            _make(tool, source, {"to": str(target), "force": not given["resume"], **options, **values})


def _make(tool: Tool[..., Any], source: str, options: Mapping[str, Any]) -> None:
    from mediakit.batches import batch
    from mediakit.batches.result import latest

    earlier = latest.result
    try:
        made = batch(tool, source, **options)
    except KeyboardInterrupt:
        is_begun = latest.result is not earlier
        if not is_begun or not sys.stderr.isatty():  # on a terminal, the progress says so
            state = latest.result.summary if is_begun else "the table was still being checked, and no row was made"
            click.echo(f"Stopped: {state}. Run the same command again to continue.", err=True)
        raise SystemExit(INTERRUPTED) from None
    lines: Sequence[str] = [str(failed) for failed in made.errors[:MAX_LISTED_ERRORS]]
    for line in lines:
        click.echo(line, err=True)
    if made.failed_count > len(lines):
        click.echo(f"{made.failed_count - len(lines):,} more rows failed; report.csv lists all of them.", err=True)
    if not sys.stderr.isatty():  # on a terminal, the progress ends with it
        click.echo(made.summary, err=True)
    if made.failed_count:
        raise SystemExit(1)


@contextmanager
def _shell_errors() -> Iterator[None]:
    """Name options of the command in errors about columns."""
    from mediakit.batches.columns import ColumnsError

    try:
        yield
    except ColumnsError as error:
        fix = ""
        if len(error.unused) == 1:
            fix = f'Add --column "{error.unused[0]}=FIELD" to map it, or --omit "{error.unused[0]}".'
        elif error.unused:
            fix = 'Add --column "NAME=FIELD" to map one, or --omit "*".'
        elif error.missing:
            key = error.missing[0]
            fix = (
                f'Map one with --column COLUMN={key}, add --data "{key}=TEXT" for all rows, or add --defaults example '
                "to print example texts."
            )
        argument = "omit" if error.argument == "ignore" else error.argument
        raise InvalidInput(f"{argument}: {error.problem} {fix}".strip()) from None


def reject_without_rows(given: Mapping[str, Any]) -> None:
    """Raise an error for options that need `--from`.

    Raises:
        click.UsageError: One of them is given.
    """
    for option in click.get_current_context().command.params:
        if option.name in TABLE_OPTIONS and option.name not in ("rows_from", "resume") and given.get(option.name):
            raise click.UsageError(f"{option.opts[0]} needs --from TABLE, a table with one row for each call.")


@contextmanager
def _source(path: str) -> Iterator[str]:
    """Yield the path of the table; standard input is copied to a temporary file, so that it can have any size."""
    if path != "-":
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="mediakit-") as folder:
        copy = Path(folder, "input.csv")
        with copy.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield str(copy)


def _renaming(text: str) -> tuple[str, str]:
    column, separator, field = text.rpartition("=")
    if not (separator and column and field):
        raise InvalidInput(f"column: must be COLUMN=FIELD, such as Name=recipient, got {quote(text)}.")
    return column, field


def _show_sample(tool: Tool[..., Any], source: Any, values: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    from mediakit.batches.batch import sample
    from mediakit.batches.run import row_count

    total, columns, entries = sample(tool, source, values, count=SAMPLE_ROWS, **options)
    width = max(map(len, columns), default=0)
    click.echo(f"{'Rows' if total is None else row_count(total)} for mediakit {tool.command}")
    click.echo("\nColumns:")
    for column, use in columns.items():
        click.echo(f"  {column:{width}}  {use}")
    for entry in entries:
        click.echo(f"\nRow {entry.row.number}, {entry.name}:")
        shown = [f"  {name}: {_shown(value)}" for name, value in entry.values.items()]
        click.echo(f"  {entry.error}" if entry.error else "\n".join(shown))


def _shown(value: Any) -> str:
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
