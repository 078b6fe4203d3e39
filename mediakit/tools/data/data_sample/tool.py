"""The tool `data_sample`."""

import asyncio
import secrets
from collections.abc import Mapping
from typing import Any

from mediakit.core import meta_schemas
from mediakit.core.media import extension_of
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import TABLE, run_guarded
from mediakit.engines.tables.model import COLUMN_TYPES, Document, Facts, ReadOptions, Table
from mediakit.engines.tables.writers import WriteOptions, write
from mediakit.errors import NotConvertible
from mediakit.results.files import FileResult
from mediakit.tools.data.data_sample.fields import check_fields, checked
from mediakit.tools.data.data_sample.generation import MAX_ROWS as MAX_LIKE_ROWS
from mediakit.tools.data.data_sample.generation import generate
from mediakit.tools.data.data_sample.kinds import KINDS_VERSION, template_fields
from mediakit.tools.data.data_sample.plan import Field, Setting, language_of
from mediakit.tools.data.data_sample.request import MAX_SEED, DataSampleRequest, SampleResult, adapt_arguments

FORMATS = {
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "sql": "application/sql",
    "parquet": "application/vnd.apache.parquet",
}
META: Mapping[str, meta_schemas.Schema] = {
    "seed": meta_schemas.integer("The seed, with which the same rows are made again.", 42),
    "rows": meta_schemas.integer("Number of rows.", 10),
    "columns": {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["name", "type", "kind"],
            "properties": {
                "name": {"type": "string"},
                "type": {"type": "string", "enum": list(COLUMN_TYPES)},
                "kind": {"type": "string"},
            },
        },
        "description": "Name, type and kind of each column.",
        "examples": [[{"name": "id", "type": "integer", "kind": "id"}]],
    },
    "lang": meta_schemas.text("The locale of the values.", "en_US"),
    "kinds_version": meta_schemas.text(
        "Version of the kinds; the same seed makes the same rows within one.", KINDS_VERSION
    ),
    "size_bytes": meta_schemas.optional(meta_schemas.integer("Size of the file, if one was made.", 640)),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    DataSampleRequest,
    tag="Data",
    produces=FORMATS,
    meta=META,
    errors=[NotConvertible],
    adapt=adapt_arguments,
    licensed_packages={"python-stdnum": "fields of the kind `tax_id`"},
    examples=[
        Example("People", {"fields": {"id": "id", "name": "name", "email": "email", "city": "city"}, "seed": 1}),
        Example("A ready list of fields in Spanish", {"template": "orders", "rows": 5, "lang": "es", "seed": 1}),
        Example(
            "Fields with options, as a CSV file",
            {
                "fields": {
                    "invoice": {"kind": "sequence", "pattern": "INV-####"},
                    "day": {"kind": "date", "from": "2025-01-01", "to": "2025-03-31"},
                    "product": "product",
                    "price": "price",
                    "quantity": {"kind": "integer", "min": 1, "max": 9},
                    "total": {"kind": "formula", "formula": "round(price * quantity, 2)"},
                    "note": {"kind": "sentence", "null_pct": 60},
                },
                "rows": 20,
                "seed": 7,
                "format": "csv",
            },
        ),
        Example("Tax numbers of a country", {"fields": {"tax_id": {"kind": "tax_id", "country": "ES"}}, "seed": 2}),
        Example(
            "Rows like those of a table",
            {
                "like": [
                    {"city": "Vigo", "day": "2025-05-02", "visitors": 120},
                    {"city": "Lugo", "day": "2025-05-09", "visitors": 87},
                    {"city": "Vigo", "day": "2025-06-20", "visitors": 143},
                ],
                "seed": 3,
            },
        ),
    ],
)
async def data_sample(request: DataSampleRequest) -> SampleResult:
    """Make up tables of test data: people, orders, sensors, or fields of your own.

    First name, last name, gender and e-mail address of a row agree, and so do city, postcode and position, and product,
    price and SKU; a second field of a kind belongs to a second person, place or product. IBANs, tax numbers and EANs
    pass validation. No value reaches a person: e-mail addresses are at example.com, .org and .net, phone numbers are in
    ranges for fiction or that no operator has, and the banks do not exist. The same seed makes the same rows.

    Raises:
        InvalidInput: A field is invalid, has not enough different values, or the table of `like` cannot be read.
        NotConvertible: Reading the table of `like` took longer than 10 seconds.
    """
    fields, warnings = await _fields(request)
    seed = secrets.randbelow(MAX_SEED) if request.seed is None else request.seed
    setting = Setting(request.locale, seed, request.rows, frozenset(field.kind for field in fields))
    table, notes = await asyncio.to_thread(generate, fields, setting)
    kinds = {field.name: field.kind for field in fields}
    made = None if request.format == "json" else await asyncio.to_thread(_file, table, request)
    meta = {
        **({} if made is None else {"size_bytes": len(made.content)}),
        "seed": seed,
        "rows": len(table),
        "columns": [{"name": one.name, "type": one.type, "kind": kinds[one.name]} for one in table.columns],
        "lang": request.locale,
        "kinds_version": KINDS_VERSION,
        "warnings": [*warnings, *notes],
    }
    return SampleResult(list(table.records()), made, meta=meta)


async def _fields(request: DataSampleRequest) -> tuple[list[Field], list[str]]:
    """Return the fields that a request names or describes, and warnings."""
    if request.like is not None:
        source, types = request.like_source()
        chosen: Any = types or "auto"
        options = ReadOptions(field="like", max_rows=MAX_LIKE_ROWS, types=chosen)
        fields, warnings = await run_guarded(
            "mediakit.tools.data.data_sample.generation:fields_like",
            source,
            options,
            returns=tuple[list[Field], list[str]],
            field="like",
            guard=TABLE,
        )
        return list(map(checked, fields)), warnings
    template = request.template
    return check_fields(template_fields(template, language_of(request.locale)) if template else request.fields), []


def _file(table: Table, request: DataSampleRequest) -> FileResult:
    name = request.template or "sample"
    document = Document(Facts(), {"data": table})
    written = write(document, WriteOptions(to=request.format, table=name, title=name))
    media = FORMATS[request.format]
    return FileResult(written.content, media, f"{name}.{extension_of(media)}")
