"""Importers by their ending: load_model and the commands read what the one table lists."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import dalembert as da
from dalembert.cli.app import app
from dalembert.io.importers import IMPORTERS, importer

ARM = """<robot name="arm"><link name="base"/><link name="link"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
<inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="continuous"><parent link="base"/><child link="link"/><axis xyz="0 1 0"/></joint></robot>"""


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.URDF"
    path.write_text(ARM)
    return path


@pytest.mark.parametrize("ending", IMPORTERS)
def test_every_line_leads_somewhere(ending):
    assert callable(importer(Path("x" + ending.upper())))


def test_load_model_reads_it(arm):
    model = da.load_model(arm)
    assert list(model.elements) == list(da.load_urdf(arm).elements) and "hinge" in model.elements


def test_commands_read_it(arm, tmp_path):
    xml = str(tmp_path / "arm.xml")
    for words in (["check", str(arm)], ["convert", str(arm), str(tmp_path / "arm.toml")], ["run", str(arm), "--until", "0.1"],
                  ["convert", str(arm), xml], ["check", xml], ["run", xml, "--until", "0.1"], ["static", xml],
                  ["convert", xml, str(tmp_path / "back.urdf")], ["check", str(tmp_path / "back.urdf")]):
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
    assert "hinge" in da.load_model(tmp_path / "arm.toml").elements


def test_others_are_refused(arm, tmp_path):
    with pytest.raises(da.FileError, match="is read, not written"):
        da.load_model(arm).save(tmp_path / "other.xacro")
    with pytest.raises(da.FileError, match=r"something\.toml"):
        da.load_model(tmp_path / "arm.sdf")
