"""PDF structure: open, check, assemble and save. Everything here runs in worker processes."""
