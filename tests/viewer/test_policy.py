"""Pages say what may run in them."""

import base64
import hashlib
import re

import dalembert as da
from dalembert import catalog
from dalembert.viewer.gallery import gallery
from dalembert.viewer.page.page import page, template
from dalembert.viewer.scene.from_results import scene_of


def allowed(text):
    found = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
    assert found and text.index("Content-Security-Policy") < text.index("<script" if "<script" in text else "<body")
    return dict(x.strip().partition(" ")[::2] for x in found[1].split(";"))


def test_only_the_scripts_of_the_page_may_run():
    run = da.simulate(catalog.make("pendulum"), 0.1)
    inside = re.findall(r"<script>(.*?)</script>", template(), re.DOTALL)  # the gallery's frames run the page's own script
    cards = gallery.page([gallery.Card("a", "<script>alert(1)</script>", message="x")])
    for text, more in ((page(scene_of(run)), []), (cards, inside)):
        rules = allowed(text)
        rest = {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'", "style-src": "'unsafe-inline'",
                "img-src": "data: blob:", "font-src": "data:"}
        assert {k: v for k, v in rules.items() if k != "script-src"} == rest  # every further permission is a decision
        scripts = [*re.findall(r"<script>(.*?)</script>", text, re.DOTALL), *more]
        sums = [f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts]
        assert sums and sums == rules["script-src"].split()
    assert allowed(da.derive(catalog.make("pendulum")).html())["script-src"] == "'none'"
