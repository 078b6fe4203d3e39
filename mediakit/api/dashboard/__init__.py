"""The dashboard: pages for people with an account, rendered on the server. They work without JavaScript."""
