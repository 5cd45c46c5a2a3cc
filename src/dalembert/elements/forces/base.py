"""What forces share: their section, and how they are drawn unless they say otherwise."""

from dalembert.elements.element import Element


class BaseForce(Element, listed=False):
    kind = "force"
    drawn_as = "tie"  # where it has two points
