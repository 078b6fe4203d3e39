"""The tool `text_repair`."""

from collections.abc import Mapping

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.files import FileResult
from mediakit.samples import CITIES
from mediakit.tools.files.text_repair.request import Repaired, TextRepairRequest
from mediakit.tools.files.text_repair.result import TextResult

MEDIA_TYPE = "text/plain; charset=utf-8"

META: Mapping[str, meta_schemas.Schema] = {
    "warnings": meta_schemas.texts("What may not be as expected, such as an uncertain charset."),
}


@tool(
    TextRepairRequest,
    tag="Files",
    raw={"text/plain": "file", "text/*": "file", "application/octet-stream": "file"},
    produces=(MEDIA_TYPE,),
    meta=META,
    errors=[NotConvertible],
    examples=[
        Example("A file in another charset", {"file": CITIES}),
        Example("Text that was decoded with the wrong charset", {"text": "CafÃ© MÃ¼ller â€“ crÃ¨me brÃ»lÃ©e"}),
        Example("For Excel on Windows", {"file": CITIES, "bom": True, "newline": "crlf"}),
        Example(
            "Plain quotes, no spaces at the ends", {"text": "“Hello”  \n‘World’\t", "quotes": "straight", "trim": True}
        ),
    ],
)
async def text_repair(request: TextRepairRequest) -> TextResult:
    """Convert text of any charset to clean UTF-8, and repair text that was decoded with the wrong one.

    The charset is that of the byte order mark; else UTF-8 where the bytes are valid; else UTF-16 and UTF-32 by their
    zero bytes, charsets with escape sequences, the charset that XML or HTML declares, and finally the likeliest by the
    letters of languages. `changes` lists what was repaired, with the line. Right text is not changed.

    Raises:
        InvalidInput: The file is not text, the charset is unknown, or a byte is not valid in it.
        NotConvertible: It took longer than 10 seconds.
    """
    work, guard = "mediakit.tools.files.text_repair.repair:repair", Guard("text", seconds=10)
    done = await run_guarded(work, request, returns=Repaired, guard=guard, field=request.field)
    meta = {"size_bytes": len(done.content), "warnings": done.warnings}
    made = FileResult(done.content, MEDIA_TYPE, request.filename, meta)
    return TextResult(made, text=made.text, meta=meta, **done.fields)
