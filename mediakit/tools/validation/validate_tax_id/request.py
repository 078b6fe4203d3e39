"""The request of `validate_tax_id`."""

from dataclasses import KW_ONLY
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from mediakit.core.messages import quote
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.validation.cleaning import lines_of
from mediakit.engines.validation.request import ValueField, ValuesRequest
from mediakit.tools.validation.validate_tax_id.options import Language, TaxIdOptions
from mediakit.tools.validation.validate_tax_id.registry import country_of, registry

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
