"""Rich text: Markdown to HTML, cleaned HTML, highlighted code, maths, and whole pages. For worker processes."""
