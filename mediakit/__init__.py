"""Images, PDFs, charts, codes and clean text from a notebook, a shell or an HTTP API.

Each tool is a function. Its result displays itself in a notebook, and can be saved:

    code = mediakit.qr("https://example.com", style="rounded")
    code.save("code.png")
    code.code("curl")               the same call for another program

Start here:

    help(mediakit.qr)               the fields of a tool, with limits, defaults and examples
    mediakit.find("invoice")        the tools for a task, with an example
    mediakit.form("qr")             a form for a tool, in a notebook
    mediakit.templates()            certificates, invoices and other templates for capture and pdf
    mediakit.batch(mediakit.qr, frame)   one tool over the rows of a table
    mediakit.serve()                the HTTP API and its documentation
    mediakit.doctor()               check this machine
"""

import sys

from mediakit.lazy import attach_stub

# The public names are in `__init__.pyi`, one per line. A name is imported on its first use.
_load, __dir__, __all__ = attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    if name == "last_batch":  # every batch replaces it, and `_load` would keep the first
        from mediakit.batches import last_batch

        return last_batch
    if name.startswith("_") or name in __dir__():
        return _load(name)
    try:
        return _load(name)
    except AttributeError:
        from mediakit.errors import UnknownName
        from mediakit.tools.tasks import suggestion

        hint = suggestion(name, __all__, f'mediakit.find("{name}") searches the tools.')
        raise UnknownName(f"mediakit.{name}: does not exist{hint}") from None


if "IPython" in sys.modules:
    from mediakit.completion import register

    register()
    del register
