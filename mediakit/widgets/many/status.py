"""The progress, the errors and the download link of a batch as HTML."""

import html

from mediakit.core.messages import readable_size
from mediakit.widgets.many.creation import Progress

MAX_LINK_BYTES = 20_000_000
"""Larger files are not embedded in the form; the form shows how to save them from Python."""

MAX_LISTED_ERRORS = 20


def status_html(progress: Progress) -> str:
    """Return the state of a batch as HTML."""
    bar = ""
    if progress.is_running:
        bar = f'<progress aria-label="Progress" max="{progress.total}" value="{progress.done}"></progress>'
    text = f"<div role='status'>{bar}<span>{html.escape(progress.text)}</span></div>"
    return text + _link(progress) + _errors(progress)


def error_html(message: str) -> str:
    """Return an error message as HTML."""
    return f"<div role='alert' class='mediakit-error'>{html.escape(message)}</div>"


def _link(progress: Progress) -> str:
    file = progress.file
    if file is None:
        return ""
    name, size = html.escape(file.filename), readable_size(len(file.content))
    if len(file.content) > MAX_LINK_BYTES:
        return f"<div>{size}: save it with <code>form.batch_file.save(&quot;{name}&quot;)</code></div>"
    return (
        f'<div><a class="mediakit-download" download="{name}" href="{file.data_uri()}">Download {name}</a> {size}</div>'
    )


def _errors(progress: Progress) -> str:
    errors = progress.errors
    if not errors:
        return ""
    listed = "".join(f"<li>{html.escape(error)}</li>" for error in errors[:MAX_LISTED_ERRORS])
    more = len(errors) - MAX_LISTED_ERRORS
    listed += f"<li>… and {more} more in form.batch.errors</li>" if more > 0 else ""
    return f"<ul class='mediakit-row-errors'>{listed}</ul>"
