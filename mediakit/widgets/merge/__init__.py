"""The form of `mail_merge`."""
