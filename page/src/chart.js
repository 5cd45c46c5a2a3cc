// Channels over time with uPlot, one plot per unit, below each other; the time line and the plots follow each other.
import uPlot from "uplot";
import { room, ticks } from "./ticks.js";
import { PALETTE } from "./world.js";

const MOST = 4; // plots; further units share the last
const HEIGHTS = [200, 200, 150, 130, 120];

export const short = (x, unit) => `${Math.abs(x) < 1e-12 ? 0 : +x.toPrecision(4)}${unit ? ` ${unit}` : ""}`;

export class Chart {
  constructor(box, head, channels, seek, index) {
    Object.assign(this, { box, head, seek, index, plots: [] });
    this.readings = new Map(); // channel → where its value is shown
    this.chosen = head.plotted.map((n) => head.channels.findIndex((c) => c.name === n)).filter((k) => k >= 0);
    this.base = null; // channels of the run itself, shown faintly behind a variant
    this.set(channels);
  }

  // Other numbers for the same channels: into the plots that are there, where nothing else differs.
  set(channels, base = null) {
    const same = this.plots.length && Boolean(this.base) === Boolean(base);
    this.channels = channels;
    this.t = Array.from(channels.t);
    this.base = base;
    this.now = Math.min(this.now ?? this.t[0], this.t[this.t.length - 1]);
    if (!same) { this.draw(); return; }
    for (const p of this.plots) p.setData(this.columns(p.mine.said.map(([k]) => k)));
    this.say(null);
  }

  columns(ks) { return [this.t, ...ks.map((k) => this.series(k)), ...(this.base ? ks.map((k) => this.resampled(k)) : [])]; }

  get plot() { return this.plots[0]; }
  series(k) { return this.channels.series(k); }

  toggle(k, on) {
    this.chosen = this.chosen.filter((c) => c !== k);
    if (on) this.chosen.push(k);
    this.draw();
  }

  // Of runs compared: the run's colour, and dashes tell its channels apart; else each channel has its own.
  run(k) { return this.head.runs.length > 1 ? this.head.runs.findIndex((r) => this.head.channels[k].name.startsWith(`${r}: `)) : -1; }
  colour(k) { const r = this.run(k); return PALETTE[(r >= 0 ? r : this.chosen.indexOf(k)) % PALETTE.length]; }
  dash(k, ks) { const r = this.run(k); return r < 0 ? [] : [[], [7, 3], [2, 3], [9, 3, 2, 3]][ks.filter((c) => this.run(c) === r).indexOf(k) % 4]; }
  unit(k) { return this.head.channels[k].unit || "1"; }

  draw() {
    for (const p of this.plots) p.destroy();
    this.box.replaceChildren();
    const units = [...new Set(this.chosen.map((k) => this.unit(k)))].slice(0, MOST);
    const groups = units.map((u, i) => this.chosen.filter((k) => this.unit(k) === u || (i === MOST - 1 && !units.includes(this.unit(k)))));
    if (!groups.length) groups.push([]);
    this.height = HEIGHTS[Math.min(groups.length, HEIGHTS.length - 1)];
    this.plots = groups.map((ks, i) => this.one(ks, i === groups.length - 1));
    this.say(null);
  }

  one(ks, last) {
    const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue("--soft").trim(), line = style.getPropertyValue("--line").trim();
    const grid = { stroke: line, width: 1 }, font = "11px system-ui, sans-serif", unit = ks.length ? this.unit(ks[0]) : "1";
    const cell = Object.assign(document.createElement("div"), { className: "plot" });
    const legend = Object.assign(document.createElement("p"), { className: "legend" });
    cell.append(legend);
    this.box.append(cell);
    const axes = [
      { stroke: ink, grid, ticks: grid, font, label: last ? "t in s" : undefined, labelFont: font, labelSize: last ? 15 : 0, size: 30, gap: 3, values: ticks },
      { scale: unit, side: 3, stroke: ink, grid, ticks: grid, font, size: room, gap: 3, values: ticks, label: unit === "1" ? "" : unit, labelFont: font, labelSize: 16, show: ks.length > 0 },
    ];
    const faint = this.base ? ks.map((k) => ({ label: `${this.head.channels[k].name} before`, scale: unit, stroke: `${this.colour(k)}70`, width: 1, dash: [4, 3], points: { show: false } })) : [];
    const options = {
      width: this.width(), height: this.height, legend: { show: false }, axes, pxAlign: false, padding: [8, 16, 0, 0],
      cursor: { drag: { x: true, y: false }, sync: { key: "time" } },
      scales: { x: { time: false } },
      series: [{ label: "t" }, ...ks.map((k) => ({ label: this.head.channels[k].name, scale: unit, stroke: this.colour(k), width: 1.6, dash: this.dash(k, ks), points: { show: false }, pxAlign: 0 })), ...faint],
      hooks: { draw: [(u) => this.mark(u)], setCursor: [(u) => this.say(u.cursor.idx)], ready: [(u) => u.over.addEventListener("click", (e) => this.seek(u.posToVal(e.offsetX, "x")))] },
    };
    const plot = new uPlot(options, this.columns(ks), cell);
    const paper = plot.root.querySelector("canvas");
    paper.setAttribute("role", "img");
    paper.setAttribute("aria-label", ks.length ? `Plot of ${ks.map((k) => this.head.channels[k].name).join(", ")} over time` : "Empty plot");
    const said = ks.map((k) => {
      const dot = Object.assign(document.createElement("i"), { className: "dot" }), out = document.createTextNode(""), row = document.createElement("span");
      dot.style.background = this.colour(k);
      row.append(dot, out);
      legend.append(row);
      return [k, out];
    });
    const when = document.createElement("span");
    legend.append(when);
    plot.mine = { said, when };
    return plot;
  }

  // Channel k of the run itself at the times shown now.
  resampled(k) {
    const { t } = this.base, n = t.length;
    let a = 0;
    return this.t.map((x) => {
      if (x > t[n - 1]) return null;
      while (a < n - 2 && t[a + 1] <= x) a++;
      return this.base.at(k, n > 1 ? a + Math.max(0, (x - t[a]) / (t[a + 1] - t[a])) : 0);
    });
  }

  width() { return Math.max(200, (this.box.clientWidth || 330) - 4); }

  // Values at the cursor (a sample's number), or at the present time where there is none.
  say(sample) {
    const none = sample === null || sample === undefined, at = none ? this.index(this.now) : sample;
    for (const { mine: { said, when } } of this.plots) {
      for (const [k, out] of said) out.nodeValue = `${this.head.channels[k].name} ${short(this.channels.at(k, at), this.head.channels[k].unit)}`;
      when.textContent = none ? "" : `t ${short(this.t[sample], "s")}`;
    }
    this.cursor = none ? null : sample;
  }

  // The time line is an element of its own: moving it costs nothing, drawing the curves again would.
  mark(u) {
    u.line ??= Object.assign(document.createElement("div"), { className: "now" });
    if (u.line.parentNode !== u.over) u.over.append(u.line);
    const x = u.valToPos(this.now, "x");
    u.line.style.transform = `translateX(${x.toFixed(1)}px)`;
    u.line.style.visibility = x < -1 || x > u.over.clientWidth + 1 ? "hidden" : "visible";
  }

  at(time) {
    this.now = time;
    for (const p of this.plots) this.mark(p);
    if (this.box.offsetParent === null) return;
    const f = this.index(time);
    for (const [k, out] of this.readings) out.textContent = short(this.channels.at(k, f), this.head.channels[k].unit);
    if (this.cursor === null || this.cursor === undefined) this.say(null);
  }

  // What is plotted, as a table: one row per sample, the numbers as they are kept.
  csv() {
    const quote = (s) => (/[",\n]/.test(s) ? `"${s.replaceAll('"', '""')}"` : s), columns = this.chosen.map((k) => this.series(k));
    const head = ["t [s]", ...this.chosen.map((k) => `${this.head.channels[k].name}${this.head.channels[k].unit ? ` [${this.head.channels[k].unit}]` : ""}`)];
    return [head.map(quote).join(","), ...this.t.map((t, f) => [t, ...columns.map((c) => +c[f].toPrecision(9))].join(","))].join("\n") + "\n";
  }

  resize() { for (const p of this.plots) p.setSize({ width: this.width(), height: this.height }); }
}
