"""The forms of the PDF tools: page thumbnails to reorder, and pages to draw boxes on."""
