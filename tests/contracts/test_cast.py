"""Every element, its numbers changed at random: what is cast is what compiling gives, and what compiling refuses is not cast."""

from dalembert.errors import DalembertError
from dalembert.model import cast
from dalembert.model.compile import compile_model
from dalembert.model.content import shape, with_numbers
from dalembert.model.tape import Untraceable


def test_cast_or_compiled(case):
    model, rng = case.scene(), case.rng(7)
    said, numbers = shape(model)
    if said is None:
        return
    try:
        mould = cast.Mould(model, numbers, compile_model(model))
    except (Untraceable, DalembertError, TypeError):
        return
    assert mould.tried(compile_model(model), numbers)
    for part, size in ((0.1, 0.01), (0.5, 1e-8), (1.0, 1.0)):
        def other(x, part=part, size=size):
            return x * (1.0 + size * rng.standard_normal()) if rng.random() < part else x

        changed = with_numbers(model, other)
        again, numbers = shape(changed)
        assert again == said
        try:
            wanted = compile_model(changed)
        except DalembertError:
            assert mould.cast(numbers) is None
            continue
        if mould.cast(numbers) is not None:
            assert mould.tried(wanted, numbers)
