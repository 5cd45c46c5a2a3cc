"""The demo's gallery stays below 15 MB: what each card may take, in kB, and a sample of cards that is weighed.

All of them are weighed with DALEMBERT_GALLERY=all (a minute of CPU); a card that grew on purpose gets its new number here, and
the sum says whether there is room for it.
"""

import os

import pytest

from dalembert.catalog import CATALOG
from dalembert.cli.demo_cards import card
from dalembert.viewer.gallery.gallery import page

MOST = 15_000_000
FRAME = 350_000  # the built page, style, script, header: everything that is there once
KB = {
    "rod-on-block": 189, "rod-and-disc": 131, "two-link-arm": 271, "two-link-arm-driven": 196, "four-bar": 384,
    "four-bar-driven": 196, "slider-crank": 647, "slider-crank-driven": 175, "slider-crank-loaded": 217, "driven-bar": 172,
    "gear-pair": 210, "belt-drive": 80, "planetary-gear": 456, "pendulum": 139, "n-four-bar": 204, "andrews": 476,
    "bricard": 414, "slider-crank-spring": 204, "car-axis": 266, "double-pendulum": 327, "lagrange-top": 178,
    "rolling-disc": 156, "chaplygin-sleigh": 75, "dzhanibekov": 115, "pendulum-on-block": 124, "spatial-four-bar": 263,
    "chain": 443, "quick-return": 241, "inverted-slider-crank": 187, "hanging-chain": 671, "four-bar-springs": 313,
    "whipple": 386, "six-bar": 390, "chain-in-space": 673, "jansen-leg": 370, "peaucellier": 305, "watt-linkage": 164,
    "scissor-lift": 282, "windshield-wiper": 256, "engine": 167, "excavator": 300, "stewart-platform": 453,
    "delta-robot": 612, "double-wishbone": 650, "differential": 242, "cardan-shaft": 213, "gyroscope": 234,
    "six-axis-arm": 458,
}
FEW = ["slider-crank", "hanging-chain", "double-wishbone", "dzhanibekov"]
WEIGHED = list(KB) if os.environ.get("DALEMBERT_GALLERY") == "all" else FEW


def test_all_cards_together_leave_room():
    assert set(KB) == set(CATALOG), "a mechanism came or went: give its card a number (DALEMBERT_GALLERY=all weighs all)"
    assert FRAME + 1020 * sum(KB.values()) < MOST


@pytest.mark.parametrize("name", WEIGHED)
def test_a_card_is_not_larger_than_it_may_be(name):
    made = card(CATALOG[name])
    assert made.verdict == "good" and made.sliders
    size = len(page([made]).encode()) - len(page([]).encode())
    assert 500 * KB[name] < size < 1020 * KB[name], f"{name}: {size / 1000:.0f} kB, {KB[name]} foreseen"


def test_what_is_there_once():
    assert len(page([]).encode()) < FRAME
