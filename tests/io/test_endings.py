"""Functions that write by path: a name that ends like another kind of file is refused with the cure, and nothing is written."""

import pytest

import dalembert as da
from dalembert import catalog
from dalembert.errors import FileError


@pytest.fixture(scope="module")
def made():
    model = catalog.make("pendulum")
    tree = da.Model("arm", dim=3, gravity=(0, 0, -9.81))
    tree.add(da.Body("arm", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 0)))
    tree.add(da.Revolute("hinge", tree.ground, "arm", at=(0, 0, 0), axis=(0, 1, 0)))
    return model, da.simulate(model, 0.05), tree


WRITERS = {
    "view": (lambda m, run, tree, p: run.view(p), "x.html"),
    "list of runs": (lambda m, run, tree, p: da.view([run, run], p), "x.html"),
    "drawing": (lambda m, run, tree, p: m.view(p), "x.html"),
    "table": (lambda m, run, tree, p: run.to_csv(p), "x.csv"),
    "parquet": (lambda m, run, tree, p: run.to_parquet(p), "x.parquet"),
    "result": (lambda m, run, tree, p: run.save(p), "x.h5"),
    "derivation": (lambda m, run, tree, p: da.derive(m).html(p), "x.html"),
    "model": (lambda m, run, tree, p: m.save(p), "x.toml"),
    "URDF": (lambda m, run, tree, p: da.save_urdf(tree, p), "x.urdf"),
    "MJCF": (lambda m, run, tree, p: da.save_mjcf(tree, p), "x.xml"),
    "render": (lambda m, run, tree, p: run.render(p, size=(64, 40), t=0.0) if p.suffix == ".png" else run.render(p), "x.png"),
    "export": (lambda m, run, tree, p: run.export(p), "x.glb"),
    "free bodies": (lambda m, run, tree, p: run.fbd(t=0.0).save(p), "x.svg"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_name_of_another_kind_is_refused(name, made, tmp_path):
    write, right = WRITERS[name]
    for wrong in ("x.png", "x.CSV", "x.html", "x.mp4"):
        if wrong.lower().rpartition(".")[2] == right.rpartition(".")[2] or (name, wrong) in (
                ("render", "x.mp4"), ("export", "x.CSV"), ("export", "x.html"), ("free bodies", "x.png")):
            continue
        with pytest.raises(FileError, match=r"\.") as told:
            write(*made, tmp_path / wrong)
        assert wrong in str(told.value) and list(tmp_path.iterdir()) == [], wrong
    if name not in ("derivation", "render"):
        write(*made, tmp_path / right)
        assert (tmp_path / right).exists()


def test_the_cure_is_named_and_other_endings_are_free(made, tmp_path):
    with pytest.raises(FileError, match=r"'x\.png' is the name of a picture, and a page would be written: call it 'x\.html' \(a "
                                        r"picture: run\.render"):
        made[1].view(tmp_path / "x.png")
    made[1].to_csv(tmp_path / "x.dat")
    made[1].view(tmp_path / "plain")
    assert (tmp_path / "plain").read_text(encoding="utf-8").startswith("<!doctype html>")
