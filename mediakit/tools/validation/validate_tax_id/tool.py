"""The tool `validate_tax_id`, its request and its result."""

from dataclasses import KW_ONLY
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from mediakit.core import meta_schemas
from mediakit.core.messages import quote
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.validation.result import ValidationResult, ValueResult
from mediakit.engines.validation.service import ValueField, ValuesRequest, validate
from mediakit.engines.validation.values import adapt_values, lines_of
from mediakit.errors import NotConvertible
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_tax_id.check import check
from mediakit.tools.validation.validate_tax_id.kinds import Holder, Language, TaxIdOptions, country_of, registry

MAX_KIND_LENGTH = 40


def _known(code: str) -> str:
    country = country_of(code)
    if country not in registry():
        known = ", ".join(registry())
        raise ValueError(f"must be the code of a country whose numbers are known, got {quote(code)}; known: {known}.")
    return country


CountryCode = Annotated[str, AfterValidator(_known), Field(json_schema_extra={"minLength": 2, "maxLength": 2})]


@request
class ValidateTaxIdRequest(ValuesRequest):
    """Tax, identity and company numbers to check."""

    value_field: ClassVar[str] = "id"

    id: ValueField | None = None
    """Number of at most 1000 characters, or one per line; in Python also a column."""
    country: Annotated[CountryCode | None, Synonyms("region, country_code")] = None
    """Two-letter code of the country, EU for any member state. May be omitted if numbers begin with a VAT prefix."""
    _: KW_ONLY
    kind: Annotated[str, Field(min_length=1, max_length=MAX_KIND_LENGTH), Synonyms("type")] | None = None
    """`vat`, or the national word: `nif`, `cif`, `nie`, `rfc`, `curp`, `cuit`, `cnpj`, `cpf`, `rut`, `nit`, `siren`,
    `siret`, `steuernummer`, ...; unset: any kind of the country."""
    lang: Language = "en"
    """Language of the names of kinds: `en` or `es`."""

    @property
    def options(self) -> TaxIdOptions:
        """How the numbers are checked."""
        is_single = self.id is not None and len(lines_of(str(self.id))) == 1
        return TaxIdOptions(self.country, self.kind, self.lang, is_single)


class TaxIdVerdict(ValueResult):
    """The verdict on a tax number."""

    country: Annotated[str | None, Field(examples=["ES"])]
    """Code of the country."""
    kind: Annotated[str | None, Field(examples=["dni"])]
    """The first kind that fits, or the one that was requested."""
    kinds: Annotated[list[str] | None, Field(examples=[["dni", "nif"]])]
    """All kinds of the country that fit; those without check digit are last."""
    kind_name: Annotated[str | None, Field(examples=["National identity document (DNI)"])]
    """Name of the kind."""
    printed: Annotated[str | None, Field(examples=["12345678Z"])]
    """The number as it is usually written."""
    holder: Annotated[Holder | None, Field(examples=["person"])]
    """Who has such a number, as far as it shows."""
    checked: Annotated[bool | None, Field(examples=[True])]
    """Whether the kind has a check digit; false: only the shape was checked."""


class TaxIdValidation(ValidationResult[TaxIdVerdict]):
    """The verdicts on tax numbers."""

    _verdict = TaxIdVerdict


META = {
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    ValidateTaxIdRequest,
    tag="Validation",
    raw={"text/plain": "id"},
    produces={"json": "application/json"},
    errors=[NotConvertible],
    meta=META,
    adapt=adapt_values("id"),
    licensed_packages={"python-stdnum": ""},
    examples=[
        Example("A Spanish number of any kind", {"id": "12345678Z", "country": "ES"}),
        Example("VAT numbers with their prefix", {"values": ["DE136695976", "PT501964843", "XI980780684"]}),
        Example("A column of a table", {"file": SUPPLIERS, "column": "tax_id"}),
        Example(
            "One kind, with its name in Spanish", {"id": "390.533.447-05", "country": "BR", "kind": "cpf", "lang": "es"}
        ),
    ],
)
async def validate_tax_id(request: ValidateTaxIdRequest) -> TaxIdValidation:
    """Check tax, VAT, identity and company numbers of more than 80 countries.

    Each result has the kind of number, all kinds that fit, and whether the kind has a check digit. Numbers of bank
    accounts, addresses and registers are checked only if their `kind` is requested. Nothing is sent over the network:
    whether the number was assigned is not known. Dates of birth in a number are not returned.

    Raises:
        InvalidInput: There is no value, the country is missing, or the country has no such kind.
        NotConvertible: Reading the table took longer than 10 seconds.
    """
    return await validate(request, check, request.options, TaxIdValidation)
