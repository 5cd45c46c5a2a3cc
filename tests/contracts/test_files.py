"""Model → file → Model is the identity, for every element of the registry: same document, same tables to the last bit."""

import numpy as np
import pytest

import dalembert as da
from dalembert.io.document import document, fingerprint
from dalembert.io.files import dumps, loads
from dalembert.io.schema import needs_code


@pytest.mark.parametrize("kind", ["toml", "json"])
def test_there_and_back(case, kind):
    model = case.scene()
    coded = [e for e in model.elements.values() if needs_code(type(e)) or any(map(callable, e.given.values()))]
    for element in coded:
        with pytest.raises(da.FileError, match=r"holds no code.*add this element in Python"):
            dumps(model, kind)
        model.remove(element)
    again = loads(dumps(model, kind), kind)
    assert document(again) == document(model)
    assert fingerprint(again) == fingerprint(model)
    assert list(again.bodies) == list(model.bodies) and set(again.elements) == set(model.elements)
    a, b = model.compile(), again.compile()
    for field in a.tables._fields:
        assert getattr(a.tables, field).tobytes() == getattr(b.tables, field).tobytes(), field
    assert np.array_equal(a.q_drawn, b.q_drawn) and np.array_equal(a.v_drawn, b.v_drawn)
