"""Lists, fills and flattens a form; runs in a worker."""

from mediakit.engines.pdf.document import open_to_read, prepare_to_change, refuse_dynamic_xfa
from mediakit.engines.pdf.forms.field_info import FormOptions, FormOutcome
from mediakit.engines.pdf.forms.filling import fill, flatten
from mediakit.engines.pdf.forms.listing import describe
from mediakit.engines.pdf.forms.tree import Form
from mediakit.engines.pdf.forms.values import Values
from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.source import Source
from mediakit.errors import InvalidInput


def work(file: bytes, options: FormOptions) -> FormOutcome:
    """Return the fields of a form, and the filled or flattened file.

    Raises:
        InvalidInput: The file is not a PDF with fields that take these values.
    """
    source = open_to_read(file, options.password)
    refuse_dynamic_xfa(source)
    form = Form(source)
    if options.values is None and not options.flatten:
        return FormOutcome(describe(form), len(source.pages), warnings=source.warnings)
    if not form.fields:
        raise InvalidInput("file: has no form fields.")
    return _written(source, form, options)


def _written(source: Source, form: Form, options: FormOptions) -> FormOutcome:
    values = Values(form.fields, options.values or {}, strict=options.strict)
    for name in values.chosen:
        if form.fields[name].type == "signature":  # before it is removed because it is signed
            raise InvalidInput(f"values.{values.chosen[name][0]}: signature fields cannot be filled.")
    prepare_to_change(source)
    form = Form(source)
    filled = fill(form, values) if options.values is not None else []
    fields = describe(form)
    if options.flatten:
        flatten(form)
    return FormOutcome(
        fields=fields,
        pages=len(source.pages),
        content=save(source.pdf),
        filled=filled,
        unknown=values.unknown,
        warnings=source.warnings,
    )
