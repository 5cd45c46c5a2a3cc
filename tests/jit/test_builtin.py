"""Functions of Python whose code is machine code: what they take, what they refuse, and that nothing is left behind.

The entry of these tests counts its calls and does nothing else; what was given is found again in the answer, which is made of the
arrays that take it.
"""

import array
import ctypes
import gc
import itertools
import sys
import threading
import types

import numpy as np
import pytest

from dalembert._jit import builtin, loader
from dalembert._jit.builtin_text import MOST

pytestmark = pytest.mark.skipif(not builtin._code(), reason="no such functions in this mode or with this Python")
COUNT = """
define i64 @count(ptr %table) {
  %n = load i64, ptr %table
  %more = add i64 %n, 1
  store i64 %more, ptr %table
  ret i64 0
}
"""
LIBRARY: list = []


class Counted:
    """A bound entry that counts its calls."""

    def __init__(self):
        LIBRARY[:] = LIBRARY or [loader.load(loader.emit(COUNT), ["count"])]
        self.calls = np.zeros(1, np.int64)
        self.pair = LIBRARY[0]["count"], self.calls.ctypes.data


def function(*lengths, shape=None):
    """A function of rows of these lengths, whose answer is all of them, one after the other; and its entry."""
    whole = np.zeros(sum(lengths))
    ends = np.cumsum([0, *lengths])
    takes = tuple(whole[a:b] for a, b in itertools.pairwise(ends))
    entry = Counted()
    return builtin.made("toy", entry, takes, whole.reshape(shape or -1)), entry


ROW = np.array([1.5, -0.0, np.nan, np.inf, 5e-324, -1e308, 7.0])


@pytest.mark.parametrize("count", range(MOST + 1))
def test_what_is_given_arrives_bit_by_bit(count):
    f, entry = function(*(len(ROW),) * count)
    assert isinstance(f, types.BuiltinFunctionType)
    rows = [np.roll(ROW, k) for k in range(count)]
    found = f(*rows)
    assert type(found) is np.ndarray and found.dtype is np.dtype(float) and found.tobytes() == b"".join(r.tobytes() for r in rows)
    assert entry.calls[0] == 1


def test_answers_are_the_callers_own():
    f, _ = function(6, shape=(2, 3))
    one, two = f(np.arange(6.0)), f(np.ones(6))
    assert one.shape == (2, 3) and np.array_equal(one.ravel(), np.arange(6.0)) and np.array_equal(two, np.ones((2, 3)))
    assert one.flags.owndata and one.flags.writeable and one.flags.c_contiguous and one.flags.aligned and one.base is None
    one[:] = 9.0
    assert np.array_equal(two, np.ones((2, 3))) and np.array_equal(f(np.zeros(6)), np.zeros((2, 3)))


@pytest.mark.parametrize("shape", [(24,), (2, 12), (2, 3, 4), (24, 1, 1)])
def test_the_shape_of_an_answer(shape):
    f, _ = function(24, shape=shape)
    assert np.array_equal(f(np.arange(24.0)), np.arange(24.0).reshape(shape))


def test_beyond_what_the_code_has_room_for_there_is_none():
    whole = np.zeros(16)
    assert builtin.made("toy", Counted(), (whole,) * (MOST + 1), whole) is None
    assert builtin.made("toy", Counted(), (whole,), whole.reshape((2,) * (MOST + 1))) is None


def test_nothing_is_a_row_as_well():
    f, entry = function(0, 3)
    assert np.array_equal(f(np.zeros(0), np.ones(3)), np.ones(3)) and entry.calls[0] == 1
    f, entry = function(0)
    assert f(np.zeros(0)).shape == (0,) and f(np.zeros(1)) is None and entry.calls[0] == 1


class Sub(np.ndarray):
    pass


def locked(x):
    x = x.copy()
    x.flags.writeable = False
    return x


def field(x, other, align):
    """Rows with gaps: what records hold beside another number."""
    table = np.zeros(len(x), dtype=np.dtype([("a", other), ("x", "f8")], align=align))
    table["x"] = x
    return table["x"]


TAKEN = {
    "array": lambda x: x,
    "not to be written to": locked,
    "every other": lambda x: np.repeat(x, 2)[::2],
    "backwards": lambda x: x[::-1].copy()[::-1],
    "a column": lambda x: np.column_stack([x, x, x])[:, 1],
    "of records": lambda x: field(x, "i8", True),
    "one number, often": lambda x: np.broadcast_to(x[:1], x.shape),
    "subclass": lambda x: x.view(Sub),
    "memoryview": memoryview,
    "view of a view": lambda x: memoryview(np.repeat(x, 2))[::2],
    "bytes as doubles": lambda x: memoryview(x.tobytes()).cast("d"),
    "array of Python": lambda x: array.array("d", x),
}


@pytest.mark.parametrize("how", TAKEN)
def test_rows_of_doubles_are_taken_whatever_holds_them(how):
    f, entry = function(7, 7, 7)
    odd = TAKEN[how](ROW)
    for k in range(3):
        given = [ROW + 1, ROW + 2, ROW + 3]
        given[k] = odd
        expected = np.concatenate([np.asarray(x) for x in given])
        assert f(*given).tobytes() == expected.tobytes()
    assert np.array_equal(f(odd, odd, odd), np.tile(np.asarray(odd), 3), equal_nan=True)  # one and the same thrice
    assert entry.calls[0] == 4


def released():
    view = memoryview(np.zeros(7))
    view.release()
    return view


REFUSED = {
    "singles": lambda: np.zeros(7, np.float32),
    "as many bytes of singles": lambda: np.zeros(14, np.float32),
    "whole numbers": lambda: np.zeros(7, np.int64),
    "without sign": lambda: np.zeros(7, np.uint64),
    "other order": lambda: np.zeros(7, ">f8" if sys.byteorder == "little" else "<f8"),
    "not aligned": lambda: field(ROW, "u1", False),
    "complex of 8 bytes": lambda: np.zeros(7, np.complex64),
    "complex": lambda: np.zeros(7, complex),
    "long doubles": lambda: np.zeros(7, np.longdouble),
    "dates": lambda: np.zeros(7, "M8[s]"),
    "truths": lambda: np.zeros(7, bool),
    "objects": lambda: np.zeros(7, object),
    "text": lambda: np.zeros(7, "U2"),
    "bytes of 8": lambda: np.zeros(7, "S8"),
    "records of a double": lambda: np.zeros(7, [("x", "f8")]),
    "short": lambda: np.zeros(6),
    "long": lambda: np.zeros(8),
    "none": lambda: np.zeros(0),
    "row of rows": lambda: np.zeros((1, 7)),
    "column": lambda: np.zeros((7, 1)),
    "a number as array": lambda: np.array(1.0),
    "NumPy's number": lambda: np.float64(1.0),
    "number": lambda: 1.0,
    "list": lambda: [0.0] * 7,
    "tuple": lambda: (0.0,) * 7,
    "None": lambda: None,
    "str": lambda: "1234567",
    "bytes": lambda: bytes(56),
    "bytearray": lambda: bytearray(7),
    "array of ctypes": lambda: (ctypes.c_double * 7)(),
    "singles of Python": lambda: array.array("f", [0.0] * 7),
    "let go": released,
    "object": object,
    "class": lambda: np.ndarray,
}


@pytest.mark.parametrize("what", REFUSED)
def test_all_else_is_refused_and_nothing_is_held(what):
    """At each place: None, no exception, no run; and the other arguments, arrays that cannot grow while somebody looks at them,
    are free again."""
    f, entry = function(7, 7, 7)
    for k in range(3):
        given = [array.array("d", ROW) for _ in range(3)]
        given[k] = odd = REFUSED[what]()
        before = [sys.getrefcount(x) for x in given]
        for _ in range(100):
            assert f(*given) is None
        assert [sys.getrefcount(x) for x in given] == before or isinstance(odd, (type(None), type))
        for other in (x for x in given if isinstance(x, array.array)):
            other.append(1.0)  # BufferError if it were held
        if isinstance(odd, bytearray):
            odd.append(1)
    assert entry.calls[0] == 0


def test_the_number_of_arguments():
    f, entry = function(7, 7)
    assert f() is f(ROW) is f(ROW, ROW, ROW) is f(*[ROW] * 50) is None and entry.calls[0] == 0
    with pytest.raises(TypeError, match="takes no keyword arguments"):
        f(ROW, b=ROW)


# ------------------------------------------------------------------------------------------------- strange exporters


class View(ctypes.Structure):
    """Py_buffer."""

    _fields_ = tuple((n, {"i": ctypes.c_int, "n": ctypes.c_ssize_t, "p": ctypes.c_void_p}[k]) for n, k in (
        ("buf", "p"), ("obj", "p"), ("len", "n"), ("itemsize", "n"), ("readonly", "i"), ("ndim", "i"), ("format", "p"),
        ("shape", "p"), ("strides", "p"), ("suboffsets", "p"), ("internal", "p")))


class Slot(ctypes.Structure):
    _fields_ = (("slot", ctypes.c_int), ("function", ctypes.c_void_p))


class Spec(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("basicsize", ctypes.c_int), ("itemsize", ctypes.c_int), ("flags", ctypes.c_uint),
                ("slots", ctypes.POINTER(Slot)))


EXPORTER = """
@view = global [80 x i8] zeroinitializer
@error = global ptr null
@flags = global i64 0
@held = global i64 0
declare ptr @memcpy(ptr, ptr, i64)
declare void @PyErr_SetNone(ptr)
declare void @Py_IncRef(ptr)
define i32 @get(ptr %self, ptr %view, i32 %flags) {
  %e = load ptr, ptr @error
  %well = icmp eq ptr %e, null
  br i1 %well, label %give, label %fail
give:
  call ptr @memcpy(ptr %view, ptr @view, i64 80)
  %place = getelementptr i8, ptr %view, i64 8
  store ptr %self, ptr %place
  call void @Py_IncRef(ptr %self)
  %f = zext i32 %flags to i64
  store i64 %f, ptr @flags
  %n = load i64, ptr @held
  %more = add i64 %n, 1
  store i64 %more, ptr @held
  ret i32 0
fail:
  %none = getelementptr i8, ptr %view, i64 8
  store ptr null, ptr %none
  call void @PyErr_SetNone(ptr %e)
  ret i32 -1
}
define void @let(ptr %self, ptr %view) {
  %n = load i64, ptr @held
  %less = sub i64 %n, 1
  store i64 %less, ptr @held
  ret void
}
"""


class Strange:
    """Objects whose views of memory are what the test says, made as extension modules make them."""

    def __init__(self):
        names = "view", "error", "flags", "held", "get", "let"
        self.library = loader.load(loader.emit(EXPORTER), names)
        self.view = View.from_address(self.library["view"])
        self.error, self.flags, self.held = (ctypes.c_int64.from_address(self.library[n]) for n in ("error", "flags", "held"))
        self.slots = (Slot * 3)(Slot(1, self.library["get"]), Slot(2, self.library["let"]), Slot(0, None))
        self.spec = Spec(b"strange.Strange", 16, 0, 0, self.slots)  # slots of PEP 3118
        make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.POINTER(Spec))(("PyType_FromSpec", ctypes.pythonapi))
        self.object = make(self.spec)()
        self.row, self.format = ROW.copy(), ctypes.create_string_buffer(b"d")
        self.numbers = (ctypes.c_ssize_t * 2)(7, 8)
        self.good()

    def good(self):
        start = ctypes.addressof(self.numbers)
        for name, value in (("buf", self.row.ctypes.data), ("obj", 0), ("len", 56), ("itemsize", 8), ("readonly", 1), ("ndim", 1),
                            ("format", ctypes.addressof(self.format)), ("shape", start), ("strides", start + 8)):
            setattr(self.view, name, value)
        self.format.value, self.numbers[0], self.numbers[1], self.error.value = b"d", 7, 8, 0


@pytest.fixture(scope="module")
def strange():
    return Strange()


def test_what_a_view_must_be(strange):
    """Everything that is looked at, one by one; and what is asked for: the format and gaps, nothing that can be written to."""
    f, entry = function(7, 7)
    strange.good()
    assert np.array_equal(f(strange.object, ROW), np.tile(ROW, 2), equal_nan=True)
    assert strange.flags.value == 0x10 | 0x08 | 0x04 and strange.held.value == 0
    for name, value in (("format", None), ("ndim", 0), ("ndim", 2), ("itemsize", 4), ("itemsize", 16)):
        strange.good()
        setattr(strange.view, name, value)
        assert f(strange.object, ROW) is f(ROW, strange.object) is None and strange.held.value == 0, name
    for text in (b"", b"f", b"q", b"D", b"B"):
        strange.good()
        strange.format.value = text
        assert f(strange.object, ROW) is f(ROW, strange.object) is None and strange.held.value == 0, text
    for text in (b"dd", b"<d", b"d:x:"):
        strange.good()
        held = ctypes.create_string_buffer(text)
        strange.view.format = ctypes.addressof(held)
        assert f(strange.object, ROW) is f(ROW, strange.object) is None and strange.held.value == 0, text
    for length in (0, 6, 8, -7):
        strange.good()
        strange.numbers[0] = length
        assert f(strange.object, ROW) is f(ROW, strange.object) is None and strange.held.value == 0, length
    strange.good()
    assert entry.calls[0] == 1 and f(ROW, strange.object) is not None


def test_exceptions_are_refusals_but_those_that_end_programs(strange):
    f, entry = function(7, 7)
    strange.good()
    for error in (ValueError, TypeError, BufferError, RuntimeError, MemoryError, UnicodeDecodeError):
        strange.error.value = id(error)
        for given in ((strange.object, ROW), (ROW, strange.object)):
            assert f(*given) is None
    for error in (KeyboardInterrupt, SystemExit, GeneratorExit):
        strange.error.value = id(error)
        for k in range(2):
            row = array.array("d", ROW)
            before = sys.getrefcount(row)
            with pytest.raises(error):
                f(*((strange.object, row), (row, strange.object))[k])
            row.append(0.0)
            assert sys.getrefcount(row) == before
    assert entry.calls[0] == 0 and strange.held.value == 0
    strange.good()
    assert f(ROW, ROW) is not None


@pytest.mark.skipif(sys.version_info < (3, 12), reason="classes cannot say what their memory is")
def test_a_class_with_a_view_of_its_own():
    log = []

    class Own:
        def __buffer__(self, flags):
            if log and log[-1] == "fail":
                raise log.pop(-2)
            return memoryview(ROW)

        def __release_buffer__(self, view):
            log.append("free")
            view.release()

    f, _ = function(7, 7)
    assert np.array_equal(f(Own(), Own()), np.tile(ROW, 2), equal_nan=True) and log == ["free", "free"]
    log[:] = [ValueError(), "fail"]
    assert f(ROW, Own()) is None and log == ["fail"]
    log[:] = [KeyboardInterrupt(), "fail"]
    with pytest.raises(KeyboardInterrupt):
        f(ROW, Own())


# --------------------------------------------------------------------------------------------------------- left behind


def test_nothing_is_left_behind():
    """References, blocks of memory and the memory of the process, over a million answers and as many refusals."""
    f, entry = function(7, 7, shape=(2, 7))
    good, bad, short = ROW.copy(), np.zeros(7, np.float32), np.zeros(6)
    rows = array.array("d", ROW)
    kept = good, bad, short, rows, f, f.__self__, np.ndarray, good.dtype
    for n in (10_000, 500_000):  # what is made once is there after the first round
        gc.collect()
        before, blocks, none = [sys.getrefcount(x) for x in kept], sys.getallocatedblocks(), sys.getrefcount(None)
        size = resident()
        for _ in range(n):
            f(good, rows)
            f(rows, good)
            f(good, bad)
            f(short, good)
        gc.collect()
        assert [sys.getrefcount(x) for x in kept] == before
        assert abs(sys.getallocatedblocks() - blocks) < 50 and abs(sys.getrefcount(None) - none) < 50
        assert resident() - size < 1_000_000
    assert entry.calls[0] == 2 * 510_000


def resident() -> int:
    """Bytes of memory this process has; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as file:
            return 4096 * int(file.read().split()[1])
    except OSError:
        return 0


def test_an_answer_for_which_there_is_no_memory(monkeypatch):
    """The exception arrives, and the arguments are free."""
    f, _ = function(7, shape=(7,))
    words = bytearray(f.__self__[0])
    at = 8 * 6
    words[at:at + 8] = (1 << 58).to_bytes(8, sys.byteorder)  # a shape beyond all memory
    g = builtin._new()(f.__self__[-1], (bytes(words), *f.__self__[1:]), None)
    row = array.array("d", ROW)
    with pytest.raises((MemoryError, ValueError)):
        g(row)
    row.append(1.0)


def test_a_function_keeps_what_it_needs():
    """Also when everything else has gone, and its memory has other owners."""
    f, entry = function(7, 7)
    place = entry.calls
    del entry
    gc.collect()
    others = [np.ones(14) for _ in range(1000)]
    assert np.array_equal(f(ROW, ROW), np.tile(ROW, 2), equal_nan=True) and place[0] == 1 and len(others) == 1000
    before = sys.getrefcount(place)
    del f
    gc.collect()
    assert sys.getrefcount(place) < before


def test_threads_get_their_own_numbers():
    """Nothing of Python runs between the first number taken and the last one given: even one function serves many threads."""
    f, _ = function(50, 50)
    wrong = []

    def work(k):
        x, y = np.full(50, 1.0 * k), np.full(50, -1.0 * k)
        for _ in range(20_000):
            found = f(x, y)
            if found[0] != k or found[99] != -k or found[49] != k:
                wrong.append(k)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong


# ----------------------------------------------------------------------------------------------------- where there are none


@pytest.mark.parametrize("changed", [{"implementation": types.SimpleNamespace(name="pypy")}, {"abiflags": "t"},
                                     {"abiflags": None}, {"maxsize": 2**31 - 1}])
def test_other_interpreters_have_none(monkeypatch, changed):
    like = {"implementation": sys.implementation, "abiflags": "", "maxsize": sys.maxsize, "modules": sys.modules} | changed
    other = types.SimpleNamespace(**{k: v for k, v in like.items() if v is not None})
    monkeypatch.setattr(builtin, "sys", other)
    assert builtin._code.__wrapped__() == 0


def test_an_unknown_numpy_has_none(monkeypatch):
    assert set(builtin._arrays()) == set(builtin.PLACES)
    monkeypatch.setattr(builtin, "ABI", (0x03000000,))
    assert builtin._arrays() is None and builtin._code.__wrapped__() == 0
    monkeypatch.setattr(builtin, "ABI", (0x02000000, 0x01000009))
    monkeypatch.setattr(builtin, "API", ("nothing._multiarray_umath",))
    assert builtin._arrays() is None


def test_the_code_is_kept_and_made_again_when_its_text_is_another(monkeypatch, tmp_path):
    from dalembert._jit import store

    folder = tmp_path / store.key()
    folder.mkdir()
    monkeypatch.setattr(store, "cache_folder", lambda: folder)
    made = []
    emit = loader.emit
    monkeypatch.setattr(loader, "emit", lambda text: made.append(text) or emit(text))
    assert builtin._loaded()[builtin.CODE] and builtin._loaded()[builtin.CODE] and len(made) == 1
    monkeypatch.setattr(builtin, "TEXT", builtin.TEXT + "; another\n")
    assert builtin._loaded()[builtin.CODE] and len(made) == 2
    (folder / store.read(folder, "builtin")[1]["object"]).write_bytes(b"damaged")
    assert builtin._loaded()[builtin.CODE] and len(made) == 3
