"""Functions as commands, tables of text, the progress bar, completion: what typer and rich did before."""

import io
from pathlib import Path
from typing import Annotated

import pytest
from click.testing import CliRunner

from dalembert.cli import completion, shell
from dalembert.cli.app import VERBS, app
from dalembert.cli.progress import Progress
from dalembert.cli.tables import Table, drawn

seen: dict = {}


def every(
    what: Annotated[str, shell.Argument(metavar="WHAT", help="A thing.")],
    many: Annotated[list[str], shell.Option("--many", "-m", help="Several.")],
    some: Annotated[list[str] | None, shell.Option(help="Perhaps.", show_default="all")] = None,
    number: Annotated[float, shell.Option(metavar="X", help="A number.")] = 0.5,
    port: Annotated[int, shell.Option(min=0, max=9, help="Few.")] = 3,
    until: Annotated[float | None, shell.Option(help="The end.", show_default="never")] = None,
    out_file: Annotated[Path | None, shell.Option(metavar="FILE", help="Not a folder.", dir_okay=False)] = None,
    as_json: Annotated[bool, shell.Option("--json", help="JSON.")] = False,
    values: Annotated[bool, shell.Option("--values/--symbols", help="Either way.")] = True,
) -> None:
    """What it does.

    More of it.
    """
    seen.clear()
    seen.update(locals())


def call(*words):
    return CliRunner().invoke(shell.command("every", every, "\b\nExamples:\n  every thing"), [str(w) for w in words])


def test_defaults_and_given_values_reach_the_function():
    assert call("thing", "-m", "a").exit_code == 0
    assert seen == {"what": "thing", "many": ["a"], "some": None, "number": 0.5, "port": 3, "until": None, "out_file": None,
                    "as_json": False, "values": True}
    words = ("thing", "--many", "a", "-m", "b", "--some", "s", "--number", "2", "--port", 9, "--until", "1e3",
             "--out-file", "x.y", "--json", "--symbols")
    assert call(*words).exit_code == 0
    assert seen == {"what": "thing", "many": ["a", "b"], "some": ["s"], "number": 2.0, "port": 9, "until": 1000.0,
                    "out_file": Path("x.y"), "as_json": True, "values": False}


@pytest.mark.parametrize(("words", "said"), [
    (("-m", "a"), "Missing argument 'WHAT'"), (("thing",), "Missing option '--many' / '-m'"),
    (("thing", "-m", "a", "--port", "10"), "10 is not in the range 0<=x<=9"),
    (("thing", "-m", "a", "--number", "x"), "'x' is not a valid float"),
    (("thing", "-m", "a", "--out-file", "/"), "is a directory"), (("thing", "-m", "a", "--nomber", "1"), "--number"),
])
def test_wrong_words_are_told_with_status_2(words, said):
    done = call(*words)
    assert done.exit_code == 2
    assert said in done.output


def test_help_tells_arguments_defaults_and_examples():
    text = " ".join(call("--help").output.split())
    for part in ("What it does. More of it.", "WHAT A thing.", "--number X A number. [default: 0.5]", "[default: (never)]",
                 "[default: (all)]", "[required]", "--json JSON.", "--values / --symbols Either way. [default: values]",
                 "Examples: every thing"):
        assert part in text, part
    assert "default: False" not in text


def test_an_annotation_that_says_nothing_is_refused():
    def bare(x: int = 1) -> None: ...

    with pytest.raises(TypeError, match=r"'x' needs one shell\.Option"):
        shell.command("bare", bare)


def test_every_verb_has_help_of_one_whole_sentence_and_examples_that_parse():
    text = " ".join(CliRunner().invoke(app, ["--help"]).output.split())
    assert "..." not in text.replace("[ARGS]...", "")
    for verb, _, lines in VERBS:
        command = app.commands[verb]
        assert command.get_short_help_str(300) in text
        assert [p.name for p in command.params if not getattr(p, "help", None) and not getattr(p, "text", None)] == []
        shown = CliRunner().invoke(app, [verb, "-h"], terminal_width=200).output
        assert all(line in shown for line in lines)


def test_completion_scripts_name_the_program_and_verbs_complete():
    for name in completion.SHELLS:
        shown = CliRunner().invoke(app, ["--show-completion", name])
        assert shown.exit_code == 0
        assert "_DALEMBERT_COMPLETE" in shown.output
    words = {"_DALEMBERT_COMPLETE": "bash_complete", "COMP_WORDS": "dalembert run slider-cr", "COMP_CWORD": "2"}
    found = CliRunner(env=words).invoke(app, prog_name="dalembert").output
    assert "plain,slider-crank\n" in found
    assert "pendulum" not in found


@pytest.mark.parametrize("name", completion.SHELLS)
def test_completion_is_installed_once_and_keeps_what_was_there(name, tmp_path):
    told = tmp_path / f".{name}rc"
    told.write_text("# mine")
    env = {"HOME": str(tmp_path), "SHELL": f"/bin/{name}"}
    for _ in range(2):
        assert CliRunner(env=env).invoke(app, ["--install-completion"]).exit_code == 0
    place = next(p for p in tmp_path.rglob("dalembert.*"))
    assert "_DALEMBERT_COMPLETE" in place.read_text()
    assert told.read_text().startswith("# mine")
    assert told.read_text().count(f"\nsource '{place}'\n") == (name != "fish")


def test_completion_for_an_unknown_shell_or_without_a_home_is_told(tmp_path):
    done = CliRunner(env={"SHELL": "/bin/tcsh"}).invoke(app, ["--install-completion"])
    assert (done.exit_code, "bash, zsh, fish, not for 'tcsh'" in done.output) == (2, True)
    (tmp_path / "file").write_text("")
    done = CliRunner(env={"HOME": str(tmp_path / "file")}).invoke(app, ["--install-completion", "bash"])
    assert (done.exit_code, "cannot be written" in done.output) == (2, True)


def test_tables_align_wrap_and_read_no_markup():
    table = Table("|name", "title", ">n", title="all")
    table.add("a-very-long-name", "[bold]several words[/] to be wrapped", 3)
    table.add("b", "日本 é", ("12345", {}))
    wide, narrow = table.text(200), table.text(40)
    assert wide.splitlines() == [
        "\x1b[3mall\x1b[0m",
        "\x1b[1mname\x1b[0m              \x1b[1mtitle\x1b[0m                                     \x1b[1mn\x1b[0m",
        "─" * 61,
        "a-very-long-name  [bold]several words[/] to be wrapped      3",
        "b                 日本 é                                12345",
    ]
    assert drawn("日本") == 4
    assert drawn("é") == 1
    assert all(drawn(line) <= 40 for line in narrow.splitlines()[2:])
    assert "a-very-long-name" in narrow
    joined = " ".join(line[18:33].strip() for line in narrow.splitlines()[3:-1])
    assert joined.replace(" ", "") == "[bold]severalwords[/]tobewrapped"
    with pytest.raises(ValueError, match="2 cells for 3 columns"):
        table.add("a", "b")


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_the_bar_is_drawn_over_and_leaves_nothing():
    screen = Screen()
    with Progress(False, screen) as bar:
        bar.start("turning", 4.0)
        bar.update(1.0)
    drawn_text = screen.getvalue()
    assert drawn_text.startswith("\rturning ━━━━━━━━")
    assert " 25 % 0:00:00" in drawn_text
    assert drawn_text.endswith("\r")
    assert drawn_text.split("\r")[-2].strip() == ""
    assert len(drawn_text.split("\r")[-2]) >= len(drawn_text.split("\r")[1])
    bar.update(9.0, what="on", total=3.0)
    assert bar.line(3661.0).endswith("100 % 1:01:01")
    assert bar.line(0.0).startswith("on ")


def test_nobody_watching_nothing_is_drawn():
    screen, pipe = Screen(), io.StringIO()
    for quiet, stream in ((True, screen), (False, pipe)):
        with Progress(quiet, stream) as bar:
            bar.start("turning", None)
            bar.update(0.5)
        assert stream.getvalue() == ""
