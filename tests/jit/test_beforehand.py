"""What the cache lacks is compiled beforehand: nothing twice, nothing that is to be left out, the large groups first."""

import pytest

from dalembert._jit import beforehand, objects, shipped


@pytest.fixture
def begun(monkeypatch):
    """The groups whose compiling was begun, in order; half of them are in the cache already."""
    monkeypatch.setattr(beforehand, "MODE", "object")
    monkeypatch.setattr(shipped, "opened", lambda: None)
    monkeypatch.setattr(shipped, "compiler", lambda: True)
    monkeypatch.setattr(beforehand, "groups", lambda: dict.fromkeys(["small", "kept", "torn", "contacts", "planar"], "a.module"))
    monkeypatch.setattr(objects, "fresh", lambda folder, group: {"kept": (b"", {}), "torn": "damaged"}.get(group))
    found: list[str] = []
    monkeypatch.setattr(objects, "object_file", lambda group, module: found.append(group))
    return found


def test_only_what_is_missing_the_large_first(begun):
    said: list[str] = []
    assert beforehand.make(cores=1, say=said.append) == begun == ["planar", "contacts", "small", "torn"]
    assert "4 groups" in said[0]


def test_what_is_not_needed_is_left_out(begun):
    assert beforehand.make(cores=1, without=("contact",)) == begun == ["planar", "small", "torn"]


@pytest.mark.parametrize("mode", ["python", "jit"])
def test_nothing_to_make_without_objects(begun, monkeypatch, mode):
    monkeypatch.setattr(beforehand, "MODE", mode)
    assert beforehand.make() == begun == []


def test_the_large_ones_exist():
    from dalembert._jit.wheel import groups

    assert set(beforehand.LARGE) <= set(groups())
