"""`mail_merge`: makes a document for each row of a table."""

from mediakit.tools.documents.mail_merge.tool import mail_merge

__all__ = ["mail_merge"]
