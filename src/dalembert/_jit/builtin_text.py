"""The code behind functions of Python that are made at run time (builtin.py), as text for LLVM, the same for all of them.

    PyObject *dalembert_builtin(PyObject *self, PyObject *const *given, Py_ssize_t n)      a PyCFunction, METH_FASTCALL
    void     *dalembert_python[]                                                           what it uses of Python: NEEDS, ARRAYS

``self`` is a tuple whose first item is the bytes of these words; whatever they point to is kept alive by its other items:

    0 n   1 code   2 its table   3 where the answer is   4 its bytes   5 dimensions   6 7 8 the shape   9 10 11 zeros
    12 + 2k where argument k goes   13 + 2k its length

It asks each argument for a view of its memory.  One row of doubles of the right length, in this machine's order, is what it
takes (format "d"; read-only ones and such with gaps as well); at the first that is or has anything else it lets all views go
and gives None, and so it does where an exception was raised for it.  What is no Exception (Ctrl-C) goes on its way.  Else the
numbers are copied, the code runs, and the answer is a new array: nothing of Python runs between the first number copied and
the last one of the answer.  Then the views are let go, on this way as on all others.

Nothing here knows how Python or NumPy build their objects.  Of Python there are functions and the struct Py_buffer, both of the
stable ABI; of NumPy two functions of its C API (by their places in the table that it hands to every extension).  Addresses of
all of them are handed over: a library with this code asks the system for none of these names.
"""

NEEDS = ("PyTuple_GetItem", "PyBytes_AsString", "PyObject_GetBuffer", "PyBuffer_Release", "PyErr_ExceptionMatches",
         "PyErr_Clear", "Py_IncRef", "Exception", "None")
ARRAYS = ("PyArray_New", "PyArray_GetPtr", "PyArray_Type")
MOST = 3  # arguments, and dimensions of the answer
ANSWER, SHAPE, ZEROS, FIRST = 3, 6, 9, 12  # places of words
VIEW = 80  # bytes of a Py_buffer
BUF, SIZE, NDIM, FORMAT, EXTENTS, STRIDES = 0, 24, 36, 40, 48, 56  # what is read of one
ASKED = 0x1C  # PyBUF_RECORDS_RO: strides and the format; may be read-only
DOUBLE = 12  # NPY_DOUBLE


def _need(name: str) -> str:
    """Load an address of the table, as %name."""
    at = 8 * (*NEEDS, *ARRAYS).index(name)
    return f"  %{name} = load ptr, ptr getelementptr (i8, ptr @dalembert_python, i64 {at})\n"


def _word(name: str, place: int, kind: str = "i64") -> str:
    return f"  %{name}.at = getelementptr i8, ptr %words, i64 {8 * place}\n  %{name} = load {kind}, ptr %{name}.at, align 1\n"


def _of_view(name: str, place: int, kind: str, view: str = "view") -> str:
    return f"  %{name}.at = getelementptr i8, ptr %{view}, i64 {place}\n  %{name} = load {kind}, ptr %{name}.at\n"


def _release(name: str, count: str, then: str) -> str:
    """Let go the first ``count`` views, the last one first."""
    return f"""
{name}:
  br label %{name}.look
{name}.look:
  %{name}.k = phi i64 [ %{count}, %{name} ], [ %{name}.less, %{name}.one ]
  %{name}.none = icmp eq i64 %{name}.k, 0
  br i1 %{name}.none, label %{then}, label %{name}.one
{name}.one:
  %{name}.less = sub i64 %{name}.k, 1
  %{name}.place = mul i64 %{name}.less, {VIEW}
  %{name}.view = getelementptr i8, ptr %views, i64 %{name}.place
  call void %PyBuffer_Release(ptr %{name}.view)
  br label %{name}.look
"""


TEXT = "".join([
    f"""
@dalembert_python = global [{len(NEEDS + ARRAYS)} x ptr] zeroinitializer, align 16

declare ptr @memcpy(ptr, ptr, i64)

define ptr @dalembert_builtin(ptr %self, ptr %given, i64 %n) nounwind {{
  %views = alloca [{MOST * VIEW} x i8], align 16
""",
    *(_need(name) for name in NEEDS + ARRAYS),
    """  %item = call ptr %PyTuple_GetItem(ptr %self, i64 0)
  %words = call ptr %PyBytes_AsString(ptr %item)
""", _word("count", 0), """  %right = icmp eq i64 %count, %n
  br i1 %right, label %ask, label %refused

; ------------------------------------------------------------------------------------- a view of each argument
ask:
  %k = phi i64 [ 0, %0 ], [ %k.next, %look.end ]
  %all = icmp eq i64 %k, %n
  br i1 %all, label %take, label %ask.one
ask.one:
  %object.at = getelementptr ptr, ptr %given, i64 %k
  %object = load ptr, ptr %object.at
""", f"""  %view.place = mul i64 %k, {VIEW}
  %view = getelementptr i8, ptr %views, i64 %view.place
  %status = call i32 %PyObject_GetBuffer(ptr %object, ptr %view, i32 {ASKED})
  %k.next = add i64 %k, 1
  %seen = icmp eq i32 %status, 0
  br i1 %seen, label %look, label %raised
look:
""", _of_view("format", FORMAT, "ptr"), _of_view("ndim", NDIM, "i32"), _of_view("size", SIZE, "i64"), """
  %named = icmp ne ptr %format, null
  %row = icmp eq i32 %ndim, 1
  %wide = icmp eq i64 %size, 8
  %some = and i1 %named, %row
  %good = and i1 %some, %wide
  br i1 %good, label %look.more, label %unfit
look.more:
  %letter = load i8, ptr %format
  %d = icmp eq i8 %letter, 100                        ; "d" and no more
  br i1 %d, label %look.end, label %unfit
look.end:
  %format.end = getelementptr i8, ptr %format, i64 1
  %letter.next = load i8, ptr %format.end
  %double = icmp eq i8 %letter.next, 0
""", _of_view("extents", EXTENTS, "ptr"), """  %extent = load i64, ptr %extents
  %k.twice = mul i64 %k, 16
""", f"""  %k.place = add i64 %k.twice, {8 * FIRST}
  %to.at = getelementptr i8, ptr %words, i64 %k.place
  %length.at = getelementptr i8, ptr %to.at, i64 8
  %length = load i64, ptr %length.at, align 1
  %long = icmp eq i64 %extent, %length
  %fit = and i1 %double, %long
  br i1 %fit, label %ask, label %unfit

; --------------------------------------------------------------------------- their numbers, the code, the answer
take:
  %j = phi i64 [ 0, %ask ], [ %j.next, %number ]
  %j.all = icmp eq i64 %j, %n
  br i1 %j.all, label %run, label %take.one
take.one:
  %j.next = add i64 %j, 1
  %j.view.place = mul i64 %j, {VIEW}
  %j.view = getelementptr i8, ptr %views, i64 %j.view.place
""", _of_view("from", BUF, "ptr", "j.view"), _of_view("strides", STRIDES, "ptr", "j.view"), f"""
  %stride = load i64, ptr %strides
  %j.twice = mul i64 %j, 16
  %j.place = add i64 %j.twice, {8 * FIRST}
  %j.to.at = getelementptr i8, ptr %words, i64 %j.place
  %j.to = load ptr, ptr %j.to.at, align 1
  %j.length.at = getelementptr i8, ptr %j.to.at, i64 8
  %j.length = load i64, ptr %j.length.at, align 1
  br label %number
number:
  %i = phi i64 [ 0, %take.one ], [ %i.next, %number.one ]
  %source = phi ptr [ %from, %take.one ], [ %source.next, %number.one ]
  %last = icmp eq i64 %i, %j.length
  br i1 %last, label %take, label %number.one
number.one:
  %x = load double, ptr %source, align 1
  %goal = getelementptr double, ptr %j.to, i64 %i
  store double %x, ptr %goal
  %source.next = getelementptr i8, ptr %source, i64 %stride
  %i.next = add i64 %i, 1
  br label %number

run:
""", _word("code", 1, "ptr"), _word("table", 2, "ptr"), _word("made", ANSWER, "ptr"), _word("bytes", ANSWER + 1),
    _word("dimensions", ANSWER + 2, "i32"), f"""  %done = call i64 %code(ptr %table)
  %shape = getelementptr i8, ptr %words, i64 {8 * SHAPE}
  %zeros = getelementptr i8, ptr %words, i64 {8 * ZEROS}
  %answer = call ptr %PyArray_New(ptr %PyArray_Type, i32 %dimensions, ptr %shape, i32 {DOUBLE}, ptr null, ptr null, i32 0,
                                  i32 0, ptr null)
  %memory = icmp eq ptr %answer, null                 ; there is none left, and the exception says so
  br i1 %memory, label %let, label %fill
fill:
  %place = call ptr %PyArray_GetPtr(ptr %answer, ptr %zeros)
  %copied = call ptr @memcpy(ptr %place, ptr %made, i64 %bytes)
  br label %let
""", _release("let", "n", "give"), """
give:
  ret ptr %answer

; ---------------------------------------------------------------------------------------------------- refusals
raised:
  %usual = call i32 %PyErr_ExceptionMatches(ptr %Exception)
  %meant = icmp ne i32 %usual, 0
  br i1 %meant, label %forget, label %on
forget:
  call void %PyErr_Clear()
  br label %unfit
unfit:
  %held = phi i64 [ %k, %forget ], [ %k.next, %look ], [ %k.next, %look.more ], [ %k.next, %look.end ]
  br label %drop
""", _release("drop", "held", "refused"), _release("on", "k", "thrown"), """
thrown:
  ret ptr null
refused:
  call void %Py_IncRef(ptr %None)
  ret ptr %None
}
"""])
