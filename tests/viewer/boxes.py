"""A font in which every letter is the same box: pictures with text come out alike on machines with other fonts."""

import base64
import io


def style() -> str:
    """CSS that sets all text of a page in it (needs fontTools, which matplotlib brings)."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    pen.moveTo((40, 0))
    for corner in ((40, 600), (460, 600), (460, 0)):
        pen.lineTo(corner)
    pen.closePath()
    box, empty = pen.glyph(), TTGlyphPen(None).glyph()
    made = FontBuilder(1000, isTTF=True)
    made.setupGlyphOrder([".notdef", "space", "box"])
    signs = [*range(0x21, 0x7F), *range(0xA1, 0x300), *range(0x370, 0x500), *range(0x1E00, 0x2C00)]
    made.setupCharacterMap({0x20: "space", 0xA0: "space"} | dict.fromkeys(signs, "box"))
    made.setupGlyf({".notdef": box, "space": empty, "box": box})
    made.setupHorizontalMetrics(dict.fromkeys((".notdef", "space", "box"), (500, 0)))
    made.setupHorizontalHeader(ascent=800, descent=-200)
    made.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
    made.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    made.setupPost()
    file = io.BytesIO()
    made.save(file)
    data = base64.b64encode(file.getvalue()).decode("ascii")
    return (f"@font-face {{ font-family: Boxes; src: url(data:font/ttf;base64,{data}); }}"
            "* { font-family: Boxes !important; transition: none !important; caret-color: transparent !important; }")
