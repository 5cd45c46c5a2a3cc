"""Second-order blocks in closed form: how forces and rows of an element change with place and velocity.

Implicit methods and the way back ask for K = −∂u/∂q, C = −∂u/∂v, G_q = ∂ρ/∂q, G_v = ∂ρ/∂v of u = Q − Dᵀλ and ρ = D v̇ − γ, λ and v̇
held, with displacements as twists (δr, φ̄) of the bodies.  A row Φ = c(q) − f(t) has ρ = c̈ − f̈ and Dᵀλ = λ ∂c/∂q, so that it needs

    bend      y ∂²c/∂q²            into K (y = λ; of a force p along c: −p)
    change    ∂c̈/∂q, ∂c̈/∂v         into G_q and G_v
    drift     ∂ċ/∂q                of forces that feel the rate

All measures are made of products a·x of a vector a fixed on a body with another vector: turned.py has their derivatives once for
all.  Blocks go straight into the arrays, without columns or lanes.  What has no file here goes by duals (newton/closed.py).
"""
