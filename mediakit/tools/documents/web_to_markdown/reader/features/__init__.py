"""Features of text blocks and pages, which the models use to find the main content."""
