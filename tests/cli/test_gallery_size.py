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
    "rod-on-block": 165, "rod-and-disc": 115, "two-link-arm": 236, "two-link-arm-driven": 179, "four-bar": 338,
    "four-bar-driven": 168, "slider-crank": 466, "slider-crank-driven": 154, "slider-crank-loaded": 186, "driven-bar": 141,
    "gear-pair": 186, "belt-drive": 90, "planetary-gear": 406, "pendulum": 116, "n-four-bar": 162, "andrews": 424,
    "bricard": 341, "slider-crank-spring": 177, "car-axis": 231, "double-pendulum": 255, "lagrange-top": 147,
    "rolling-disc": 120, "chaplygin-sleigh": 61, "dzhanibekov": 77, "pendulum-on-block": 102, "spatial-four-bar": 194,
    "chain": 384, "quick-return": 211, "inverted-slider-crank": 158, "hanging-chain": 616, "four-bar-springs": 273,
    "whipple": 315, "six-bar": 331, "jansen-leg": 328, "peaucellier": 271, "watt-linkage": 144, "scissor-lift": 247,
    "windshield-wiper": 230, "engine": 142, "excavator": 260, "stewart-platform": 378, "delta-robot": 516,
    "double-wishbone": 555, "differential": 186, "cardan-shaft": 171, "gyroscope": 177, "balanced-arm": 85, "six-axis-arm": 388,
    "governor": 394, "four-bar-servo": 111, "two-link-arm-computed": 116, "stick-slip": 52, "screw-jack": 40,
    "jamming-drawer": 32, "band-brake": 36, "pouring-small": 378, "dominoes": 108, "billiard": 80, "arch": 94, "thin-arch": 76,
    "gripper": 71, "jansen-walker": 489, "striking-crank": 75, "rocking-block": 33, "newtons-cradle": 87, "cam-follower": 55,
    "stopped-four-bar": 83, "woodpecker": 95, "geneva": 106, "ratchet": 133,
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
