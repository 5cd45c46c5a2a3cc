"""Making formulas short: sums and products of sines and cosines in a normal form, squares put together, rounding dropped.

fourier(e)   products of sines and cosines become sums of angles: a normal form for trigonometric polynomials, so that
             two formulas are equal exactly when the normal form of their difference is zero
tidy(e)      the shortest of: as it is, expanded, with sin² + cos² = 1 used angle by angle, in normal form, factored
equal(a, b)  the decision
"""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

LARGEST = 80  # terms, about: longer sums are left as they are
BUDGET = 30_000  # operations looked at in one derivation: after that formulas stay as they come
_spent = [0]
NOISE = sp.Rational(1, 10**13)


_WEIGHT: dict = {}


def weight(e) -> int:
    """Number of operations if the formula were written out; shared parts are visited once, so this is quick for any formula."""
    found = _WEIGHT.get(e)
    if found is None:
        if len(_WEIGHT) > 200_000:
            _WEIGHT.clear()
        stack = [e]
        while stack:
            x = stack[-1]
            left = [a for a in x.args if a not in _WEIGHT]
            if left:
                stack += left
                continue
            _WEIGHT[x] = len(x.args) + sum(_WEIGHT[a] for a in x.args)
            stack.pop()
        found = _WEIGHT[e]
    return found


def width(e) -> int:
    """Number of terms the formula would have if it were multiplied out (an upper bound, found without doing it)."""
    if e.is_Add:
        return sum(width(a) for a in e.args)
    if e.is_Mul:
        total = 1
        for a in e.args:
            total *= width(a)
            if total > 10 * LARGEST:
                break
        return total
    if e.is_Pow and e.exp.is_Integer and e.exp > 0:
        return min(width(e.base) ** int(e.exp), 10**6)
    return 1


def _terms(e):
    return sp.Add.make_args(e)


def fraction(e) -> bool:
    """Whether something that moves stands in a denominator."""
    return any(p.exp.is_negative and not p.base.is_number and p.base.has(sp.sin, sp.cos, sp.Add) for p in e.atoms(sp.Pow))


def chop(e):
    """Terms that are only rounding of the others are dropped."""
    found = [(t.as_coeff_Mul()[0], t) for t in _terms(e)]
    sizes = [abs(c) for c, _ in found if c.is_Rational]
    if len(sizes) < 2 or not any(c.is_Rational and c.q > 10**12 for c, _ in found):
        return e
    if fraction(e):
        return e  # terms over different denominators cannot be compared
    top = max(sizes)
    return sp.Add(*(t for c, t in found if not (c.is_Rational and c.q > 10**12 and abs(c) < NOISE * top)))


def expanded(e):
    """Sums of products; functions other than sine and cosine stay closed."""
    return chop(sp.expand(e, deep=False) if e.is_Add else sp.expand(e)) if not e.is_Atom else e


def _angle(func, a):
    """(function, angle, sign) with the angle's leading sign positive."""
    a = sp.expand(a)
    if a.could_extract_minus_sign():
        return func, -a, (1 if func is sp.cos else -1)
    return func, a, 1


def _times(waves, func, a):
    """Sum of waves times cos a or sin a."""
    out: dict = {}

    def put(f, angle, c):
        f, angle, sign = _angle(f, angle)
        if angle == 0:
            if f is sp.sin:
                return
            f, angle = sp.cos, sp.S.Zero
        out[f, angle] = out.get((f, angle), 0) + sign * c

    for (f, b), c in waves.items():
        if f is sp.cos and func is sp.cos:
            put(sp.cos, b - a, c / 2)
            put(sp.cos, b + a, c / 2)
        elif f is sp.sin and func is sp.sin:
            put(sp.cos, b - a, c / 2)
            put(sp.cos, b + a, -c / 2)
        else:
            s, k = (b, a) if f is sp.sin else (a, b)  # sin s cos k
            put(sp.sin, s + k, c / 2)
            put(sp.sin, s - k, c / 2)
    return {k: c for k, c in out.items() if c != 0}


def fourier(e):
    """Normal form of a trigonometric polynomial."""
    e = sp.expand(e)
    if not e.has(sp.sin, sp.cos):
        return chop(e)
    total: dict = {}
    for term in _terms(e):
        rest, waves = [], {(sp.cos, sp.S.Zero): sp.S.One}
        for factor in sp.Mul.make_args(term):
            base, power = factor.as_base_exp()
            if base.func in (sp.sin, sp.cos) and power.is_Integer and power > 0:
                for _ in range(int(power)):
                    waves = _times(waves, base.func, base.args[0])
            else:
                rest.append(factor)
        head = sp.Mul(*rest)
        for key, c in waves.items():
            total.setdefault(key, []).append(c * head)
    found = []
    for (f, a), parts in total.items():
        wave = sp.S.One if a == 0 else f(a)
        found += [t * wave for t in _terms(chop(sp.Add(*parts)))]
    return chop(sp.Add(*found))


def _waves(e) -> int:
    """How many waves the normal form has to write."""
    total = 0
    for t in _terms(e):
        degree = sum(int(p) for b, p in t.as_powers_dict().items() if b.func in (sp.sin, sp.cos) and p.is_Integer and p > 0)
        total += 2 ** min(degree, 20)
    return total


def _squares(e, func, a):
    """func(a)² → 1 − other(a)²."""
    other = sp.cos if func is sp.sin else sp.sin
    out = []
    for t in _terms(e):
        power = t.as_powers_dict().get(func(a), 0) if t.is_Mul or t.is_Pow else 0
        if getattr(power, "is_Integer", False) and power >= 2:
            t = t / func(a) ** (2 * (power // 2)) * (1 - other(a) ** 2) ** (power // 2)
        out.append(t)
    return chop(sp.expand(sp.Add(*out)))


def pythagoras(e):
    """sin² + cos² = 1, angle by angle, where it shortens the sum."""
    best, size = e, len(_terms(e))
    for a in sorted({f.args[0] for f in e.atoms(sp.sin, sp.cos)}, key=sp.default_sort_key):
        for func in (sp.sin, sp.cos):
            trial = _squares(best, func, a)
            if len(_terms(trial)) < size:
                best, size = trial, len(_terms(trial))
    return best


def paired(e):
    """cos a + cos b = 2 cos(½(a + b)) cos(½(a − b)) and its like, for pairs of terms with the same factor before them."""
    terms = [_wave(t) for t in _terms(e)]
    done = []
    while terms:
        head, f, a = terms.pop(0)
        for k, (other, g, b) in enumerate(terms if f is not None else ()):
            if g is f and other in (head, -head):
                up, down, same = sp.expand((a + b) / 2), sp.expand((a - b) / 2), other == head
                if f is sp.cos:
                    pair = sp.cos(up) * sp.cos(down) if same else -sp.sin(up) * sp.sin(down)
                else:
                    pair = sp.sin(up) * sp.cos(down) if same else sp.cos(up) * sp.sin(down)
                done.append(2 * head * pair)
                del terms[k]
                break
        else:
            done.append(head if f is None else head * f(a))
    return sp.Add(*done)


def _wave(t):
    """(factor, sine or cosine, angle) of a term with one of them; otherwise (term, None, None)."""
    waves = [x for x in sp.Mul.make_args(t) if x.func in (sp.sin, sp.cos)]
    return (t / waves[0], waves[0].func, waves[0].args[0]) if len(waves) == 1 else (t, None, None)


def collected(e, speeds):
    """A polynomial of the speeds by their products, each factor in a short form: ½ (…) q̇² + (…) q̇ ż + …"""
    if width(e) > 4 * LARGEST:
        return tidy(e)
    wide = sp.expand(e)
    if not wide.is_polynomial(*speeds):
        return tidy(e)
    found = sp.Add(*(tidy(c) * sp.Mul(*(u**k for u, k in zip(speeds, powers, strict=True)))
                     for powers, c in sp.Poly(wide, *speeds).terms())) if speeds else tidy(e)
    return min((found, tidy(e)), key=_cost)


def _cost(e) -> int:
    return e.count_ops() + 2 * len(e.atoms(sp.sin, sp.cos))


def begin() -> None:
    """A new derivation: its own budget, nothing remembered (so that the same model gives the same formulas)."""
    _spent[0] = 0
    tidy.cache_clear()


@lru_cache(maxsize=4096)
def tidy(e):
    """A short form of a formula; heavy ones stay as they are."""
    if e.is_Atom or weight(e) > 20 * LARGEST or _spent[0] > BUDGET:
        return e
    _spent[0] += weight(e)
    if fraction(e):
        return _quotient(e)
    terms, waving = width(e), e.has(sp.sin, sp.cos)
    _spent[0] += 2 * terms
    if terms > (2 * LARGEST if waving else LARGEST // 3):
        return e
    wide = chop(sp.expand(e))
    trials = [e, wide]
    if waving:
        trials.append(pythagoras(wide))
        waves = _waves(wide)
        if waves <= 8 * LARGEST:
            _spent[0] += waves
            trials.append(fourier(wide))
            if trials[-1] == 0:
                return sp.S.Zero
            trials.append(paired(trials[-1]))
    short = min(trials, key=_cost)
    trials = [short, sp.factor_terms(short), sp.factor_terms(wide) if len(_terms(wide)) <= LARGEST // 2 else short]
    return min(trials, key=_cost)


def _quotient(e):
    """A formula with denominators: over and under in a short form where that is quick and pays."""
    if weight(e) > 400:
        return e
    n, d = sp.together(e).as_numer_denom()
    if fraction(n) or fraction(d):
        return e
    trials = [e]
    c, over = tidy(n).as_coeff_Mul()
    k, under = tidy(d).as_coeff_Mul()
    trials.append(sp.cancel(c / k) * over / under)
    if width(n) <= LARGEST and width(d) <= LARGEST and n.has(sp.sin, sp.cos) and not e.has(sp.sqrt):
        trials += [_cancelled(f(n), f(d)) for f in (lambda x: pythagoras(sp.expand(x)), _halved)]
    return min(trials, key=_cost)


def _halved(e):
    """sin 2a and cos 2a by sin a and cos a, so that a sine below can cancel; squares put together."""
    double = {f: 2 * sp.sin(f.args[0] / 2) * sp.cos(f.args[0] / 2) if f.func is sp.sin else 1 - 2 * sp.sin(f.args[0] / 2) ** 2
              for f in e.atoms(sp.sin, sp.cos) if f.args[0].as_coeff_Mul()[0] == 2}
    return pythagoras(sp.expand(e.xreplace(double)))


def _cancelled(n, d):
    """n/d as a quotient of polynomials in its sines and cosines."""
    if d.is_number:
        return n / d
    waves = {f: sp.Dummy() for f in sorted({*n.atoms(sp.sin, sp.cos), *d.atoms(sp.sin, sp.cos)}, key=sp.default_sort_key)}
    if any(x.has(sp.sin, sp.cos, sp.atan2) or not x.is_polynomial() for x in (n.xreplace(waves), d.xreplace(waves))):
        return n / d
    c, found = sp.factor_terms(sp.cancel(n.xreplace(waves) / d.xreplace(waves))).as_coeff_Mul()
    over, under = found.as_numer_denom()
    back = {z: f for f, z in waves.items()}
    return c * sp.factor_terms(pythagoras(sp.expand(over.xreplace(back)))) / under.xreplace(back)


def equal(a, b) -> bool:
    """Whether two formulas are the same function."""
    d = fourier(sp.together(sp.sympify(a) - sp.sympify(b)).as_numer_denom()[0])
    return d == 0 or sp.simplify(d) == 0
