"""Deletes old calls from the ledger, once a day while a server runs."""

from datetime import date, timedelta

from mediakit.accounts.database import Database
from mediakit.accounts.heartbeat import Heartbeat
from mediakit.accounts.ledger import Ledger
from mediakit.errors import ServerBusy

CHECK_SECONDS = 600.0


class Retention:
    """Deletes calls that are older than a number of days, except those of the current month."""

    def __init__(self, database: Database, days: int) -> None:
        self._database = database
        self._ledger = Ledger(database)
        self._days = days
        self._last_run: date | None = None
        self._timer = Heartbeat(self.run, CHECK_SECONDS)

    def start(self) -> None:
        """Start the thread that checks every ten minutes whether a new day has begun."""
        self._timer.start()

    def close(self) -> None:
        """Stop the thread."""
        self._timer.stop()

    def run(self) -> None:
        """Delete the old calls, if this was not done today (UTC)."""
        try:
            with self._database.read() as session:
                now = self._database.now(session)
            if self._last_run != now.date():
                self._ledger.delete_before(now - timedelta(days=self._days))
                self._last_run = now.date()
        except ServerBusy:  # the next check tries again
            return
