"""A derivation as LaTeX: a document that pdfLaTeX sets as it is, in ASCII, with the packages of every distribution.

Short formulas are displayed.  Long ones are set in a paragraph, where TeX breaks lines at signs and relations by itself: their
brackets then have one size, because it cannot break between \\left and \\right.  Matrices that are too wide are set smaller.
"""

from __future__ import annotations

import sympy as sp

from dalembert.symbolic.text import prose
from dalembert.symbolic.text.notation import Latex, Text

LINE = 85  # characters as plain text that fit on a line, about
PREAMBLE = r"""\documentclass[a4paper,11pt]{article}
\usepackage{amsmath,amssymb,graphicx}
\usepackage[margin=20mm]{geometry}
\setcounter{MaxMatrixCols}{60}
\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt}
\binoppenalty=50 \relpenalty=0
\emergencystretch=3em
\newsavebox{\whole}
\newcommand{\fit}[1]{\sbox{\whole}{$\displaystyle #1$}\ifdim\wd\whole>\linewidth
  \resizebox{\linewidth}{!}{\usebox{\whole}}\else\usebox{\whole}\fi}
\newcommand{\wide}[1]{\par\begingroup\raggedright\hangindent=2em\hangafter=1\lineskip=5pt\lineskiplimit=3pt
  \hspace*{1em}$\displaystyle #1$\par\endgroup}
\begin{document}
"""


def write(story, document: bool = True) -> str:
    """The derivation; without ``document`` its sections alone, for a document that has the PREAMBLE."""
    sections = story.displayed_sections()  # first: it makes symbols
    show, plain = Latex(story.spelled).show, Text(story.spelled).show
    out = [f"\\section*{{{prose.latex(story.title)}}}"]
    for section, lines in sections:
        out.append(f"\\subsection*{{{prose.latex(section.title)}}}")
        out += [prose.latex(x) + "\n" if isinstance(x, str) else _formula(x, show, plain) for x in lines]
    body = "\n".join(out) + "\n"
    return f"{PREAMBLE}{body}\\end{{document}}\n" if document else body


def _formula(line, show, plain) -> str:
    sides = [line.left] if line.left is not None else []
    sides += [line.right.lhs, line.right.rhs] if isinstance(line.right, sp.Equality) else [line.right]
    text = " = ".join(show(x) for x in sides)
    if isinstance(line.right, sp.MatrixBase):
        return f"\\[ \\fit{{{text}}} \\]"
    if sum(len(plain(x)) for x in sides) <= LINE:
        return f"\\[ {text} \\]"
    return f"\\wide{{{text.replace(chr(92) + 'left(', '(').replace(chr(92) + 'right)', ')')}}}"
