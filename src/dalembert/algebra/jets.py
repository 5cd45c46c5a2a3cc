"""Second-order jets: a formula and its first two time derivatives along a motion, exactly.

A formula f(x₁ … xₙ) is a flat stack program.  Along a motion x(t) every intermediate quantity u carries its
jet (u, u̇, ü); variables enter as (x, ẋ, ẍ), constants as (c, 0, 0); operations map jets to jets.  In the end

    ḟ = ∇f·ẋ        f̈ = ẋᵀ H ẋ + ∇f·ẍ        (no differences, no truncation error)

Rules (A. Griewank, A. Walther: Evaluating Derivatives, 2nd ed., SIAM 2008, ch. 13):

    w = u ± v       ẇ = u̇ ± v̇               ẅ = ü ± v̈
    w = u v         ẇ = u̇ v + u v̇           ẅ = ü v + 2 u̇ v̇ + u v̈
    w = u / v       ẇ = (u̇ − w v̇)/v         ẅ = (ü − 2 ẇ v̇ − w v̈)/v              from u = w v
    w = g(u)        ẇ = g' u̇                ẅ = g" u̇² + g' ü                     chain rule
    w = uⁿ          g' = n uⁿ⁻¹             g" = n (n−1) uⁿ⁻²    n constant; any sign of u if n is an integer
    w = u^v, u > 0  ẇ = w ḣ                 ẅ = w (ḧ + ḣ²)       h = v ln u
                    ḣ = v̇ ln u + v u̇/u      ḧ = v̈ ln u + 2 v̇ u̇/u + v (ü/u − (u̇/u)²)
    w = atan2(u, v) ẇ = (v u̇ − u v̇)/r²      ẅ = (v ü − u v̈ − 2 ẇ (v v̇ + u u̇))/r²,  r² = u² + v²
    w = hypot(u, v) ẇ = (u u̇ + v v̇)/w       ẅ = (u̇² + v̇² + u ü + v v̈ − ẇ²)/w

    g     g'              g"          g     g'         g"           g      g'          g"
    sin   cos u           −w          sinh  cosh u     w            exp    w           w
    cos   −sin u          −w          cosh  sinh u     w            log    1/u         −g'/u
    tan   1 + w²          2 w g'      tanh  1 − w²     −2 w g'      log10  1/(u ln10)  −g'/u
    asin  (1−u²)^(−1/2)   u g'³       atan  1/(1+u²)   −2 u g'²     sqrt   1/(2 w)     −g'/(2 u)
    acos  −(1−u²)^(−1/2)  u g'³

Piecewise: abs has g' = sign u (0 at 0); sign, floor and step have g' = 0, their jumps are not differentiated;
min and max take the jet of the chosen operand (the first one where they are equal).  The blend
smoothstep(x, x₀, y₀, x₁, y₁) is y₀ before, y₁ after, and y₀ + (y₁ − y₀) p(s) between, with
s = (x − x₀)/(x₁ − x₀), p = s³(10 − 15 s + 6 s²); p' = 30 s²(1−s)² and p" = 60 s (1−s)(1−2s) vanish at both
ends, so it is C².

Outside a function's domain the result is nan.  A zero derivative times an infinite slope counts as zero, so
that constants such as sqrt(0) have zero derivatives.  A program is a run of pairs (opcode, argument) in
``code``: the argument is the index of the constant or variable, the exponent of an integer power, else 0.
"""

from __future__ import annotations

import math

import numpy as np

from .._jit import inline, kernel

# ------------------------------------------------------------------------------------------------- opcodes

CONSTANT = 0
VARIABLE = 1
MULTIPLY = 2
ADD = 3
SUBTRACT = 4
NEGATE = 5
INTEGER_POWER = 6
DIVIDE = 7
SIN = 8  # SIN to STEP: functions of one argument
COS = 9
SQRT = 10
EXP = 11
TAN = 12
TANH = 13
ABS = 14
LOG = 15
ATAN = 16
ASIN = 17
ACOS = 18
SINH = 19
COSH = 20
LOG10 = 21
SIGN = 22
FLOOR = 23
STEP = 24
POWER = 25
ATAN2 = 26
HYPOT = 27
MINIMUM = 28
MAXIMUM = 29
SMOOTHSTEP = 30

_LN10 = math.log(10.0)

# ------------------------------------------------------------------------------------------------- functions


@inline
def integer_power(u, n):
    """uⁿ by repeated squaring; 1 for n = 0."""
    m = n if n >= 0 else -n
    w = 1.0
    factor = u
    while m > 0:
        if m & 1:
            w = w * factor
        factor = factor * factor
        m >>= 1
    return w if n >= 0 else 1.0 / w


@inline
def function(op, u):
    """g(u) of a function of one argument."""
    if op == SIN:
        return np.sin(u)
    elif op == COS:
        return np.cos(u)
    elif op == SQRT:
        return np.sqrt(u)
    elif op == EXP:
        return np.exp(u)
    elif op == TAN:
        return np.tan(u)
    elif op == TANH:
        return np.tanh(u)
    elif op == ABS:
        return abs(u)
    elif op == LOG:
        return np.log(u) if u > 0.0 else np.nan
    elif op == ATAN:
        return np.arctan(u)
    elif op == ASIN:
        return np.arcsin(u)
    elif op == ACOS:
        return np.arccos(u)
    elif op == SINH:
        return np.sinh(u)
    elif op == COSH:
        return np.cosh(u)
    elif op == LOG10:
        return np.log10(u) if u > 0.0 else np.nan
    elif op == SIGN:
        return 1.0 if u > 0.0 else -1.0 if u < 0.0 else 0.0 * u
    elif op == FLOOR:
        return np.floor(u)
    elif op == STEP:
        return 1.0 if u >= 0.0 else 0.0 if u < 0.0 else u
    return np.nan


@inline
def slopes(op, u, w):
    """g'(u) and g"(u) of a function of one argument, given w = g(u)."""
    if op == SIN:
        return np.cos(u), -w
    elif op == COS:
        return -np.sin(u), -w
    elif op == SQRT:
        g1 = 0.5 / w
        return g1, -0.5 * g1 / u
    elif op == EXP:
        return w, w
    elif op == TAN:
        g1 = 1.0 + w * w
        return g1, 2.0 * w * g1
    elif op == TANH:
        g1 = 1.0 - w * w
        return g1, -2.0 * w * g1
    elif op == ABS:
        return (1.0 if u > 0.0 else -1.0 if u < 0.0 else 0.0), 0.0
    elif op == LOG:
        g1 = 1.0 / u
        return g1, -g1 * g1
    elif op == ATAN:
        g1 = 1.0 / (1.0 + u * u)
        return g1, -2.0 * u * g1 * g1
    elif op == ASIN:
        g1 = 1.0 / np.sqrt((1.0 - u) * (1.0 + u))
        return g1, u * g1 * g1 * g1
    elif op == ACOS:
        g1 = -1.0 / np.sqrt((1.0 - u) * (1.0 + u))
        return g1, u * g1 * g1 * g1
    elif op == SINH:
        return np.cosh(u), w
    elif op == COSH:
        return np.sinh(u), w
    elif op == LOG10:
        g1 = 1.0 / (u * _LN10)
        return g1, -g1 / u
    return 0.0, 0.0


@inline
def chain(g1, g2, u1, u2):
    """First and second derivative of g(u); a zero derivative of u silences an infinite slope."""
    f1 = 0.0
    f2 = 0.0
    if u1 != 0.0:
        f1 = g1 * u1
        f2 = g2 * u1 * u1
    if u2 != 0.0:
        f2 = f2 + g1 * u2
    return f1, f2


# ------------------------------------------------------------------------------------ two and more arguments


@inline
def integer_power_jet(u, u1, u2, n):
    """Jet of uⁿ for an integer n."""
    w = integer_power(u, n)
    if n == 0:
        return w, 0.0, 0.0
    if n == 1:
        return u, u1, u2
    f1, f2 = chain(n * integer_power(u, n - 1), n * (n - 1.0) * integer_power(u, n - 2), u1, u2)
    return w, f1, f2


@inline
def power_jet(u, u1, u2, v, v1, v2):
    """Jet of u^v; the exponent counts as constant where its derivatives vanish."""
    w = u**v
    if v1 == 0.0 and v2 == 0.0:
        g1 = v * u ** (v - 1.0) if v != 0.0 else 0.0
        g2 = v * (v - 1.0) * u ** (v - 2.0) if v != 0.0 and v != 1.0 else 0.0
        f1, f2 = chain(g1, g2, u1, u2)
        return w, f1, f2
    if not u > 0.0:
        return w, np.nan, np.nan
    log = np.log(u)
    rate = u1 / u
    h1 = v1 * log + v * rate
    h2 = v2 * log + 2.0 * v1 * rate + v * (u2 / u - rate * rate)
    return w, w * h1, w * (h2 + h1 * h1)


@inline
def atan2_jet(u, u1, u2, v, v1, v2):
    """Jet of atan2(u, v)."""
    w = np.arctan2(u, v)
    if u1 == 0.0 and u2 == 0.0 and v1 == 0.0 and v2 == 0.0:
        return w, 0.0, 0.0
    r2 = u * u + v * v
    f1 = (v * u1 - u * v1) / r2
    return w, f1, (v * u2 - u * v2 - 2.0 * f1 * (v * v1 + u * u1)) / r2


@inline
def hypot_jet(u, u1, u2, v, v1, v2):
    """Jet of hypot(u, v)."""
    w = np.hypot(u, v)
    if u1 == 0.0 and u2 == 0.0 and v1 == 0.0 and v2 == 0.0:
        return w, 0.0, 0.0
    f1 = (u * u1 + v * v1) / w
    return w, f1, (u1 * u1 + v1 * v1 + u * u2 + v * v2 - f1 * f1) / w


@inline
def smoothstep_value(x, x0, y0, x1, y1):
    """The quintic blend from y0 at x0 to y1 at x1."""
    s = (x - x0) / (x1 - x0)
    if s <= 0.0:
        return y0
    if s >= 1.0:
        return y1
    return y0 + (y1 - y0) * (s * s * s * (10.0 - s * (15.0 - 6.0 * s)))


@kernel
def smoothstep_jet(stack, k):
    """Jet of smoothstep; the jets of its five arguments lie at stack[k : k + 15]."""
    h = stack[k + 9] - stack[k + 3]
    h1 = stack[k + 10] - stack[k + 4]
    s = (stack[k] - stack[k + 3]) / h
    if s <= 0.0:
        return stack[k + 6], stack[k + 7], stack[k + 8]
    if s >= 1.0:
        return stack[k + 12], stack[k + 13], stack[k + 14]
    s1 = (stack[k + 1] - stack[k + 4] - s * h1) / h
    s2 = (stack[k + 2] - stack[k + 5] - 2.0 * s1 * h1 - s * (stack[k + 11] - stack[k + 5])) / h
    p = s * s * s * (10.0 - s * (15.0 - 6.0 * s))
    p1, p2 = chain(30.0 * s * s * (1.0 - s) * (1.0 - s), 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s), s1, s2)
    d = stack[k + 12] - stack[k + 6]
    d1 = stack[k + 13] - stack[k + 7]
    d2 = stack[k + 14] - stack[k + 8]
    return (stack[k + 6] + d * p, stack[k + 7] + d1 * p + d * p1,
            stack[k + 8] + d2 * p + 2.0 * d1 * p1 + d * p2)


# ------------------------------------------------------------------------------------------------- programs


@kernel
def run(code, constants, start, stop, constant_start, x, xd, xdd, x_start, stack, stack_start):
    """(f, ḟ, f̈) of the program code[start:stop]; the stack needs room for 3 × depth from stack_start on."""
    top = stack_start - 3  # the jet on top of the stack
    for at in range(start, stop, 2):
        op = code[at]
        k = code[at + 1]
        if op == CONSTANT:
            top += 3
            w, w1, w2 = constants[constant_start + k], 0.0, 0.0
        elif op == VARIABLE:
            top += 3
            w, w1, w2 = x[x_start + k], xd[x_start + k], xdd[x_start + k]
        elif op == NEGATE:
            w, w1, w2 = -stack[top], -stack[top + 1], -stack[top + 2]
        elif op == INTEGER_POWER:
            w, w1, w2 = integer_power_jet(stack[top], stack[top + 1], stack[top + 2], k)
        elif SIN <= op <= STEP:
            u = stack[top]
            w = function(op, u)
            g1, g2 = slopes(op, u, w)
            w1, w2 = chain(g1, g2, stack[top + 1], stack[top + 2])
            if w != w:
                w1, w2 = w, w
        elif op == SMOOTHSTEP:
            top -= 12
            w, w1, w2 = smoothstep_jet(stack, top)
        else:
            top -= 3
            u, u1, u2 = stack[top], stack[top + 1], stack[top + 2]
            v, v1, v2 = stack[top + 3], stack[top + 4], stack[top + 5]
            if op == MULTIPLY:
                w, w1, w2 = u * v, u1 * v + u * v1, u2 * v + 2.0 * u1 * v1 + u * v2
            elif op == ADD:
                w, w1, w2 = u + v, u1 + v1, u2 + v2
            elif op == SUBTRACT:
                w, w1, w2 = u - v, u1 - v1, u2 - v2
            elif op == DIVIDE:
                w = u / v
                w1 = (u1 - w * v1) / v
                w2 = (u2 - 2.0 * w1 * v1 - w * v2) / v
            elif op == POWER:
                w, w1, w2 = power_jet(u, u1, u2, v, v1, v2)
            elif op == ATAN2:
                w, w1, w2 = atan2_jet(u, u1, u2, v, v1, v2)
            elif op == HYPOT:
                w, w1, w2 = hypot_jet(u, u1, u2, v, v1, v2)
            elif (op == MINIMUM and v < u) or (op == MAXIMUM and v > u) or (op <= MAXIMUM and v != v):
                w, w1, w2 = v, v1, v2
            elif op <= MAXIMUM:
                w, w1, w2 = u, u1, u2
            else:
                w, w1, w2 = np.nan, np.nan, np.nan
        stack[top] = w
        stack[top + 1] = w1
        stack[top + 2] = w2
    return stack[stack_start], stack[stack_start + 1], stack[stack_start + 2]


@kernel
def value(code, constants, start, stop, constant_start, x, x_start, stack, stack_start):
    """f alone of the program code[start:stop]; the stack needs room for depth numbers from stack_start on."""
    top = stack_start - 1  # the number on top of the stack
    for at in range(start, stop, 2):
        op = code[at]
        k = code[at + 1]
        if op == CONSTANT:
            top += 1
            w = constants[constant_start + k]
        elif op == VARIABLE:
            top += 1
            w = x[x_start + k]
        elif op == NEGATE:
            w = -stack[top]
        elif op == INTEGER_POWER:
            w = integer_power(stack[top], k)
        elif SIN <= op <= STEP:
            w = function(op, stack[top])
        elif op == SMOOTHSTEP:
            top -= 4
            w = smoothstep_value(stack[top], stack[top + 1], stack[top + 2], stack[top + 3], stack[top + 4])
        else:
            top -= 1
            u = stack[top]
            v = stack[top + 1]
            if op == MULTIPLY:
                w = u * v
            elif op == ADD:
                w = u + v
            elif op == SUBTRACT:
                w = u - v
            elif op == DIVIDE:
                w = u / v
            elif op == POWER:
                w = u**v
            elif op == ATAN2:
                w = np.arctan2(u, v)
            elif op == HYPOT:
                w = np.hypot(u, v)
            elif (op == MINIMUM and v < u) or (op == MAXIMUM and v > u) or (op <= MAXIMUM and v != v):
                w = v
            elif op <= MAXIMUM:
                w = u
            else:
                w = np.nan
        stack[top] = w
    return stack[stack_start]
