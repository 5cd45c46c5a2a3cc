// Channels over time with uPlot; the time line and the plot follow each other.
import uPlot from "uplot";
import { room, ticks } from "./ticks.js";
import { PALETTE } from "./world.js";

export class Chart {
  constructor(box, head, block, seek, index) {
    this.index = index;
    this.box = box;
    this.head = head;
    this.t = Array.from(block.t);
    this.values = block.channels;
    this.seek = seek;
    this.readings = new Map(); // channel → where its value is shown
    this.chosen = head.plotted.map((n) => head.channels.findIndex((c) => c.name === n)).filter((k) => k >= 0);
    this.now = this.t[0];
    this.draw();
  }

  series(k) {
    const n = this.t.length;
    return Array.from(this.values.subarray(k * n, (k + 1) * n));
  }

  toggle(k, on) {
    this.chosen = this.chosen.filter((c) => c !== k);
    if (on) this.chosen.push(k);
    this.draw();
  }

  colour(k) { return PALETTE[this.chosen.indexOf(k) % PALETTE.length]; }

  draw() {
    this.plot?.destroy();
    const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue("--soft").trim(), line = style.getPropertyValue("--line").trim();
    const units = [...new Set(this.chosen.map((k) => this.head.channels[k].unit || "1"))];
    const grid = { stroke: line, width: 1 }, font = "11px system-ui, sans-serif";
    const axes = [{ stroke: ink, grid, ticks: grid, font, label: "t in s", labelFont: font, labelSize: 15, size: 30, gap: 3, values: ticks }];
    units.slice(0, 2).forEach((u, i) => axes.push({
      scale: u, side: i ? 1 : 3, stroke: ink, grid: i ? { show: false } : grid, ticks: grid, font, size: room, gap: 3, values: ticks, label: u === "1" ? "" : u, labelFont: font, labelSize: 16,
    }));
    const options = {
      width: this.width(), height: 200, legend: { show: false }, axes, pxAlign: false,
      padding: [8, units.length > 1 ? 0 : 16, 0, 0],
      cursor: { drag: { x: true, y: false } },
      scales: { x: { time: false } },
      series: [{ label: "t", value: (u, v) => (v == null ? "" : `${v.toPrecision(4)} s`) }, ...this.chosen.map((k) => {
        const c = this.head.channels[k];
        return { label: c.name, scale: c.unit || "1", stroke: this.colour(k), width: 1.6, points: { show: false }, pxAlign: 0, value: (u, v) => (v == null ? "" : `${+v.toPrecision(4)} ${c.unit}`) };
      })],
      hooks: { draw: [(u) => this.mark(u)], ready: [(u) => u.over.addEventListener("click", (e) => this.click(u, e))] },
    };
    if (!units.length) axes.push({ show: false });
    this.plot = new uPlot(options, [this.t, ...this.chosen.map((k) => this.series(k))], this.box);
  }

  width() { return Math.max(200, (this.box.clientWidth || 330) - 4); }

  click(u, event) {
    if (Math.abs((this.down ?? event.offsetX) - event.offsetX) > 3) return;
    this.seek(u.posToVal(event.offsetX, "x"));
  }

  // The time line is an element of its own: moving it costs nothing, drawing the curves again would.
  mark(u) {
    if (this.line?.parentNode !== u.over) u.over.append((this.line = Object.assign(document.createElement("div"), { className: "now" })));
    const x = u.valToPos(this.now, "x");
    this.line.style.transform = `translateX(${x.toFixed(1)}px)`;
    this.line.style.visibility = x < -1 || x > u.over.clientWidth + 1 ? "hidden" : "visible";
  }

  at(time) {
    this.now = time;
    this.mark(this.plot);
    if (this.box.offsetParent === null) return;
    const n = this.t.length, f = this.index(time), a = Math.floor(f), s = f - a;
    for (const [k, out] of this.readings) {
      const v = this.values[k * n + a], w = s > 0 ? this.values[k * n + a + 1] : v;
      out.textContent = `${+(v + s * (w - v)).toPrecision(4)} ${this.head.channels[k].unit}`;
    }
  }

  resize() { this.plot.setSize({ width: this.width(), height: 200 }); }
}
