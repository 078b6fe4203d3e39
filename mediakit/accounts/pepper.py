"""The pepper: a secret that is part of the digest of every key, so that a stolen table of digests is not sufficient.

For the embedded database it is stored in a private file beside it. For a shared database it is stored in a table, so
that every server can check every key. This is safe because a key has 190 random bits: it cannot be computed from its
digest even if the pepper is known.
"""

import secrets

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from mediakit.accounts.database import Database
from mediakit.accounts.models import KeyRow, SecretRow
from mediakit.accounts.private_files import private_folder, write_private
from mediakit.errors import MediakitError

PEPPER_BYTES = 32
_NAME = "key-pepper"


def load_pepper(database: Database) -> bytes:
    """Return the pepper, and create it on first use. Servers that start at the same time agree on one.

    Raises:
        MediakitError: The pepper of existing keys is missing, as after an incomplete restore.
    """
    return _from_home(database) if database.embedded else _from_database(database)


def _from_home(database: Database) -> bytes:
    path = private_folder(database.home) / _NAME
    if not path.exists():
        _require_no_keys(database)
        write_private(path, secrets.token_bytes(PEPPER_BYTES), replace=False)
    return path.read_bytes()


def _require_no_keys(database: Database) -> None:
    valid = select(func.count()).select_from(KeyRow).where(KeyRow.revoked.is_(None))
    with database.read() as session:
        count = session.scalars(valid).one()
    if count:
        raise MediakitError(
            f"MEDIAKIT_HOME: the file {_NAME} is missing from {database.home}, but the database has {count} API keys, "
            "which are not valid without it. Restore the file from the same backup as accounts.sqlite3. "
            "If it is lost, revoke the keys with mediakit key revoke, then create new ones."
        )


def _from_database(database: Database) -> bytes:
    return _stored(database) or _create(database)


def _stored(database: Database) -> bytes | None:
    with database.read() as session:
        row = session.get(SecretRow, _NAME)
        return row.value if row else None


def _create(database: Database) -> bytes:
    pepper = secrets.token_bytes(PEPPER_BYTES)
    try:
        with database.write() as session:
            session.add(SecretRow(name=_NAME, value=pepper))
    except IntegrityError:  # another server created it first
        return _stored(database) or _create(database)
    return pepper
