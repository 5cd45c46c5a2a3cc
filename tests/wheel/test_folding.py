"""Functions that several groups hold are in a library once: which are the same, and what their groups then lean on."""

import ctypes

import pytest

from dalembert._jit import MODE, linking, shipped, store

pytestmark = pytest.mark.skipif(MODE != "object" or not shipped.variants() or linking.linker() is None,
                                reason="no library is made in this mode, on this machine, or without a linker")

# what LLVM leaves of a group: its entry, a kernel it calls, one that the kernel calls, a constant
GROUP = """
@{table} = internal constant [2 x double] [double {value}, double 2.000000e+00]
@{seen} = internal global i64 0

define i64 @{entry}(ptr %.1) {{
  %x = call fastcc i64 @{outer}(i64 {argument}, ptr %.1)
  ret i64 %x
}}

define internal fastcc i64 @{outer}(i64 %arg.{n}, ptr noalias %p) #{facts} {{
entry.{n}:
  %y.{n} = add i64 %arg.{n}, 1
  br label %end.{n}

end.{n}:                                          ; preds = %entry.{n}
  %z.{n} = call fastcc i64 @"{inner}"(i64 %y.{n}) #{facts}
  store i64 %z.{n}, ptr %p, align 8, !alias.scope !{m}
  ret i64 %z.{n}
}}

define internal fastcc i64 @"{inner}"(i64 %k) #{facts} {{
  {body}
  %place = getelementptr double, ptr @{table}, i64 %k
  %number = load double, ptr %place, align 8
  %whole = fptosi double %number to i64
  ret i64 %whole
}}

attributes #{facts} = {{ noinline nounwind }}

!{m} = !{{!{o}}}
!{o} = distinct !{{!{o}, !{q}, !"_ZN9dalembert5outerB{n}: %retptr"}}
!{q} = distinct !{{!{q}, !"_ZN9dalembert5outerB{n}"}}
"""


def group(n, value="1.500000e+01", body="", argument=-1, **other):
    """The text of group n; all that differs without meaning anything is called after it."""
    given = {"table": f"const.{n}", "seen": f"seen.{n}", "entry": f"dalembert_v3_g{n}", "outer": f"_ZN5outerB{n}", "n": n,
             "inner": f"_ZN5innerB{n}.dots and spaces", "facts": n, "m": n + 3, "o": n + 7, "q": n + 1, "value": value,
             "body": body, "argument": argument} | other
    return GROUP.format(**given), given["entry"]


def names(n, **other):
    """Those of outer and inner."""
    from dalembert._jit import variants

    text, kept = group(n, **other)
    found = variants._Module(text, kept, f"g{n}")
    return [found.name(k) for k in found.bodies if k != kept]


def test_what_means_nothing_is_not_in_a_name():
    one, other = names(1), names(2)
    assert one == other and len(set(one)) == 2


@pytest.mark.parametrize("change", [
    {"value": "1.600000e+01"},  # a constant, two calls away
    {"body": "%more = call double @llvm.fabs.f64(double 1.0)"},
    {"facts": "2 alwaysinline"},
], ids=lambda c: next(iter(c)))
def test_what_means_something_is(change):
    if "facts" in change:
        from dalembert._jit import variants

        text, kept = group(2)
        found = variants._Module(text.replace("noinline nounwind", "alwaysinline nounwind"), kept, "g2")
        other = [found.name(k) for k in found.bodies if k != kept]
    else:
        other = names(2, **change)
    assert not set(names(1)) & set(other)


@pytest.mark.parametrize("body", ["store i64 1, ptr @seen.{n}", "call fastcc i64 @_ZN5outerB{n}(i64 1, ptr null)"],
                         ids=["writes to its group", "calls itself in a circle"])
def test_what_cannot_be_told_by_its_text_keeps_to_its_group(body):
    assert not set(names(1, body=body.format(n=1))) & set(names(2, body=body.format(n=2)))


@pytest.fixture
def library(tmp_path):
    import llvmlite.binding as llvm

    from dalembert._jit import variants

    linking._object(linking.LEVEL, tmp_path / "first.o")  # has LLVM made ready
    machine = llvm.Target.from_default_triple().create_target_machine(cpu="x86-64-v3", features="", opt=3, reloc="pic",
                                                                      codemodel="small")
    objects = {}
    for n, argument in ((1, -1), (2, 0)):
        text, kept = group(n, argument=argument)
        folded, functions = variants.fold(text, kept, f"g{n}")
        data = machine.emit_object(llvm.parse_assembly(folded))
        objects["v3", f"g{n}"] = data, {"symbol": kept, "names": {"run": 0}, "stubs": [], "functions": functions}
    linking.link(objects, tmp_path / "_kernels", {"v3": 3}, shipped.machine(), {})
    return tmp_path / "_kernels", objects


def test_two_groups_have_one_function_and_the_second_leans_on_the_first(library):
    folder, objects = library
    index = shipped._index(folder / "index.py")["CODE"]["v3"]
    assert objects["v3", "g1"][1]["functions"] == objects["v3", "g2"][1]["functions"]
    assert index["g1"][4] == () and index["g2"][4] == ("g1",)
    first, second = (index[g][1] - index[g][0] for g in ("g1", "g2"))
    assert second < first - 32  # the entry alone
    opened = shipped.Shipped(folder)
    if opened.level < 3:
        pytest.skip("this CPU does not run it")
    out = (ctypes.c_int64 * 1)()
    for name, value in (("g1", 15), ("g2", 2)):
        assert ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(opened.find(name)[0])(ctypes.addressof(out)) == value == out[0]


def test_code_that_a_group_leans_on_is_looked_at_with_it(library):
    folder, _ = library
    index = shipped._index(folder / "index.py")
    begin, end, *_ = index["CODE"]["v3"]["g1"]
    data = bytearray((folder / linking.LIBRARY).read_bytes())
    data[index["FILES"]["v3"]["first"] + end - 1] ^= 1
    (folder / linking.LIBRARY).write_bytes(data)
    for group in ("g2", "g1"):
        with pytest.raises(shipped.Unusable, match="damaged"):
            shipped.Shipped(folder).find(group)


def test_objects_of_a_wheel_say_which_functions_they_hold(package):
    from dalembert._jit import wheel

    for group in ("tape", "tangent_scales"):
        one, other = (store.read(wheel.kept_folder(), f"{group}@{v}")[1]["functions"] for v in shipped.variants())
        assert one and len(one) == len(other)
