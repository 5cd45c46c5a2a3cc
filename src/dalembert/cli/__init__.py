"""The command line: parse, call one analysis, print.

Commands import what they need when they run, so that ``dalembert --help`` answers at once.
"""


def main() -> None:
    """Entry point of ``dalembert``."""
    from dalembert.cli.app import app

    app(prog_name="dalembert")
