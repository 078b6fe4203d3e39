"""Domains of email addresses: providers, disposable ones, and how people misspell them."""

from functools import cache
from pathlib import Path


def is_one_edit(one: str, other: str) -> bool:
    """Return whether one insertion, deletion, replacement or swap of neighbours turns a text into another."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    short, long = sorted((one, other), key=len)
    start = next((place for place, char in enumerate(short) if char != long[place]), len(short))
    if len(short) < len(long):
        return short[start:] == long[start + 1 :]
    if short[start + 1 :] == long[start + 1 :]:
        return True
    is_swap = short[start : start + 2] == long[start : start + 2][::-1]
    return is_swap and short[start + 2 :] == long[start + 2 :]


_DISPOSABLE = Path(__file__).parent / "disposable_domains.txt"

_COUNTRIES = (
    "ae", "ar", "at", "au", "be", "bg", "br", "ca", "ch", "cl", "cn", "co", "cz", "de", "dk", "ee", "es", "eu",
    "fi", "fr", "gr", "hk", "hr", "hu", "id", "ie", "il", "in", "it", "jp", "kr", "lt", "lu", "lv", "ma", "mx",
    "my", "nl", "no", "nz", "pe", "ph", "pl", "pt", "ro", "rs", "ru", "sa", "se", "sg", "si", "sk", "th", "tr",
    "tw", "ua", "uk", "us", "ve", "vn", "za",
)  # fmt: skip
"""Country domains under which large providers have mailboxes, also as co.uk and com.br."""


def _with_countries(name: str) -> set[str]:
    plain = {f"{name}.{country}" for country in _COUNTRIES if country != "co"}
    return plain | {f"{name}.{part}.{country}" for part in ("co", "com") for country in _COUNTRIES}


PROVIDERS = {
    "gmail.com": "gmail",
    "googlemail.com": "gmail",
    **dict.fromkeys(
        (
            "outlook.com", "hotmail.com", "live.com", "msn.com", "passport.com", "windowslive.com",
            *_with_countries("outlook"), *_with_countries("hotmail"), *_with_countries("live"),
        ),
        "outlook",
    ),
    **dict.fromkeys(
        ("yahoo.com", "ymail.com", "rocketmail.com", "myyahoo.com", *_with_countries("yahoo")), "yahoo"
    ),
    **dict.fromkeys(("icloud.com", "me.com", "mac.com"), "icloud"),
    **dict.fromkeys(("proton.me", "protonmail.com", "protonmail.ch", "pm.me"), "proton"),
    **dict.fromkeys(
        ("fastmail.com", "fastmail.fm", "fastmail.net", "fastmail.org", "fastmail.co.uk", "fastmail.us", "sent.com"),
        "fastmail",
    ),
}  # fmt: skip
"""Providers by domain."""

FREE = frozenset(
    (
        "gmx.com", "gmx.de", "gmx.net", "gmx.at", "gmx.ch", "gmx.us", "gmx.fr", "gmx.es", "gmx.co.uk", "web.de",
        "freenet.de", "mail.de", "email.de", "posteo.de", "mail.com", "email.com", "usa.com", "aol.com",
        "aol.de", "aol.fr", "aol.co.uk", "aim.com", "mail.ru", "bk.ru", "inbox.ru", "list.ru", "internet.ru",
        "yandex.ru", "yandex.com", "yandex.ua", "yandex.by", "yandex.kz", "ya.ru", "rambler.ru", "ukr.net",
        "i.ua", "meta.ua", "qq.com", "foxmail.com", "163.com", "126.com", "yeah.net", "sina.com", "sina.cn",
        "sohu.com", "21cn.com", "sify.com", "139.com", "naver.com", "hanmail.net", "daum.net", "nate.com",
        "rediffmail.com",
        "rediff.com", "zoho.com", "zohomail.com", "zoho.eu", "tutanota.com", "tutanota.de", "tutamail.com",
        "tuta.io", "tuta.com", "keemail.me", "hushmail.com", "mailfence.com", "disroot.org", "riseup.net",
        "libero.it", "virgilio.it", "inwind.it", "iol.it", "email.it", "tiscali.it", "laposte.net",
        "caramail.com", "o2.pl", "wp.pl", "interia.pl", "onet.pl", "onet.eu", "op.pl", "tlen.pl", "gazeta.pl",
        "poczta.onet.pl", "seznam.cz", "email.cz", "post.cz", "centrum.cz", "atlas.cz", "centrum.sk", "azet.sk",
        "zoznam.sk", "abv.bg", "mail.bg", "dir.bg", "citromail.hu", "freemail.hu", "mailbox.hu", "indamail.hu",
        "walla.com", "walla.co.il", "uol.com.br", "bol.com.br", "terra.com.br", "ig.com.br", "sapo.pt",
        "mailo.com", "net-c.com", "mail.ee", "hot.ee", "inbox.lv", "inbox.lt", "inbox.com", "mail.kz",
        "bigmir.net", "mynet.com", "lycos.com", "excite.com", "fastmail.com", "runbox.com", "gmx.co",
        "hotmail.co.uk", "in.gr", "mailbox.org", "duck.com", "hey.com",
    )
)  # fmt: skip
"""Domains, beside those of the providers, at which anybody can open a mailbox for free."""

ROLES = frozenset(
    (
        "abuse", "account", "accounting", "accounts", "admin", "administration", "administrator", "admissions",
        "ads", "advertising", "all", "alert", "alerts", "api", "apply", "auth", "backoffice", "billing",
        "board", "booking", "bookings", "bounce", "bounces", "careers", "cert", "ceo", "cfo", "cio",
        "compliance", "contact", "contactus", "copyright", "cs", "cto", "customercare", "customerservice",
        "customersupport", "data", "dev", "devops", "director", "directors", "dmarc", "dns", "donotreply",
        "dpo", "editor", "editorial", "email", "enquiries", "enquiry", "events", "everyone", "facilities",
        "fax", "feedback", "finance", "frontdesk", "ftp", "gdpr", "hello", "help", "helpdesk", "hi",
        "hostmaster", "hr", "info", "information", "inquiries", "inquiry", "invest", "investor", "investors",
        "invoice", "invoices", "it", "jobs", "kontakt", "legal", "list", "listserv", "login", "mail",
        "mailer-daemon", "mailerdaemon", "management", "manager", "marketing", "media", "members", "membership",
        "news", "newsletter", "nobody", "noc", "no-reply", "noreply", "notification", "notifications", "office",
        "operations", "ops", "order", "orders", "partners", "payments", "payroll", "phish", "phishing", "post",
        "postbox", "postmaster", "pr", "press", "privacy", "procurement", "purchasing", "reception",
        "recruiting", "recruitment", "registrar", "registration", "remove", "reply", "reservations", "returns",
        "root", "sales", "schooloffice", "secretary", "security", "service", "services", "shipping", "shop",
        "signup", "spam", "staff", "store", "student", "students", "subscribe", "subscription", "subscriptions",
        "support", "sysadmin", "system", "team", "tech", "test", "trouble", "unsubscribe", "usenet", "user",
        "users", "uucp", "web", "webmaster", "website", "welcome", "whois", "www", "administracion",
        "administrativo", "atencionalcliente", "ayuda", "cliente", "clientes", "comercial", "compras",
        "consultas", "contabilidad", "contacto", "correo", "direccion", "empleo", "facturacion", "gerencia",
        "informacion", "oficina", "pedidos", "prensa", "proveedores", "recepcion", "reservas", "rrhh",
        "secretaria", "soporte", "tienda", "ventas", "anfrage", "bestellung", "bewerbung", "buchhaltung",
        "buero", "datenschutz", "einkauf", "empfang", "presse", "rechnung", "redaktion", "sekretariat",
        "verkauf", "vertrieb", "verwaltung", "zentrale", "accueil", "achats", "commande", "commandes",
        "comptabilite", "direction", "facturation", "rh", "secretariat", "amministrazione", "commerciale",
        "informazioni", "ordini", "segreteria", "ufficio", "vendite", "contato", "financeiro", "vendas",
    )
)  # fmt: skip
"""Local parts of mailboxes of functions (RFC 2142 and usual ones), in lower case."""


@cache
def _disposable() -> tuple[str, frozenset[str]]:
    """Return the date of the list of temporary mailboxes, and its domains."""
    first, *lines = _DISPOSABLE.read_text("utf-8").splitlines()
    return first.strip("# "), frozenset(line for line in lines if not line.startswith("#"))


@cache
def lists_date() -> str:
    """Return the date of the list of temporary mailboxes, as YYYY-MM-DD."""
    with _DISPOSABLE.open(encoding="utf-8") as file:
        return file.readline().strip("# \n")


def is_disposable(domain: str) -> bool:
    """Return whether a domain, in ASCII, or one that it is part of has temporary mailboxes."""
    if domain in PROVIDERS or domain in FREE:  # the list has some whose mailboxes last
        return False
    listed = _disposable()[1]
    labels = domain.split(".")
    return any(".".join(labels[start:]) in listed for start in range(max(1, len(labels) - 1)))


def is_role(local: str) -> bool:
    """Return whether a local part names a function."""
    return local.partition("+")[0].lower() in ROLES


def base_of(local: str, domain: str) -> str | None:
    """Return the mailbox that an address belongs to; None if the provider is unknown."""
    provider = PROVIDERS.get(domain)
    if provider is None:
        return None
    name = local.partition("+")[0].lower()
    if provider == "gmail":
        return f"{name.replace('.', '')}@gmail.com"
    return f"{name}@{domain}"


def tag_of(local: str) -> str | None:
    """Return the tag of a local part with its plus sign; None if it has none."""
    name, plus, tag = local.partition("+")
    return f"+{tag}" if name and plus and tag else None


COMMON = (
    "gmail.com", "yahoo.com", "hotmail.com", "outlook.com", "icloud.com", "aol.com", "live.com", "msn.com",
    "googlemail.com", "protonmail.com", "proton.me", "comcast.net", "verizon.net", "sbcglobal.net", "bellsouth.net",
    "hotmail.co.uk", "yahoo.co.uk", "btinternet.com", "hotmail.fr", "yahoo.fr", "orange.fr", "wanadoo.fr", "gmx.de",
    "web.de", "gmx.net", "t-online.de", "freenet.de", "hotmail.es", "yahoo.es", "hotmail.it", "libero.it",
    "yahoo.com.br", "hotmail.com.br", "yahoo.co.in", "rediffmail.com", "yahoo.co.jp", "yandex.ru", "mail.ru",
    "ymail.com", "fastmail.com",
)  # fmt: skip
"""The 40 commonest domains of mailboxes, roughly in their order: the first that fits is suggested."""

MIN_NAME_LENGTH = 5
"""Shorter names have too many neighbours; of them only the misspelt top-level domain is noticed."""

MISSPELT_ENDINGS = frozenset(
    ("con", "cmo", "ocm", "comm", "cim", "vom", "xom", "coom", "cpm", "clm", "nett", "nte", "ner")
)
"""Misspelt top-level domains that do not exist."""

ONLY_TYPOS = frozenset(("co", "cm", "om"))
"""Top-level domains of countries where the large providers have no mailboxes: a misspelt com."""

REAL = frozenset(
    (
        "mail.com", "email.com", "ymail.com", "hmail.com", "gmx.co", "gmx.com", "mailo.com", "cloud.com",
        "fmail.com", "tmail.com", "vmail.com", "zmail.com", "xmail.com", "amail.com", "bmail.com", "cmail.com",
        "dmail.com", "emails.com", "imail.com", "jmail.com", "kmail.com", "lmail.com", "mmail.com", "nmail.com",
        "omail.com", "pmail.com", "qmail.com", "rmail.com", "smail.com", "umail.com", "wmail.com",
        "gmail.co.uk", "gmail.de", "gmail.ru", "hotmail.ch", "hotmail.gr", "hotmail.be", "hotmail.de",
        "hotmail.se", "wanadoo.es", "orange.es", "orange.ch", "orange.pl", "tonline.de", "free.fr",
        "freenet.it", "freemail.de", "aol.de", "aon.at", "yandex.com", "yandex.by", "yandex.ua", "fastmail.fm",
        "mailru.com", "protonmail.ch", "comcast.com", "verizon.com", "web.com", "webde.de", "me.com", "mac.com",
        "mail.de", "mail.bg", "mail.ee", "mail.kz", "mail.ua", "mails.ru", "gmail.fr", "outlook.es",
        "outlook.fr", "outlook.it", "outlook.de", "hotmail.ca", "yahoo.ca", "yahoo.cn", "yahoo.de", "yahoo.it",
        "libero.com", "rediff.com", "live.ca", "live.cn", "live.co.uk", "alive.com", "olive.com", "liveu.com",
        "love.com", "five.com",
    )
)  # fmt: skip
"""Real domains of mailboxes that are close to a common one."""


@cache
def meant(domain: str) -> str | None:
    """Return the common domain that was meant; None if there is none, or the domain is itself real.

    Args:
        domain: A domain in ASCII and lower case.
    """
    if domain in COMMON or is_real(domain):
        return None
    return next((common for common in COMMON if _is_misspelt(domain, common)), None)


def with_dot(domain: str) -> str | None:
    """Return the common domain that is meant by a domain without its dots, such as gmailcom."""
    return next((common for common in COMMON if common.replace(".", "") == domain), None)


def is_real(domain: str) -> bool:
    """Return whether a domain is known to have mailboxes."""
    return domain in PROVIDERS or domain in FREE or domain in REAL


def _is_misspelt(domain: str, common: str) -> bool:
    name, _, ending = domain.partition(".")
    common_name, _, common_ending = common.partition(".")
    if name == common_name:
        # Another country of a provider is real; only endings that cannot be meant are errors.
        is_com = common_ending == "com" and ending in ONLY_TYPOS and len(name) >= MIN_NAME_LENGTH
        return (
            is_com
            or (ending in MISSPELT_ENDINGS and is_one_edit(ending, common_ending))
            or ("." in common_ending and is_one_edit(ending, common_ending))
        )
    if len(common_name) < MIN_NAME_LENGTH:
        return False
    return is_one_edit(domain, common)
