"""Scalar measures between two markers: what a constraint holds, a driver prescribes and a spring feels.

A measure m_k(q) gives its value c, its rate ċ = g·v, the terms h of c̈ = g·v̇ + h that are quadratic in velocity,
and it adds a multiple of its gradient g to a row of D.  All constraints of one scalar equation are built on it:

    hold      c − f(t) = 0                     Φ = c − f,  D = g,  ν = ḟ,  γ = f̈ − h
    combine   Σ a_k c_k − f(t) = 0
    equation  F(c_1 … c_n, t) = 0

so DP1, DP2, CD and D of the course are four of these measures, each held at a law.
"""
