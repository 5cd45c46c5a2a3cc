"""Materials: how a shape takes light; for the eye only.

    colour = emissive + ambient · (light from all sides) + diffuse · (n·l) + specular · (n·h)^shininess

``material=`` of a shape or body takes a Material, the name of one ("steel"), the name of a colour ("tomato"), "#rrggbb", or three
numbers 0 … 1.  Colours are those of the screen (sRGB).
"""

from __future__ import annotations

from dalembert.errors import ModelError, hint
from dalembert.records import record

COLOURS = {
    "black": "000000", "white": "ffffff", "red": "ff0000", "lime": "00ff00", "blue": "0000ff", "yellow": "ffff00",
    "cyan": "00ffff", "aqua": "00ffff", "magenta": "ff00ff", "fuchsia": "ff00ff", "silver": "c0c0c0", "gray": "808080",
    "grey": "808080", "maroon": "800000", "olive": "808000", "green": "008000", "purple": "800080", "teal": "008080",
    "navy": "000080", "orange": "ffa500", "gold": "ffd700", "tomato": "ff6347", "coral": "ff7f50", "salmon": "fa8072",
    "crimson": "dc143c", "firebrick": "b22222", "darkred": "8b0000", "chocolate": "d2691e", "sienna": "a0522d",
    "brown": "a52a2a", "peru": "cd853f", "tan": "d2b48c", "wheat": "f5deb3", "khaki": "f0e68c", "beige": "f5f5dc",
    "ivory": "fffff0", "darkorange": "ff8c00", "goldenrod": "daa520", "darkgreen": "006400", "forestgreen": "228b22",
    "seagreen": "2e8b57", "limegreen": "32cd32", "olivedrab": "6b8e23", "turquoise": "40e0d0", "darkcyan": "008b8b",
    "cadetblue": "5f9ea0", "steelblue": "4682b4", "skyblue": "87ceeb", "lightblue": "add8e6", "deepskyblue": "00bfff",
    "dodgerblue": "1e90ff", "royalblue": "4169e1", "cornflowerblue": "6495ed", "slateblue": "6a5acd",
    "slategray": "708090", "slategrey": "708090", "midnightblue": "191970", "indigo": "4b0082", "violet": "ee82ee",
    "orchid": "da70d6", "plum": "dda0dd", "pink": "ffc0cb", "hotpink": "ff69b4", "deeppink": "ff1493",
    "lavender": "e6e6fa", "lightgray": "d3d3d3", "lightgrey": "d3d3d3", "darkgray": "a9a9a9", "darkgrey": "a9a9a9",
    "dimgray": "696969", "dimgrey": "696969",
}

Colour = tuple[float, float, float]


@record
class Material:
    """How a shape takes light; for the eye only.

    Colours are names ("tomato"), "#rrggbb" or three numbers 0 … 1.

    Parameters
    ----------
    diffuse : colour [–], default (0.7, 0.7, 0.7)
        The colour of the surface.
    ambient : colour [–], optional
        In the shade; left out: the diffuse one.
    specular : colour [–], default (0.25, 0.25, 0.25)
        Of the highlight.
    shininess : number [–], default 40.0
        How small the highlight is.
    emissive : colour [–], default (0.0, 0.0, 0.0)
        Light of its own.
    opacity : number [–], default 1.0
        0 … 1.
    """

    diffuse: object = (0.7, 0.7, 0.7)
    ambient: object = None
    specular: object = (0.25, 0.25, 0.25)
    shininess: float = 40.0
    emissive: object = (0.0, 0.0, 0.0)
    opacity: float = 1.0

    def __post_init__(self):
        set_ = object.__setattr__
        set_(self, "diffuse", colour(self.diffuse))
        set_(self, "ambient", self.diffuse if self.ambient is None else colour(self.ambient))
        set_(self, "specular", colour(self.specular))
        set_(self, "emissive", colour(self.emissive))
        if not 0.0 <= self.opacity <= 1.0:
            raise ModelError(f"opacity of a material is a number 0 … 1, got {self.opacity!r}")
        if not self.shininess > 0.0:
            raise ModelError(f"shininess of a material is a positive number, got {self.shininess!r}")


def colour(value) -> Colour:
    """Three numbers 0 … 1 of a colour given by name, "#rrggbb" or numbers."""
    if isinstance(value, str):
        key = value.strip().lower().replace(" ", "")
        text = COLOURS.get(key, key[1:] if key.startswith("#") else "")
        if len(text) == 3:
            text = "".join(2 * c for c in text)
        if len(text) != 6 or any(c not in "0123456789abcdef" for c in text):
            raise ModelError(f"there is no colour '{value}'{hint(key, COLOURS)}; give a name, '#rrggbb', or three numbers 0 … 1")
        return (int(text[:2], 16) / 255, int(text[2:4], 16) / 255, int(text[4:], 16) / 255)
    try:
        r, g, b = (float(x) for x in value)
    except (TypeError, ValueError):
        raise ModelError(f"a colour is a name, '#rrggbb', or three numbers 0 … 1, got {value!r}") from None
    if not all(0.0 <= x <= 1.0 for x in (r, g, b)):
        raise ModelError(f"the numbers of a colour are 0 … 1, got {value!r}")
    return (r, g, b)


MATERIALS = {
    "steel": Material("#aab2bd", specular="#8a8f96", shininess=90.0),
    "iron": Material("#6b7078", specular="#5a5d62", shininess=40.0),
    "aluminium": Material("#cfd4da", specular="#9a9ea3", shininess=60.0),
    "brass": Material("#c9a24b", specular="#8f7a3c", shininess=70.0),
    "copper": Material("#c07548", specular="#8a5a3c", shininess=70.0),
    "rubber": Material("#2e3238", specular="#15171a", shininess=8.0),
    "wood": Material("#b58a5a", specular="#20180f", shininess=10.0),
    "concrete": Material("#b9b6ae", specular="#0c0c0c", shininess=5.0),
    "glass": Material("#bfe3ee", specular="#ffffff", shininess=120.0, opacity=0.35),
}


def material(value) -> Material:
    """The material meant by what a user gave."""
    if isinstance(value, Material):
        return value
    if isinstance(value, str):
        key = value.strip().lower()
        if key in MATERIALS:
            return MATERIALS[key]
        try:
            return Material(key)
        except ModelError:
            known = [*MATERIALS, *COLOURS]
            raise ModelError(f"there is no material or colour '{value}'{hint(key, known)} (materials: {', '.join(MATERIALS)}; "
                             "colours by name or as '#rrggbb')") from None
    return Material(value)
