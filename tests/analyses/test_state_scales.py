"""States that are small in SI units: as accurate as others where their size is said, a doubt where it is not."""

import pytest

import dalembert as da
from dalembert.errors import ModelError

RIGHT = 0.34514  # the integral of cos(3 t²) from 0 to 10 (Fresnel)


def counter(size, **given):
    m = da.Model("dose", dim=2)
    m.add(da.Body("b", mass=1.0, inertia=0.1))
    m.add(da.Differential("z", f"{size}*cos(3*t*t)", **given))
    return m


@pytest.mark.parametrize("size", [1.0, 1e-10, 1e-13, 1e7])
def test_accuracy_does_not_depend_on_the_unit(size):
    one = da.simulate(counter(1.0), 10.0)["z"].value[-1]
    run = da.simulate(counter(size, scale=size), 10.0)
    assert abs(one - RIGHT) < 1e-5 and abs(run["z"].value[-1] / size - one) < 1e-8
    assert run.certificate.doubts() == []


@pytest.mark.parametrize("size", [1e-8, 1e-10, 1e-13])
def test_without_it_there_is_a_doubt(size):
    assert "state 'z' is" in da.simulate(counter(size), 10.0).certificate.doubts()[0]


def test_what_is_zero_or_stays_is_no_doubt():
    m = counter(0.0)
    m.add(da.Differential("held", "0", start=1e-9))
    assert da.simulate(m, 1.0).certificate.doubts() == []


def test_scales_are_positive_and_kept_in_files(tmp_path):
    with pytest.raises(ModelError, match="scale= is the size of its values, more than 0"):
        counter(1.0, scale=0.0).compile()
    counter(1.0, scale=1e-10).save(tmp_path / "m.toml")
    assert da.load_model(tmp_path / "m.toml").compile().scales == {"z": 1e-10}
