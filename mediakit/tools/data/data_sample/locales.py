"""Languages and their countries."""

from mediakit.core.messages import nearest, quote

# The locales of Faker, listed here so that checking a request does not import it. A test compares them.
LOCALES = tuple(
    """
    am_ET ar_AA ar_AE ar_BH ar_DZ ar_EG ar_JO ar_PS ar_SA az_AZ bg_BG bn_BD bs_BA cs_CZ da_DK de de_AT de_CH de_DE
    de_LI de_LU dk_DK el_CY el_GR en en_AU en_BD en_CA en_GB en_IE en_IN en_KE en_MS en_NG en_NZ en_PH en_PK en_TH
    en_US es es_AR es_CA es_CL es_CO es_ES es_MX et_EE fa_IR fi_FI fil_PH fr_BE fr_CA fr_CH fr_DZ fr_FR fr_QC ga_IE
    gu_IN ha_NG he_IL hi_IN hr_HR hu_HU hy_AM id_ID ig_NG is_IS it_CH it_IT ja_JP ka_GE ko_KR la lb_LU lt_LT lv_LV
    mk_MK mr_IN mt_MT ne_NP ng_NG nl_BE nl_NL no_NO or_IN pl_PL pt_BR pt_PT ro_RO ru_RU si_LK sk_SK sl_SI sq_AL
    sr_BA sv_SE sw ta_IN th th_TH tl_PH tr_TR tw_GH uk_UA uz_UZ vi_VN yo_NG zh_CN zh_TW zu_ZA
    """.split()
)
"""The locales of Faker."""

_MAIN = {
    "ar": "ar_SA", "bn": "bn_BD", "da": "da_DK", "de": "de_DE", "el": "el_GR", "en": "en_US", "es": "es_ES",
    "fr": "fr_FR", "it": "it_IT", "nl": "nl_NL", "pt": "pt_PT", "th": "th_TH", "zh": "zh_CN",
}  # fmt: skip
"""The locale of a language that has several."""

_COUNTRIES = {"ar_AA": "SA", "dk_DK": "DK", "es_CA": "ES", "fr_QC": "CA", "la": "US", "ng_NG": "NG", "sw": "KE"}


def locale_of(lang: str) -> str:
    """Return the locale of a language or locale, such as `es_ES` for `es` and `de_DE` for `de-DE`.

    Raises:
        ValueError: It is unknown.
    """
    language, _, country = lang.replace("-", "_").partition("_")
    wanted = f"{language.lower()}_{country.upper()}" if country else language.lower()
    wanted = _MAIN.get(wanted, wanted)
    found = wanted if wanted in LOCALES else next((name for name in LOCALES if name.startswith(f"{wanted}_")), None)
    if found is None:
        hint = nearest(lang, LOCALES)
        hint = hint if hint.startswith("did you mean") else "use a locale such as en, es, es_MX, de_DE or ja_JP."
        raise ValueError(f"{quote(lang)} is not a locale; {hint}")
    return found


def country_of(locale: str) -> str:
    """Return the ISO 3166 code of a locale's country."""
    return _COUNTRIES.get(locale, locale[-2:])


def language_of(locale: str) -> str:
    """Return the language of a locale."""
    return locale.partition("_")[0]
