"""The pepper: a secret that goes into the digest of every key, so that a copied table of digests is of no use alone.

With the embedded database it lies beside it, in a file of its own that only its owner may read. Servers that share a
database share its pepper too, in a table of it: a secret of 190 random bits cannot be found from its digest even by
someone who knows the pepper, and every server, with any HOME, can check every key.
"""

import secrets

from sqlalchemy.exc import IntegrityError

from mediakit.accounts.database import Database
from mediakit.accounts.home import private_folder, write_private
from mediakit.accounts.models import SecretRow

LENGTH = 32
_NAME = "key-pepper"


def load_pepper(database: Database) -> bytes:
    """Read the pepper, or draw it when there is none yet; servers that start at once agree on one."""
    return _from_home(database) if database.embedded else _from_database(database)


def _from_home(database: Database) -> bytes:
    path = private_folder(database.home) / _NAME
    if not path.exists():
        write_private(path, secrets.token_bytes(LENGTH), replace=False)
    return path.read_bytes()


def _from_database(database: Database) -> bytes:
    return _stored(database) or _draw(database)


def _stored(database: Database) -> bytes | None:
    with database.read() as session:
        row = session.get(SecretRow, _NAME)
        return row.value if row else None


def _draw(database: Database) -> bytes:
    pepper = secrets.token_bytes(LENGTH)
    try:
        with database.write() as session:
            session.add(SecretRow(name=_NAME, value=pepper))
    except IntegrityError:  # another server was first
        return _stored(database) or _draw(database)
    return pepper
