"""`python -m mediakit`: the command line."""

from mediakit.cli import main

main(prog_name="mediakit")
