"""The demo's gallery stays below 15 MB: what each card may take, in kB, and a sample of cards that is weighed.

All of them are weighed with DALEMBERT_GALLERY=all (a minute of CPU); a card that grew on purpose gets its new number here, and
the sum says whether there is room for it.
"""

import os

import pytest

from dalembert.cli.demo import shown
from dalembert.cli.demo_cards import card
from dalembert.viewer.gallery.gallery import page

MOST = 15_000_000
FRAME = 270_000  # the built page, style, script, header: everything that is there once
KB = {
    "rod-on-block": 173, "rod-and-disc": 114, "two-link-arm": 253, "two-link-arm-driven": 176, "four-bar": 364,
    "four-bar-driven": 174, "slider-crank": 510, "slider-crank-driven": 159, "slider-crank-loaded": 198, "driven-bar": 147,
    "gear-pair": 187, "belt-drive": 91, "planetary-gear": 420, "pendulum": 120, "n-four-bar": 171, "andrews": 451,
    "bricard": 363, "slider-crank-spring": 185, "car-axis": 244, "double-pendulum": 270, "lagrange-top": 153,
    "rolling-disc": 125, "chaplygin-sleigh": 62, "dzhanibekov": 80, "pendulum-on-block": 106, "spatial-four-bar": 202,
    "chain": 414, "quick-return": 222, "inverted-slider-crank": 172, "hanging-chain": 651, "four-bar-springs": 289,
    "whipple": 336, "six-bar": 347, "jansen-leg": 341, "peaucellier": 280, "watt-linkage": 148,
    "scissor-lift": 259, "windshield-wiper": 237, "engine": 148, "excavator": 271, "stewart-platform": 395,
    "delta-robot": 539, "double-wishbone": 600, "differential": 206, "cardan-shaft": 175, "gyroscope": 187,
    "six-axis-arm": 414, "balanced-arm": 87, "pouring-small": 367, "dominoes": 98, "billiard": 107, "arch": 99, "thin-arch": 70,
    "gripper": 76, "jansen-walker": 477, "striking-crank": 66, "rocking-block": 36,
    "governor": 417, "four-bar-servo": 117, "two-link-arm-computed": 120,
    "stick-slip": 53, "screw-jack": 42, "jamming-drawer": 33, "band-brake": 37,
}
SHOWN = {m.name: m for m in shown()}
FEW = ["slider-crank", "hanging-chain", "double-wishbone", "dzhanibekov", "gripper"]
WEIGHED = list(KB) if os.environ.get("DALEMBERT_GALLERY") == "all" else FEW


def test_all_cards_together_leave_room():
    assert set(KB) == set(SHOWN), "a mechanism came or went: give its card a number (DALEMBERT_GALLERY=all weighs all)"
    assert FRAME + 1020 * sum(KB.values()) < MOST


@pytest.mark.parametrize("name", WEIGHED)
def test_a_card_is_not_larger_than_it_may_be(name):
    made = card(SHOWN[name])
    assert made.verdict == "good" and (made.sliders or {"contact", "friction"} & set(SHOWN[name].tags))
    size = len(page([made]).encode()) - len(page([]).encode())
    assert 500 * KB[name] < size < 1020 * KB[name], f"{name}: {size / 1000:.0f} kB, {KB[name]} foreseen"


def test_what_is_there_once():
    assert len(page([]).encode()) < FRAME
