"""The lists of Faker: names, jobs, streets and companies of a locale. Only what is needed is loaded."""

from functools import cache
from typing import Any

from mediakit.tools.data.data_sample.chance import Weighted, weighted

FALLBACK = "en_US"
"""The locale of lists that Faker lacks for another one."""


@cache
def provider(name: str, locale: str) -> Any:
    """Return a provider of Faker, such as `person`, with `__lang__`: the locale of its lists."""
    from faker.factory import Factory

    return Factory.create(locale, [f"faker.providers.{name}"]).get_providers()[0]


def lacks(name: str, locale: str) -> bool:
    """Return whether a provider has no lists for a locale, so that English ones stand in."""
    found = provider(name, locale).__lang__ or FALLBACK
    return bool(found.partition("_")[0] != locale.partition("_")[0])


def names(locale: str, *attributes: str) -> Weighted[str]:
    """Return the first list of a person provider that exists."""
    person = provider("person", locale)
    return weighted(next(found for name in attributes if (found := getattr(person, name, None))))


def jobs(locale: str) -> Weighted[str]:
    """Return the names of jobs."""
    found = provider("job", locale)
    items = sorted({" ".join(job.split()) for job in getattr(found, "jobs", ()) or provider("job", FALLBACK).jobs})
    return Weighted([job for job in items if not job.lower().startswith("armed forces")])


@cache
def countries() -> list[tuple[str, str]]:
    """Return the code and the English name of each country, in the order of the codes."""
    from faker.providers.date_time import Provider

    return sorted((country.alpha_2_code, country.name) for country in Provider.countries)


def street_maker(locale: str, seed: str) -> Any:
    """Return a function that makes the name of a street."""
    return _generator(_with("address", locale), seed, "person", "address").street_name


def company_maker(locale: str, seed: str) -> Any:
    """Return a function that makes the name of a company."""
    return _generator(_with("company", locale), seed, "person", "company").company


def city_makers(locale: str, seed: str) -> tuple[Any, Any]:
    """Return functions that make a city and a postcode."""
    made = _generator(_with("address", locale), seed, "person", "address")
    return made.city, made.postcode


def _with(name: str, locale: str) -> str:
    """Return the locale, or English where it has no list: a mixture of two languages is neither."""
    return FALLBACK if lacks(name, locale) else locale


def _generator(locale: str, seed: str, *names: str) -> Any:
    """Return a generator of its own, so that seeding it changes nothing else."""
    from faker.factory import Factory

    made = Factory.create(locale, [f"faker.providers.{name}" for name in names], use_weighting=False)
    made.seed_instance(seed)
    return made
