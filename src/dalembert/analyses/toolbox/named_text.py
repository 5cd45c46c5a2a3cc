"""How named matrices are read: numbers while they fit, then blocks and a picture of where entries are; HTML and LaTeX.

Entries smaller than 1e-15 of the largest are rounding and are written as 0 (the numbers themselves are not touched).

    small      names, numbers, lines between blocks
    larger     a table of the blocks (size, how many entries are not zero, the largest) and the picture:
               ■ an entry that is not zero, · none; beyond WIDE columns or TALL rows each character stands for several entries
"""

from __future__ import annotations

from html import escape

import numpy as np

COLUMNS, ROWS = 12, 24  # up to which numbers are printed
PAGE = 30  # rows and columns up to which a notebook shows numbers: its tables scroll
WIDE, TALL = 100, 50  # characters of the picture
ROUNDING = 1e-15
TEX = {"\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "$": r"\$",
       "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "λ": r"$\lambda$", "ω": r"$\omega$", "θ": r"$\theta$",
       "δ": r"$\delta$", "−": "$-$", "\u0304": ""}


def number(x, least=0.0, digits=6) -> str:
    return "0" if abs(x) <= least else f"{x:.{digits}g}"


def filled(m) -> np.ndarray:
    """Which entries count as not zero, as a matrix."""
    values = np.asarray(m)
    values = values[:, None] if values.ndim == 1 else values
    return np.abs(values) > least(values)


def least(values) -> float:
    return ROUNDING * float(np.abs(values[np.isfinite(values)]).max(initial=0.0))


def title(m) -> str:
    size = " × ".join(map(str, m.shape))
    return f"{m.symbol} ({size})" + (f"   {m.text}" if m.text else "")


def text(m) -> str:
    values = np.asarray(m)
    if not values.size:
        return f"{title(m)}: empty"
    if len(m.rows) <= ROWS and (m.columns is None or len(m.columns) <= COLUMNS):
        return "\n".join([title(m), *numbers(m)])
    lines = [title(m), *blocks(m)] if m.columns is not None else [title(m)]
    return "\n".join([*lines, *(picture(m) if m.columns is not None else column(m))])


def borders(axis) -> list[int]:
    """Where a block ends, but for the last."""
    ends = np.cumsum([count for _, count in axis.blocks])[:-1].tolist()
    return [e for e in ends if 0 < e < len(axis)]


def numbers(m, digits=6) -> list[str]:
    """Rows of numbers with names, lines between blocks."""
    values = np.asarray(m)
    table = values[:, None] if m.columns is None else values
    small = least(table)
    cells = [[number(x, small, digits) for x in row] for row in table]
    heads = list(m.columns.short) if m.columns is not None else [""]
    widths = [max(len(heads[k]), *(len(row[k]) for row in cells)) for k in range(len(heads))]
    cuts = set(borders(m.columns)) if m.columns is not None else set()
    wide = max(len(name) for name in m.rows.names)

    def line(name, parts, bar="│", fill=" "):
        joined = "".join(("" if k == 0 else f" {bar} " if k in cuts else "  ") + p.rjust(w, fill)
                         for k, (p, w) in enumerate(zip(parts, widths, strict=True)))
        return f"  {name.ljust(wide)}  {joined}".rstrip()

    out = [line("", heads)] if m.columns is not None else []
    ends = set(borders(m.rows))
    for k, (name, row) in enumerate(zip(m.rows.names, cells, strict=True)):
        if k in ends:
            rule = "".join(("" if c == 0 else "─┼─" if c in cuts else "──") + "─" * w for c, w in enumerate(widths))
            out.append(f"  {' ' * wide}  {rule}")
        out.append(line(name, row))
    return out


def column(m) -> list[str]:
    """A long column: its first and last entries."""
    values, small = np.asarray(m), least(np.asarray(m))
    wide = max(len(n) for n in m.rows.names)
    shown = [*range(10), None, *range(len(values) - 10, len(values))] if len(values) > ROWS else range(len(values))
    return [f"  … {len(values) - 20} more" if k is None else f"  {m.rows.names[k].ljust(wide)}  {number(values[k], small)}"
            for k in shown]


def blocks(m) -> list[str]:
    """Every block: its size, how many entries are not zero, the largest; many blocks are not listed."""
    if len(m.rows.blocks) * len(m.columns.blocks) > 40 or len(m.rows.blocks) * len(m.columns.blocks) == 1:
        return []
    values, there = np.asarray(m), filled(m)
    out, top = [], 0
    for name, count in m.rows.blocks:
        left = 0
        for other, width in m.columns.blocks:
            part, at = values[top:top + count, left:left + width], there[top:top + count, left:left + width]
            left += width
            if at.any():
                out.append(f"  {name} | {other}   {count} × {width}, {at.sum()} not zero, largest {np.abs(part).max():.4g}")
        top += count
    return out


def picture(m) -> list[str]:
    """Where entries are not zero, in characters."""
    there = filled(m)
    rows, columns = there.shape
    tall, wide = -(-rows // TALL), -(-columns // WIDE)
    padded = np.zeros((-(-rows // tall) * tall, -(-columns // wide) * wide), dtype=bool)
    padded[:rows, :columns] = there
    parts = padded.reshape(padded.shape[0] // tall, tall, padded.shape[1] // wide, wide)
    cells: list[list[bool]] = np.any(parts, axis=(1, 3)).tolist()
    cuts = {e // wide for e in borders(m.columns)} if len(m.columns.blocks) <= 12 else set()
    ends = {e // tall for e in borders(m.rows)} if len(m.rows.blocks) <= 12 else set()
    out = [f"  each character stands for {tall} × {wide} entries"] if tall * wide > 1 else []
    for k, row in enumerate(cells):
        if k in ends:
            out.append("  " + "".join(("┼" if c in cuts else "") + "─" for c in range(len(row))))
        out.append("  " + "".join(("│" if c in cuts else "") + ("■" if x else "·") for c, x in enumerate(row)))
    out.append(f"  {int(there.sum())} of {there.size} entries are not zero")
    return out


def html(m) -> str:
    """A table with names for small matrices, else the text."""
    values = np.asarray(m)
    if not values.size or len(m.rows) > PAGE or (m.columns is not None and len(m.columns) > PAGE):
        return f"<pre>{escape(text(m))}</pre>"
    table = values[:, None] if m.columns is None else values
    small = least(table)
    cuts, ends = (set(borders(m.columns)) if m.columns is not None else set()), set(borders(m.rows))
    bar, rule = "border-left:1px solid;", "border-top:1px solid;"

    def cell(tag, content, k, row):
        style = "text-align:right;" + (bar if k in cuts else "") + (rule if row in ends else "")
        return f'<{tag} style="{style}">{escape(content)}</{tag}>'

    head = "".join(cell("th", name, k, -1) for k, name in enumerate(m.columns.short)) if m.columns is not None else ""
    body = "".join(f'<tr><th style="text-align:left;{rule if r in ends else ""}">{escape(name)}</th>'
                   + "".join(cell("td", number(x, small), k, r) for k, x in enumerate(row)) + "</tr>"
                   for r, (name, row) in enumerate(zip(m.rows.names, table, strict=True)))
    first = f"<tr><th></th>{head}</tr>" if head else ""
    return f"<table><caption>{escape(title(m))}</caption>{first}{body}</table>"


def tex_name(name: str) -> str:
    """A name as text in LaTeX."""
    return rf"\text{{{''.join(TEX.get(c, c) for c in name)}}}"


def latex(m, digits, names) -> str:
    values = np.asarray(m)
    table = values[:, None] if m.columns is None else values
    if not table.size:
        size = r" \times ".join(map(str, m.shape))
        return rf"{m.tex} = [\,]_{{{size}}}"
    small = least(table)
    ends = set(borders(m.rows))
    form = columns(m)
    lines = []
    for k, row in enumerate(table):
        rule = r"\hline " if k in ends else ""
        lines.append(rule + " & ".join(tex_number(x, small, digits) for x in row) + r" \\")
    body = "\n".join(lines)
    inside = f"\\left[\\begin{{array}}{{{form}}}\n{body}\n\\end{{array}}\\right]"
    if not names:
        return f"{m.tex} = {inside}"
    side = "\\begin{array}{l}\n" + "\n".join(tex_name(n) + r" \\" for n in m.rows.names) + "\n\\end{array}"
    if m.columns is None:
        return f"{m.tex} = {side}{inside}"
    head = " & ".join(tex_name(n) for n in m.columns.short)
    return (f"{m.tex} = \\begin{{array}}{{cc}}\n & \\begin{{array}}{{{form}}} {head} \\end{{array}} \\\\\n{side} & {inside}\n"
            "\\end{array}")


def columns(m) -> str:
    """The column format of an array."""
    if m.columns is None:
        return "r"
    cuts = set(borders(m.columns))
    return "".join(("|" if k in cuts else "") + "r" for k in range(len(m.columns)))


def tex_number(x, small, digits) -> str:
    found = number(x, small, digits)
    if "e" not in found:
        return found
    mantissa, _, exponent = found.partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"
