"""What every derivation must satisfy on paper: numbers a reader can read, LaTeX that is LaTeX."""

import re

KNOWN = set("""
documentclass usepackage setcounter setlength parindent parskip binoppenalty relpenalty emergencystretch newsavebox
whole newcommand fit sbox displaystyle ifdim wd linewidth resizebox usebox else fi wide par begingroup raggedright
hangindent hangafter lineskip lineskiplimit hspace endgroup begin end section subsection left right frac sqrt dot
ddot dddot bar tilde delta partial mathrm text sin cos tan operatorname cdot times int sum le ge ne to surd tfrac
circ pm mp infty ldots alpha beta gamma epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi
omega Gamma Delta Theta Lambda Pi Sigma Phi Psi Omega atan acos asin exp log limits
""".split())  # noqa: SIM905
NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]?\d+)")


def strange_numbers(text: str, own=()) -> list[str]:
    """Numbers with an exponent beyond ±6 that the model does not have itself."""
    return [m[0] for m in NUMBER.finditer(text)
            if abs(int(m[2])) > 6 and not any(abs(float(m[0]) - abs(x)) <= 1e-5 * abs(x) for x in own)]


def latex_faults(source: str) -> list[str]:
    """What pdfLaTeX would stumble over, as far as it can be seen without it."""
    found = [] if source.isascii() else [f"not ASCII: {sorted({c for c in source if not c.isascii()})}"]
    bare = source.replace("\\\\", " ").replace("\\{", " ").replace("\\}", " ").replace("\\_", " ").replace("\\$", " ")
    depth = 0
    for c in bare:
        depth += (c == "{") - (c == "}")
        if depth < 0:
            break
    if depth:
        found.append("braces do not balance")
    stack = []
    for kind, name in re.findall(r"\\(begin|end)\{([a-z*]+)\}", source):
        if kind == "begin":
            stack.append(name)
        elif not stack or stack.pop() != name:
            found.append(f"environment {name} ends where it did not begin")
    found += [f"environment {n} does not end" for n in stack]
    for a, b in (("\\left", "\\right"), ("\\[", "\\]")):
        if len(re.findall(re.escape(a) + r"(?![a-z])", bare)) != len(re.findall(re.escape(b) + r"(?![a-z])", bare)):
            found.append(f"{a} without {b}")
    if bare.count("$") % 2:
        found.append("an odd number of $")
    found += [f"\\{n}" for n in sorted(set(re.findall(r"\\([A-Za-z]+)", bare)) - KNOWN)]
    return found
