"""Equality constraints, actuators, and what is left out of an MJCF file.

    connect   the anchor of body1 stays on the same point of body2 (as at the reference position), or site1 on site2
    weld      no relative motion, as at the reference position
    joint     y = a₀ + a₁ x + … + a₄ x⁴ of the two coordinates from the reference position (or y = a₀ of one)

    motor     p = g · g_k u                          position   p = g (k_p u − k_p l − k_v l̇)
    velocity  p = g (k_v u − k_v l̇)                  general    p = g (g_0 u + b_0 + b_1 l + b_2 l̇)
              l = g (q + ref), l̇ = g q̇ with the gear g: so all are affine in u, q and q̇ (laws.py)
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from dalembert.elements.constraints.equation import Equation
from dalembert.elements.forces.motor import Motor
from dalembert.elements.joints.spherical import Spherical
from dalembert.elements.joints.weld import Weld
from dalembert.errors import hint
from dalembert.io.lumps import free_name
from dalembert.io.mjcf.laws import affine
from dalembert.io.mjcf.values import ACTUATORS
from dalembert.io.xml import Node

KNOWN = ("compiler", "option", "size", "visual", "statistic", "default", "asset", "worldbody", "equality", "actuator", "contact",
         "tendon")


class Extras:
    """Reads the sections beside the bodies into the model of ``tree`` (reader.py)."""

    def __init__(self, tree):
        self.tree, self.m, self.values, self.notes = tree, tree.m, tree.values, tree.notes

    def read(self) -> None:
        for section in self.tree.root.children:
            if section.tag == "equality":
                for k, node in enumerate(section.children):
                    self._equality(node, k + 1)
            elif section.tag == "actuator":
                for k, node in enumerate(section.children):
                    self._actuator(node, k + 1)
            elif section.tag in ("contact", "tendon"):
                ends = ("body1", "body2", "geom1", "geom2")
                what = [f"{n.tag} {n.attributes.get('name') or ' '.join(n.attributes[a] for a in ends if a in n.attributes)}"
                        for n in section.children]
                self.notes.append(f"line {section.line}: <{section.tag}> is left out: {', '.join(what)[:400]}")
            elif section.tag not in KNOWN:
                self.notes.append(f"line {section.line}: <{section.tag:.60}> is left out")
        if any(s.tag == "geom" for w in self.tree.root.all("worldbody") for s in w.children) or len(self.m.bodies) > 1:
            self.notes.append("contacts between geoms are left out: bodies pass through each other and through the floor")

    # ---------------------------------------------------------------------------------------------------- equality

    def _equality(self, node: Node, number: int) -> None:
        v = self.values
        given = v.of(node, None, "equality") | node.attributes
        label = free_name(self.m, given.get("name") or f"{node.tag} {number}", "constraint")
        if not v.flag(node, given, "active", True):
            self.notes.append(f"line {node.line}: {label} is not active, and left out")
        elif node.tag == "joint":
            self._coupled(node, given, label)
        elif node.tag in ("connect", "weld"):
            self._tied(node, given, label)
        else:
            self.notes.append(f"line {node.line}: the equality <{node.tag:.60}> '{label}' is left out")

    def _tied(self, node: Node, given: dict[str, str], label: str) -> None:
        v, sites = self.values, "site1" in given
        ends = [self._place(node, given, k, sites) for k in ("site1", "site2")] if sites else [
            self._place(node, given, k, False) for k in ("body1", "body2")]
        (i, p, R), (j, q, S) = ends
        if i == j:
            self.notes.append(f"line {node.line}: '{label}' ties '{i}' to itself, and is left out")
            return
        if node.tag == "connect" and sites:
            if "ground" in (i, j):
                self.notes.append(f"line {node.line}: '{label}' ties a site to the world, and is left out: use body1, anchor")
                return
            self.m.add(Spherical(label, i, j, on_i=tuple(p.tolist()), on_j=tuple(q.tolist())))
            return
        r, A = self._drawn(i)
        anchor = np.array(v.numbers(node, given, "anchor", 3, (0.0, 0.0, 0.0))) if not sites else np.zeros(3)
        at = tuple((r + A @ (p + R @ anchor)).tolist())
        if node.tag == "connect":
            self.m.add(Spherical(label, i, j, at=at))
            return
        pose = v.numbers(node, given, "relpose", 7, (0.0,) * 7)
        if sites or any(pose[3:]):
            self.notes.append(f"line {node.line}: weld '{label}' is left out: welds are read as drawn (no relpose, no sites)")
            return
        self.m.add(Weld(label, i, j, at=at))

    def _place(self, node: Node, given: dict[str, str], key: str, site: bool):
        known = self.tree.sites if site else self.tree.places
        name = given.get(key, "" if site or key == "body1" else "world")
        if name not in known:
            what = "site" if site else "body"
            raise self.values.error(node, f"{key}=\"{name:.80}\": there is no such {what}{hint(name, known)}")
        return known[name]

    def _drawn(self, part: str) -> tuple[np.ndarray, np.ndarray]:
        if part == "ground":
            return np.zeros(3), np.eye(3)
        return self.tree.parts[part].r, self.tree.parts[part].A

    def _coupled(self, node: Node, given: dict[str, str], label: str) -> None:
        v = self.values
        y = self._joint(node, given, "joint1")
        x = self._joint(node, given, "joint2") if "joint2" in given else None
        if y is None or ("joint2" in given and x is None):
            self.notes.append(f"line {node.line}: '{label}' couples a joint that is no hinge or slide, and is left out")
            return
        a = v.numbers(node, given, "polycoef", 5, (0.0, 1.0, 0.0, 0.0, 0.0), 1)
        self.m.add(Equation(label, polynomial(y[0], x[0] if x else None, a)))

    def _joint(self, node: Node, given: dict[str, str], key: str):
        name, known = given.get(key, ""), self.tree.joints
        if name not in known:
            raise self.values.error(node, f"{key}=\"{name:.80}\": there is no such joint{hint(name, known)}")
        return known[name] if known[name][1] in ("hinge", "slide") else None

    # --------------------------------------------------------------------------------------------------- actuators

    def _actuator(self, node: Node, number: int) -> None:
        v, m = self.values, self.m
        if node.tag not in ACTUATORS:
            self.notes.append(f"line {node.line}: <{node.tag:.60}> is left out")
            return
        given = v.of(node, None)
        said = given.get("name") or f"{node.tag} {number}"
        key = next((k for k in ("joint", "jointinparent") if k in given), None)
        joint = self._joint(node, given, key) if key else None
        reason = "its transmission is no hinge or slide" if joint is None else self._dynamics(node, given)
        if joint is None or reason:
            self.notes.append(f"line {node.line}: the actuator '{said:.80}' is left out: {reason}")
            return
        label, _, ref = joint
        name = free_name(m, said, "motor")
        g = v.numbers(node, given, "gear", 6, (1.0, 0.0, 0.0, 0.0, 0.0, 0.0), 1)[0]
        gain, b0, b1, b2 = self._gains(node, given)
        control = self._control(name)
        m.parameters[control] = 0.0
        m.add(Motor(name, label, affine(g * (b0 + b1 * g * ref), g * g * b1, g * g * b2, g * gain, control)))
        if v.limited(node, given, "ctrllimited", "ctrlrange"):
            low, high = v.numbers(node, given, "ctrlrange", 2, (0.0, 0.0))
            if low < high:
                m.limits[name] = {"lower": low, "upper": high}
        if v.limited(node, given, "forcelimited", "forcerange"):
            self.notes.append(f"line {node.line}: forcerange of the actuator '{said:.80}' is left out: its force is not cut off")

    def _dynamics(self, node: Node, given: dict[str, str]) -> str:
        if node.tag not in ("general", "motor", "position", "velocity", "damper"):
            return f"<{node.tag}> is not known here"
        if node.tag == "damper":
            return "its force is a product of control and speed"
        for key, plain in (("dyntype", ("none",)), ("gaintype", ("fixed",)), ("biastype", ("none", "affine"))):
            if node.tag == "general" and given.get(key, plain[0]) not in plain:
                return f"its {key} is {given[key]:.40}"
        if node.tag == "position" and any(k in given for k in ("dampratio", "inheritrange", "timeconst")):
            return "dampratio, inheritrange and timeconst are not read"
        return ""

    def _gains(self, node: Node, given: dict[str, str]) -> tuple[float, float, float, float]:
        """Gain, and bias b₀ + b₁ l + b₂ l̇."""
        v = self.values
        if node.tag == "motor":
            return 1.0, 0.0, 0.0, 0.0
        if node.tag == "position":
            kp, kv = v.number(node, given, "kp", 1.0), v.number(node, given, "kv", 0.0)
            return kp, 0.0, -kp, -kv
        if node.tag == "velocity":
            kv = v.number(node, given, "kv", 1.0)
            return kv, 0.0, 0.0, -kv
        gain = v.numbers(node, given, "gainprm", 20, [1.0], 1)[0]
        bias: Any = (v.numbers(node, given, "biasprm", 20, (0.0, 0.0, 0.0), 1) + [0.0] * 3)[:3]
        return (gain, *bias) if given.get("biastype") == "affine" else (gain, 0.0, 0.0, 0.0)

    def _control(self, name: str) -> str:
        base = "ctrl_" + (re.sub(r"_+", "_", re.sub(r"\W", "_", name, flags=re.ASCII)).strip("_") or "u")
        found, k = base, 2
        while found in self.m.parameters:
            found, k = f"{base}_{k}", k + 1
        return found


def polynomial(y: str, x: str | None, a) -> str:
    """y − a₀ − a₁ x − … as a formula over joints."""
    terms = [f"`{y}`"] + ([repr(-a[0])] if a[0] else [])
    if x is not None:
        terms += [f"{-c!r}*`{x}`" + (f"**{k}" if k > 1 else "") for k, c in enumerate(a) if k and c]
    return " + ".join(terms)
