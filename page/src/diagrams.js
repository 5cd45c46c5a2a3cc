// Free-body diagrams of a few times of the motion: the one nearest to the time line is shown.
const $ = (id) => document.getElementById(id);

export class Diagrams {
  constructor(source) {
    this.all = [...source.content.querySelectorAll("figure")].map((f) => ({ t: +f.dataset.t, svg: f.querySelector("svg") }));
    this.box = $("diagrams");
    this.box.hidden = !this.all.length;
    this.box.ontoggle = () => { this.shown = null; this.at(this.t ?? 0); };
    $("diagram-large").onclick = () => { $("diagram").querySelector("div").replaceChildren(this.shown.svg.cloneNode(true)); $("diagram").showModal(); };
    $("diagram-save").onclick = () => {
      const text = new XMLSerializer().serializeToString(this.shown.svg);
      const a = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([text], { type: "image/svg+xml" })), download: `free-bodies-${this.shown.t}.svg` });
      a.click();
      setTimeout(() => URL.revokeObjectURL(a.href), 60000);
    };
  }

  // They are of the run as it was computed, not of a variant.
  of(own) { this.box.classList.toggle("stale", !own); this.box.querySelector("summary small").textContent = own ? "" : " of the run, not of this variant"; }

  at(t) {
    this.t = t;
    if (!this.box.open || !this.all.length) return;
    const best = this.all.reduce((a, b) => (Math.abs(b.t - t) < Math.abs(a.t - t) ? b : a));
    if (best === this.shown) return;
    this.shown = best;
    this.box.querySelector("figure").replaceChildren(best.svg);
    this.box.querySelector("div > small").textContent = `t = ${+best.t.toPrecision(6)} s; there are ${this.all.length} along the time line`;
  }
}
