// The page that shows a run: data in, three.js scene and panel out, time runs.
import * as THREE from "three";
import { Channels, Poses, read } from "./data.js";
import { World } from "./world.js";
import { Eye } from "./eye.js";
import { Chart } from "./chart.js";
import { panel, texts } from "./panel.js";
import { Picker } from "./pick.js";
import { Corner, Labels } from "./labels.js";
import { Explorer } from "./explore.js";
import { copy, follow, link } from "./share.js";
import { Diagrams } from "./diagrams.js";
import { fileName, picture, render, renderDialog, save } from "./render.js";

const $ = (id) => document.getElementById(id);
const icon = (d) => `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${d}"/></svg>`;
const ICON = {
  play: "M7 4l13 8-13 8z", pause: "M6 4h4v16H6zM14 4h4v16h-4z", back: "M18 5l-9 7 9 7zM5 5v14", next: "M6 5l9 7-9 7zM19 5v14",
  loop: "M17 2l4 4-4 4M3 11V9a3 3 0 013-3h15M7 22l-4-4 4-4M21 13v2a3 3 0 01-3 3H3", dark: "M20 14.5A8.5 8.5 0 019.5 4 8.5 8.5 0 1020 14.5z",
  light: "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M19 5l-1.4 1.4M6.4 17.6L5 19", panel: "M4 5h16v14H4zM15 5v14",
  picture: "M3 8a2 2 0 012-2h2l1.5-2h7L17 6h2a2 2 0 012 2v10a2 2 0 01-2 2H5a2 2 0 01-2-2zM12 9.5a3.5 3.5 0 100 7 3.5 3.5 0 000-7z", video: "M3 6h12v12H3zM15 10.5l6-3.5v10l-6-3.5z",
  link: "M10 14a4 4 0 005.7 0l3.3-3.3a4 4 0 00-5.7-5.7L12 6.3M14 10a4 4 0 00-5.7 0L5 13.300a4 4 0 005.7 5.7L12 17.7",
};
const KEYS = [
  ["Space", "play or pause"], ["← →", "one frame back, on"], ["Shift ← →", "a tenth of the whole"], ["Home End", "to the start, to the end"], ["[ ]", "slower, faster"], ["L", "loop"],
  ["F", "fit"], ["C", "camera goes with the selected body, or the first"], ["1 2 3 4", "oblique, front, top, side"], ["Alt ← → ↑ ↓", "turn the view (plane: move it)"], ["+ −", "nearer, farther"],
  ["J G T N", "joints, grid, traces, names"], ["A R", "applied forces, reactions"], ["S", "save a picture"], ["K", "copy a link to this moment"], ["D", "light or dark"], ["P", "panel"], ["Esc", "nothing selected"],
  ["Mouse", "drag to turn (plane: to move), right drag to move (plane: to turn), wheel to zoom where it points, click to select"],
];
const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

function fail(text) {
  const box = $("message");
  box.hidden = false;
  box.className = "error";
  box.replaceChildren(Object.assign(document.createElement("p"), { textContent: text }));
}

class App {
  async start() {
    const { head, block, chunks } = await read();
    this.base = { head, block };
    this.unpacking = { numbers: block.poses.length, chunks: chunks.length }; // what had to be read before the first frame
    $("title").textContent = document.title = head.title;
    const canvas = $("canvas");
    try {
      this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: false });
    } catch {
      throw new Error("This browser offers no WebGL, so the scene cannot be drawn. Try another browser, or render pictures with dalembert render.");
    }
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.settings = { joints: true, grid: true, traces: true, ground: true, kinds: {}, scale: 1, selected: null };
    this.index = 0;
    this.playing = false;
    this.loop = true;
    this.cost = []; // milliseconds of the last frames, for whoever wants to know
    this.fill(this.base);
    this.eye = new Eye(head.stage, canvas, () => this.dirty());
    for (const name of ["pointerdown", "wheel"]) canvas.addEventListener(name, () => { this.eye.touched = true; }, { passive: true });
    this.corner = new Corner(head.stage);
    this.labels = new Labels(this);
    this.setTheme(head.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    if (head.channels.length) this.chart = new Chart($("chart"), head, this.channels, (t) => this.seek(t), (t) => this.poses.index(t));
    panel(this);
    texts(this.head);
    this.picker = new Picker(this);
    if ($("free-bodies")) this.diagrams = new Diagrams($("free-bodies"));
    if (head.sliders) this.explorer = new Explorer(this, chunks);
    renderDialog(this);
    this.controls();
    this.keys();
    new ResizeObserver(() => this.resize()).observe($("view"));
    this.resize();
    await follow(this);
    $("message").hidden = true;
    this.draw();
    this.first = performance.now();
    if (head.play && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.toggle(true);
  }

  // The numbers of a run, or of a variant of it.
  fill({ head, block }) {
    this.head = head;
    this.poses = new Poses(head, block);
    this.channels = new Channels(head, block);
    this.span = this.poses.t[this.poses.frames - 1] - this.poses.t[0];
    const hidden = this.world?.hidden;
    this.world = new World(head, block, this.poses);
    if (hidden) this.world.hidden.set(hidden);
    this.world.apply(this.settings);
    this.shownIndex = NaN;
  }

  // Show a variant: time, camera and what is shown stay; one that failed leaves its message.
  put(found) {
    const t = this.time, other = found !== this.base;
    this.failed = found.failed ?? "";
    $("failed").hidden = !this.failed;
    $("failed").textContent = this.failed ? `No motion with this value: ${this.failed}` : "";
    $("canvas").classList.toggle("faint", Boolean(this.failed));
    const old = this.failed ? null : this.world;
    if (!this.failed) {
      this.fill(found);
      this.world.take(old);
      this.world.theme(this.dark);
      this.index = this.poses.index(t);
      this.chart?.set(this.channels, other ? (this.own ??= new Channels(this.base.head, this.base.block)) : null);
      texts(this.head);
      this.labels.fill();
      this.picker.select(this.settings.selected);
    }
    this.diagrams?.of(!other);
    this.draw();
    old?.dispose(); // not before: what is drawn the same way keeps its programs
  }

  apply() { this.world.apply(this.settings); this.dirty(); }

  resize() {
    const { clientWidth: w, clientHeight: h } = $("view");
    if (!w || !h) return;
    this.renderer.setSize(w, h, false);
    this.eye.resize(w, h);
    this.chart?.resize();
    this.draw();
  }

  dirty() {
    if (this.waiting || this.playing) return;
    this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.draw(); });
  }

  draw() {
    const start = performance.now();
    this.world.arrows.near = this.following ? this.eye.tall() / this.eye.usual : 1;
    this.world.update(this.index);
    if (this.following) this.eye.onto(this.poses.now, this.followed);
    this.renderer.render(this.world.scene, this.eye.camera);
    const { clientWidth: w, clientHeight: h } = $("view");
    this.labels.update(this.poses.now, this.eye.camera, w, h);
    this.corner.update(this.eye, h);
    if (this.shownIndex !== this.index) { this.shownIndex = this.index; this.readout(); }
    if (this.cost.push(performance.now() - start) > 200) this.cost.shift();
  }

  readout() {
    const t = this.time, end = this.poses.t[this.poses.frames - 1], digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(this.span || 1))));
    $("clock").innerHTML = `<b>${t.toFixed(digits)} s</b><i> / ${end.toFixed(digits)} s</i>`;
    const at = this.span ? (1000 * (t - this.poses.t[0])) / this.span : 0;
    if (Math.abs(+$("scrub").value - at) > 0.4) $("scrub").value = at;
    this.chart?.at(t);
    this.diagrams?.at(t);
    this.picker?.update();
  }

  // A word to the reader that goes away by itself.
  tell(text) {
    $("toast").textContent = text;
    $("toast").hidden = false;
    clearTimeout(this.told);
    this.told = setTimeout(() => { $("toast").hidden = true; }, 2500);
  }

  async savePicture() { save(await picture(this), `${fileName(this)}.png`); }
  saveTable() { save(new Blob([this.chart.csv()], { type: "text/csv" }), `${fileName(this)}.csv`); }
  get link() { return link(this); }

  // The whole motion as a blob: dalembert.render({ kind: "png" | "webm", width, height, fps, tell }).
  render(options) { return render(this, options); }

  get time() { return this.poses.time(this.index); }
  seek(t) { this.index = this.poses.index(t); this.dirty(); }
  frame(k) { this.index = Math.max(0, Math.min(this.poses.frames - 1, k)); this.dirty(); }

  step(by) {
    this.toggle(false);
    const k = by > 0 ? Math.floor(this.index + 1e-6) + by : Math.ceil(this.index - 1e-6) + by;
    this.frame(k);
  }

  toggle(on = !this.playing) {
    if (on === this.playing || this.poses.frames < 2) return;
    this.playing = on;
    $("play").setAttribute("aria-label", on ? "Pause" : "Play");
    $("play").innerHTML = icon(on ? ICON.pause : ICON.play);
    if (!on) return;
    if (this.index >= this.poses.frames - 1) this.index = 0;
    let last = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      let t = this.time + (Math.min(now - last, 250) / 1000) * this.rate;
      last = now;
      const end = this.poses.t[this.poses.frames - 1];
      if (t >= end) {
        if (this.loop) t = this.poses.t[0] + ((t - this.poses.t[0]) % (this.span || 1));
        else { t = end; this.toggle(false); }
      }
      this.index = this.poses.index(t);
      this.draw();
      if (this.playing) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  setSpeed(rate) { this.rate = rate; $("speed").value = String(rate); }

  setTheme(name) {
    this.dark = name === "dark";
    document.documentElement.dataset.theme = name;
    $("theme").innerHTML = icon(this.dark ? ICON.light : ICON.dark);
    this.world.theme(this.dark);
    this.chart?.draw();
    this.dirty();
  }

  setPanel(on) {
    this.settings.panelClosed = this.settings.panelClosed === undefined ? undefined : !on;
    document.body.classList.toggle("narrow-panel", !on);
    $("panel-button").setAttribute("aria-expanded", on);
  }

  controls() {
    $("back").innerHTML = icon(ICON.back); $("next").innerHTML = icon(ICON.next); $("play").innerHTML = icon(ICON.play);
    $("loop").innerHTML = icon(ICON.loop); $("panel-button").innerHTML = icon(ICON.panel);
    const rate = SPEEDS.reduce((a, b) => (Math.abs(Math.log(b * 6 / (this.span || 6))) < Math.abs(Math.log(a * 6 / (this.span || 6))) ? b : a));
    const usual = this.span > 20 || this.span < 0.5 ? rate : 1;
    $("speed").append(...SPEEDS.map((s) => Object.assign(document.createElement("option"), { value: String(s), textContent: `${s}×` })));
    this.setSpeed(usual);
    $("speed").onchange = () => this.setSpeed(+$("speed").value);
    $("play").onclick = () => this.toggle();
    $("back").onclick = () => this.step(-1);
    $("next").onclick = () => this.step(1);
    $("scrub").oninput = () => { this.toggle(false); this.seek(this.poses.t[0] + (this.span * +$("scrub").value) / 1000); };
    $("loop").onclick = () => this.setLoop(!this.loop);
    $("theme").onclick = () => this.setTheme(this.dark ? "light" : "dark");
    $("picture").innerHTML = icon(ICON.picture); $("render-button").innerHTML = icon(ICON.video); $("link-button").innerHTML = icon(ICON.link);
    $("picture").onclick = () => this.savePicture();
    $("link-button").onclick = () => copy(this, (text) => this.tell(text));
    $("csv").onclick = () => this.saveTable();
    addEventListener("pointerup", () => { if (document.activeElement?.matches("button, summary, input[type=checkbox]")) document.activeElement.blur(); }); // keys go to the page again
    $("panel-button").onclick = () => this.setPanel(document.body.classList.contains("narrow-panel"));
    $("help-button").onclick = () => $("help").showModal();
    $("help").querySelector("dl").innerHTML = KEYS.map(([k, d]) => `<dt>${k.split(" ").map((x) => `<kbd>${x}</kbd>`).join(" ")}</dt><dd>${d}</dd>`).join("");
    for (const b of document.querySelectorAll("[data-view]")) b.onclick = () => this.eye.go(b.dataset.view);
    if (this.poses.frames < 2) { // a drawing: no time runs in it
      document.querySelector("footer").hidden = $("render-button").hidden = true;
      $("check").open = true;
    }
    this.setPanel(innerWidth > 760);
    this.settings.panelClosed = !(innerWidth > 760);
  }

  // Go with a body (the selected one, or the first), from nearer by: for what travels far beside its size.
  follow(on) {
    this.following = on;
    this.followed = Math.max(0, this.head.names.indexOf(this.settings.selected));
    if ($("follow")) $("follow").checked = on;
    if (on) this.eye.near(this.poses.now, this.poses.count, this.followed); else this.eye.go(this.eye.name);
    this.dirty();
  }

  setLoop(on) { this.loop = on; $("loop").setAttribute("aria-pressed", on); }

  keys() {
    const click = (id) => $(id)?.click();
    const both = (a, b) => { const on = !($(a)?.checked || $(b)?.checked); for (const id of [a, b]) if ($(id) && $(id).checked !== on) click(id); };
    addEventListener("keydown", (e) => {
      const at = e.target;
      if (e.ctrlKey || e.metaKey || at.matches("input[type=search], select, dialog, dialog *")) return;
      if (at.matches("input[type=range]:not(#scrub)") && /^(Arrow|Home|End|Page)/.test(e.key)) return; // the slider's own keys
      if ((e.key === " " || e.key === "Enter") && at.matches("button, summary, input[type=checkbox], a")) return;
      if (e.altKey) {
        const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
        if (by) { e.preventDefault(); this.eye.nudge(0.06 * by[0], 0.06 * by[1]); }
        return;
      }
      const far = Math.max(1, Math.round(this.poses.frames / 10)), speed = SPEEDS.indexOf(this.rate);
      const act = {
        " ": () => this.toggle(), ArrowLeft: () => this.step(e.shiftKey ? -far : -1), ArrowRight: () => this.step(e.shiftKey ? far : 1),
        Home: () => this.frame(0), End: () => this.frame(this.poses.frames - 1), "[": () => this.setSpeed(SPEEDS[Math.max(0, speed - 1)]),
        "]": () => this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, speed + 1)]), l: () => this.setLoop(!this.loop), f: () => this.eye.go("fit"), c: () => this.follow(!this.following),
        1: () => this.eye.go("iso"), 2: () => this.eye.go("front"), 3: () => this.eye.go("top"), 4: () => this.eye.go("side"),
        "+": () => this.eye.nudge(0, 0, 1.2), "=": () => this.eye.nudge(0, 0, 1.2), "-": () => this.eye.nudge(0, 0, 1 / 1.2),
        n: () => click("show-names"), s: () => click("picture"), k: () => click("link-button"), Escape: () => this.picker.select(null), j: () => click("show-joints"), g: () => click("show-grid"), t: () => click("show-traces"),
        a: () => both("show-force", "show-torque"), r: () => both("show-reaction", "show-reaction-torque"),
        d: () => click("theme"), p: () => click("panel-button"), "?": () => $("help").showModal(),
      }[e.key.length === 1 ? e.key.toLowerCase() : e.key];
      if (!act) return;
      e.preventDefault();
      act();
    });
  }

  // Where part k is drawn now: its 4×4 matrix by columns, read back from what goes to the graphics card.
  matrix(k) {
    const [batch, i] = this.world.where[k];
    return Array.from(batch.instanceMatrix.array.subarray(16 * i, 16 * i + 16));
  }
}

const app = new App();
window.dalembert = app;
app.ready = app.start().catch((error) => { fail(error.message || String(error)); app.error = String(error.stack || error); });
