// Curves over time: what is plotted, the list of channels, the table.  The curves stand under the sliders too.
import { Chart } from "../src/chart.js";
import { Channels } from "../src/data.js";
import { $, el, save } from "./dom.js";

const TABS = { plots: "chart-place", parameters: "chart-beside" };

export class Plots {
  constructor(app, panels) {
    Object.assign(this, { app, panels, before: null });
    $("filter").oninput = () => this.fillChannels();
    $("csv").onclick = () => save(this.csv(), `${app.doc.name}.csv`, "text/csv");
    $("variant").onclick = () => this.keep();
    $("variant-clear").onclick = () => this.forget();
  }

  take(scene) {
    if (scene.listing) { this.listing = scene.listing; this.listed = false; }
    const channels = scene.channels ?? [], n = channels.length;
    this.head = { channels, plotted: channels.map((c) => c.name), runs: [] };
    this.data = new Channels(this.head, { t: scene.block.t, channels: scene.block.channels ?? new Float64Array(0), channels_low: new Float64Array(n), channels_step: new Float64Array(n).fill(1) });
    this.redraw();
  }

  // The curves go where they can be seen.
  moveTo(tab) {
    if (!TABS[tab]) return;
    const place = $(TABS[tab]), chart = $("chart");
    if (chart.parentNode !== place) place.prepend(chart);
    this.stale = true;
    this.draw();
  }

  redraw() { this.stale = true; this.draw(); }

  draw() {
    const { app } = this;
    if (!this.data || !this.stale || !TABS[this.panels.tab]) return;
    this.stale = false;
    const key = JSON.stringify([this.head.channels, app.dark, this.panels.tab]), base = this.before?.t.length > 1 && this.before.list.length === this.data.list.length ? this.before : null;
    if (!this.chart || this.key !== key) {
      for (const p of this.chart?.plots ?? []) p.destroy();
      this.chart = new Chart($("chart"), this.head, this.data, (t) => app.player.seek(t, true), (t) => app.player.indexAt(t));
      this.listed = false;
    }
    if (this.key === key || base) this.chart.set(this.data, base);
    this.key = key;
    if (!this.listed) this.fillChannels();
    this.chart.at(app.player.time);
  }

  at(time) { if (TABS[this.panels.tab]) this.chart?.at(time); }

  fillChannels() {
    const { app } = this, words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean), on = new Set(this.head?.plotted ?? []);
    const hit = (this.listing ?? []).filter((c) => words.every((w) => c.name.toLowerCase().includes(w)));
    hit.sort((a, b) => on.has(b.name) - on.has(a.name));
    const tick = (c) => el("input", { type: "checkbox", checked: on.has(c.name), onchange: (e) => { if (e.target.checked) on.add(c.name); else on.delete(c.name); app.plot([...on]); } });
    $("channels").replaceChildren(...hit.slice(0, 200).map((c) => el("label", {}, tick(c), el("span", { textContent: c.name }), el("small", { textContent: c.unit }))));
    this.listed = true;
  }

  // ------------------------------------------------------------------------------------------ variants
  keep() {
    this.app.kept.push(this.app.scene);
    this.before = this.data;
    $("variant-clear").disabled = false;
    this.app.tell("Kept: it is drawn faintly under what follows, and dashed in the plots.");
    this.app.draw();
  }

  forget() {
    this.app.kept = [];
    this.before = null;
    $("variant-clear").disabled = true;
    this.redraw();
    this.app.draw();
  }

  csv() {
    const { list, t } = this.data, quote = (s) => (/[",\n]/.test(s) ? `"${s.replaceAll('"', '""')}"` : s), columns = list.map((_, k) => this.data.series(k));
    const head = ["t [s]", ...list.map((c) => quote(`${c.name} [${c.unit}]`))];
    return [head.join(","), ...Array.from(t, (x, f) => [x, ...columns.map((c) => c[f])].join(","))].join("\n") + "\n";
  }
}
