// The studio: what the server tells, what the reader does, and the view between them.
import { PALETTE } from "../src/world.js";
import { $, ICON, el, save, short } from "./dom.js";
import { Link } from "./link.js";
import { Paper } from "./paper.js";
import { TOOLS, Tools } from "./tools.js";
import { Panels } from "./panels.js";
import { Space } from "./space.js";
import { Help } from "./help.js";
import { fillNames } from "./forms.js";

const TABS = ["part", "parameters", "plots", "answers", "text"];

class App {
  constructor() {
    Object.assign(this, { selected: new Set(), locked: new Set(), traces: [], index: 0, playing: false, rate: 1, forms: [], plotted: [], kept: [], latency: [], pulls: [], arrowsShown: false, mobility: null });
    this.paper = new Paper(this, $("paper"));
    this.tools = new Tools(this);
    this.panels = new Panels(this);
    this.help = new Help(this);
    this.setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    this.controls();
    this.keys();
    new ResizeObserver(() => { this.space?.resize(); if (this.flat && !this.paper.touched && !this.tools.press && this.scene?.names.length && this.tools.name === "select") this.paper.fit(); this.draw(); }).observe($("view"));
    this.link = new Link((reply) => this.got(reply), () => this.lost(), (slow) => this.slow(slow));
    this.ready = this.link.ready.then(() => this.link.ask({ do: "hello" })).then(() => { this.fit(); return true; });
  }

  // ------------------------------------------------------------------------------------------ from the server
  got(reply) {
    if (reply.what === "forms") { this.forms = reply.forms; this.catalogue = reply.catalogue; this.files = reply.files; }
    else if (reply.what === "files") this.files = reply.files;
    else if (reply.what === "document") this.takeDocument(reply);
    else if (reply.what === "scene") this.takeScene(reply);
    else if (reply.what === "shared") save(reply.text, reply.file, reply.type);
  }

  lost() {
    $("saved").textContent = "not connected";
    $("saved").className = "bad";
    this.tell("The studio has stopped. Start it again in the terminal; what was shown as saved is in the file.", true);
  }

  // A reply that takes long: on a machine that has no compiled kernels yet it may be a minute.
  slow(on) {
    if (on) this.tell("Computing … The first time on a machine its kernels are compiled: about a minute, the terminal tells.", true);
    else $("toast").hidden = true;
  }

  takeDocument(doc) {
    this.doc = doc;
    $("file-name").textContent = doc.file ?? doc.name;
    document.title = `${doc.file ?? doc.name} · studio`;
    $("saved").textContent = doc.trouble ? "not saved" : doc.saved ? "saved" : "not saved";
    $("saved").className = doc.trouble ? "bad" : doc.saved ? "good" : "";
    $("saved").title = doc.trouble || (doc.saved ? "The file on the disk says what is here." : doc.file ? "The file on the disk does not say this (yet): the next change writes it." : "This model has no file yet: Save gives it one.");
    $("undo").disabled = !doc.undo; $("redo").disabled = !doc.redo;
    $("undo").title = `Undo ${doc.undo_label} (Ctrl Z)`; $("redo").title = `Redo ${doc.redo_label} (Ctrl Shift Z)`;
    const notes = [doc.trouble, doc.complaint && `${doc.complaint.line ? `Line ${doc.complaint.line}: ` : ""}${doc.complaint.text}`, doc.note, doc.code.length && `Laws in Python: ${doc.code.join(", ")} (shown, not changed here; a file cannot hold them)`, doc.rewritten && "The file was written anew: comments in it are lost."].filter(Boolean);
    this.docNotes = notes;
    this.notes();
    $("until").value = doc.until;
    for (const name of [...this.selected]) if (!this.find(name)) this.selected.delete(name);
    this.flat = doc.dim === 2;
    $("paper").hidden = $("tools").hidden = !this.flat;
    $("space").hidden = this.flat;
    if (!this.flat && !this.space) this.space = new Space(this, $("space"));
    fillNames(this);
    this.panels.fillTree();
    this.panels.fillPart();
    this.panels.fillParameters();
    this.panels.fillText();
  }

  notes(more = "") {
    const all = [...(this.docNotes ?? []), more].filter(Boolean);
    $("notes").hidden = !all.length;
    $("notes").replaceChildren(...all.map((n) => el("p", { textContent: n })));
  }

  takeScene(scene) {
    const t = this.time ?? 0;
    this.scene = scene;
    scene.frames = scene.block.t.length;
    this.drawing = scene.drawing ?? null;
    this.mobility = scene.mobility;
    if (!this.real) this.dragged = this.reach = null;
    if (!this.flat && scene.scene) this.space.take(scene);
    const end = scene.block.t[scene.frames - 1];
    this.index = this.indexAt(Math.min(t, end));
    $("verdict").textContent = scene.verdict; $("verdict").className = scene.verdict;
    this.notes(scene.note);
    this.sayMobility();
    this.panels.take(scene);
    this.draw();
    this.panels.stale_ = true;
    if (this.panels.tab === "answers" && this.panels.answered && !this.liveValues) this.panels.again();
    this.help.look();
  }

  sayMobility() {
    const m = this.mobility, box = $("mobility");
    const bodies = this.scene.names.length;
    box.textContent = !bodies ? "empty" : `${m.dof} degree${m.dof === 1 ? "" : "s"} of freedom${m.redundant.length ? ` · ${m.redundant.length} redundant` : ""}${m.drives.length ? ` · driven` : ""}`;
    box.className = !m.assembled ? "bad" : m.redundant.length || m.singular ? "doubt" : "";
    box.title = m.said.join("\n");
    $("hint").textContent = this.tools.name === "select" ? m.said.join(" ") : TOOLS.find((x) => x[0] === this.tools.name)[3];
    for (const row of $("tree").querySelectorAll(".part")) row.classList.toggle("bad", m.redundant.includes(row.dataset.name));
  }

  // ------------------------------------------------------------------------------------------ motion
  get time() { const t = this.scene?.block.t; return t ? interpolate(t, this.index) : 0; }
  indexAt(time) {
    const t = this.scene.block.t, n = t.length;
    if (time <= t[0] || n < 2) return 0;
    if (time >= t[n - 1]) return n - 1;
    let a = 0, b = n - 1;
    while (b - a > 1) { const m = (a + b) >> 1; if (t[m] <= time) a = m; else b = m; }
    return a + (time - t[a]) / (t[b] - t[a]);
  }

  posesAt(index, scene = this.scene) {
    const { poses } = scene.block, nb = scene.names.length, f = Math.min(Math.floor(index), scene.frames - 1), s = index - f, out = [];
    for (let k = 0; k < nb; k++) {
      const a = 3 * (f * nb + k), b = s > 0 ? a + 3 * nb : a;
      out.push([0, 1, 2].map((c) => poses[a + c] + s * (poses[b + c] - poses[a + c])));
    }
    return out;
  }

  seek(t, still) { if (still) this.toggle(false); this.index = this.indexAt(t); this.draw(); }
  rest() { this.setReal(false); this.space?.follow(null); this.toggle(false); if (this.index) { this.index = 0; this.draw(); } }

  // Real time: the motion goes on in the server, a spring pulls what is grabbed.
  async setReal(on) {
    if (Boolean(this.real) === on) return;
    $("real").setAttribute("aria-pressed", on);
    if (!on) { this.real = null; this.dragged = null; this.space?.follow(null); this.link.ask({ do: "advance", end: true }, true); this.draw(); return; }
    this.toggle(false);
    this.showing = null;
    this.index = 0;
    const first = await this.link.ask({ do: "advance", begin: true }, true);
    if (first.what === "refused") { $("real").setAttribute("aria-pressed", false); return this.tell(first.text); }
    const me = (this.real = { t: 0, pull: null, steps: [] });
    $("hint").textContent = "Real time: grab a body, a spring pulls it. Sliders and forms act at once.";
    let last = performance.now();
    while (this.real === me) {
      await new Promise((r) => requestAnimationFrame(r));
      const now = performance.now(), dt = Math.min(0.1, ((now - last) / 1000) * this.rate);
      if (dt < 0.004) continue;
      last = now;
      const r = await this.link.ask({ do: "advance", dt, pull: me.pull, parameters: me.parameters }, true);
      if (this.real !== me) break;
      if (r.what === "refused") { this.tell(r.text); this.setReal(false); break; }
      me.steps.push(performance.now() - now);
      me.t = r.t;
      if (this.flat) { this.dragged = r.poses; this.grabbed = -1; } else this.space.follow(r.poses);
      this.draw();
    }
  }

  toggle(on = !this.playing) {
    if (on) this.setReal(false);
    if (on === this.playing || (on && !(this.scene?.frames > 1))) return;
    this.playing = on;
    $("play").innerHTML = on ? ICON.pause : ICON.play;
    $("play").setAttribute("aria-label", on ? "Pause" : "Play");
    this.help.look();
    if (!on) return;
    this.vectors = null;
    let last = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      const t = this.scene.block.t, span = t[t.length - 1] - t[0];
      let to = this.time + (Math.min(now - last, 250) / 1000) * this.rate;
      last = now;
      if (to >= t[t.length - 1]) to = t[0] + ((to - t[0]) % (span || 1));
      this.index = this.indexAt(to);
      this.draw();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  // A pose or a motion of an answer, until something changes.
  pose(poses) { this.toggle(false); this.dragged = poses; this.grabbed = -1; this.dirty(); }
  animate({ poses }) {
    this.toggle(false);
    const start = performance.now(), show = (this.showing = {});
    const tick = (now) => {
      if (this.showing !== show || now - start > 8000 || this.playing) { if (this.showing === show) { this.dragged = null; this.dirty(); } return; }
      this.dragged = poses[Math.floor(((now - start) / 1600) * (poses.length - 1)) % poses.length];
      this.grabbed = -1;
      this.draw();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  dirty() {
    if (this.waiting || this.playing) return;
    this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.draw(); });
  }

  draw() {
    if (!this.scene) return;
    this.ghosts = this.kept.map((v, k) => ({ drawing: v.drawing, poses: this.posesAt(Math.min(v.frames - 1, indexIn(v.block.t, this.time)), v), colour: PALETTE[(k + 4) % PALETTE.length] }));
    if (this.flat) this.paper.draw(); else this.space?.draw(this.index);
    const t = this.scene.block.t, end = t[t.length - 1], span = end - t[0];
    $("clock").textContent = this.real ? `${this.real.t.toFixed(2)} s, real time` : `${this.time.toFixed(3)} / ${short(end)} s`;
    const at = span ? (1000 * (this.time - t[0])) / span : 0;
    if (Math.abs(+$("scrub").value - at) > 0.4) $("scrub").value = at;
    if (this.panels.tab === "plots") this.panels.chart?.at(this.time);
  }

  fit() { if (this.flat) this.paper.fit(); else this.space?.fit(); this.draw(); }

  // ------------------------------------------------------------------------------------------ edits
  async edit(ops, label, select) {
    const asked = (this.editing = this.link.ask({ do: "edit", ops, label })), reply = await asked;
    if (this.editing === asked) this.editing = null;
    if (reply.what === "refused") this.tell(reply.text);
    else if (select) this.select(select);
    return reply;
  }

  // One message on its way, the newest waits.
  stream(kind) { return (this[`${kind}s_`] ??= { busy: null, next: null }); }
  async push(kind, message, single, then) {
    const s = this.stream(kind);
    if (s.busy) { s.next = [message, then]; return s.busy; }
    s.busy = (async () => {
      for (let now = [message, then]; now; ) {
        s.next = null;
        const reply = await this.link.ask(now[0], single);
        now[1]?.(reply);
        now = s.next;
      }
      s.busy = null;
    })();
    return s.busy;
  }

  live(parameters) {
    const start = performance.now();
    if (this.real) { this.real.parameters = { ...this.real.parameters, ...parameters }; return null; }
    this.liveValues = { ...(this.liveValues ?? {}), ...parameters };
    return this.push("live", { do: "live", parameters: this.liveValues, plotted: this.plotted.length ? this.plotted : this.panels.head_?.plotted ?? [], until: +$("until").value, forces: this.arrowsShown }, false, (reply) => {
      if (reply.what === "scene") this.latency.push(performance.now() - start);
      if (reply.what === "refused") this.notes(reply.text);
    });
  }

  async commitLive(name, value) {
    await this.stream("live").busy;
    this.liveValues = null;
    return this.edit([{ op: "parameter", name, value }], `set ${name}`);
  }

  grab(k, local) {
    this.showing = null;
    this.toggle(false);
    if (this.index) { this.index = 0; this.draw(); local = null; } // it is the drawing that moves
    this.grabbed = k;
    const body = this.drawing.bodies[k];
    this.grabLocal = local ?? body.com;
    this.pulls = [];
    this.push("pull", { do: "grab", body: body.name, local: this.grabLocal }, true, (r) => { if (r.what === "refused") this.tell(r.text); });
  }

  pull(to) {
    const start = performance.now();
    this.push("pull", { do: "pull", to }, true, (r) => {
      if (r.what !== "pulled" || this.grabbed < 0) return;
      this.pulls.push(performance.now() - start);
      this.dragged = r.poses;
      this.reach = r.missing > 2 / this.paper.scale ? [this.paper.ground(this.grabbed, this.grabLocal, r.poses), to] : null;
      if (r.freedom === 0) $("hint").textContent = "It cannot move: no degree of freedom is left without its drives.";
      if (r.jump) this.tell("It would jump to another way of closing here: it stays on this one.");
      this.draw();
    });
  }

  async release(anyway = false) {
    await this.stream("pull").busy;
    const r = await this.link.ask({ do: "release", anyway });
    if (r.what === "kept") {
      $("kept").hidden = false;
      $("kept").firstElementChild.textContent = `This pose is shown only: ${r.formulas.slice(0, 3).join(", ")}${r.formulas.length > 3 ? " …" : ""} are placed by formulas.`;
    } else { $("kept").hidden = true; this.grabbed = -1; if (r.what === "refused") { this.dragged = null; this.tell(r.text); this.draw(); } }
  }

  select(name, more) {
    if (!more) this.selected.clear();
    if (name) { if (more && this.selected.has(name)) this.selected.delete(name); else this.selected.add(name); }
    if (!name) { $("kept").hidden = true; if (this.dragged) { this.dragged = null; } }
    for (const row of $("tree").querySelectorAll(".part")) row.setAttribute("aria-selected", this.selected.has(row.dataset.name));
    if (this.doc) this.panels.fillPart();
    this.dirty();
  }

  find(name) {
    for (const [section, entries] of Object.entries(this.doc.plain)) if (Array.isArray(entries)) for (const entry of entries) if (entry.name === name) return { section, entry };
    return null;
  }
  entry(name) { return this.find(name)?.entry; }
  usesLengths() { return (this.doc.plain.joint ?? []).some((j) => "on_i" in j || "on_j" in j); }
  fresh(base) { let k = 1; while (this.find(`${base}${k}`)) k++; return `${base}${k}`; }
  freshLetter(taken = []) {
    for (const c of "ABCDEFHIJKLMNPQRSTUVWXYZ") if (!this.find(c) && !taken.includes(c) && !(c in (this.doc.plain.parameters ?? {}))) return c;
    let k = 1;
    while (this.find(`P${k}`) || taken.includes(`P${k}`)) k++;
    return `P${k}`;
  }

  remove() {
    const names = [...this.selected];
    if (!names.length) return;
    const gone = new Set(), ops = [];
    for (const name of names) { if (!gone.has(name)) ops.push({ op: "remove", name }); gone.add(name); for (const u of this.usersOf(name)) gone.add(u); }
    this.edit(ops.filter((o, k) => !names.slice(0, k).some((n) => this.usersOf(n).includes(o.name))), `delete ${names.join(", ")}`);
  }

  // Elements that go with one: as the server does it.
  usersOf(name) {
    const gone = new Set([name]);
    for (let grown = true; grown; ) {
      grown = false;
      for (const entries of Object.values(this.doc.plain)) if (Array.isArray(entries)) for (const e of entries) {
        if (!e.name || gone.has(e.name)) continue;
        const refs = [e.between, e.body, e.of, e.carrier, e.pinion, e.rack, e.a, e.b].flat().filter((x) => typeof x === "string").map((x) => x.split(".")[0]);
        if (refs.some((r) => gone.has(r))) { gone.add(e.name); grown = true; }
      }
    }
    gone.delete(name);
    return [...gone];
  }

  // Copies of the selected parts beside them, or on the other side of a vertical line; joints between them come along.
  duplicate(mirror) {
    const names = [...this.selected].filter((n) => this.doc.plain.body?.some((b) => b.name === n));
    if (!names.length) return this.tell("Select one or more bodies first (Ctrl-click adds).");
    if (!this.flat) return this.tell("Copies are made in the plane; in space add a body by its form.");
    const shift = 5 * this.paper.spacing, to = new Map(names.map((n) => [n, null])), ops = [], bodies = this.doc.plain.body.filter((b) => to.has(b.name));
    const numbers = (v) => Array.isArray(v) && v.every((x) => typeof x === "number"), places = bodies.flatMap((b) => [b.start, b.end, b.position]).filter(numbers);
    if (bodies.some((b) => [b.start, b.end, b.position].some((v) => v !== undefined && !numbers(v)))) return this.tell("These bodies are placed by formulas: copy their text in the tab Text.");
    const line = Math.max(...places.map((p) => p[0]), 0) + shift / 2, put = (p) => (mirror ? [+(2 * line - p[0]).toPrecision(9), p[1]] : [+(p[0] + shift).toPrecision(9), p[1]]);
    const taken = new Set();
    const fresh = (name) => { const base = name.replace(/\d+$/, "") || "part"; let k = 1; while (this.find(`${base}${k}`) || taken.has(`${base}${k}`)) k++; taken.add(`${base}${k}`); return `${base}${k}`; };
    const moved = (e) => { const out = { ...e }; for (const key of ["start", "end", "position", "at", "at_i", "at_j"]) if (numbers(out[key])) out[key] = put(out[key]); return mirror ? mirrored(out) : out; };
    try {
      for (const b of bodies) { const name = fresh(b.name); to.set(b.name, name); ops.push({ op: "add", section: "body", entry: { ...moved(b), name } }); }
      for (const section of ["joint", "force"]) for (const e of this.doc.plain[section] ?? []) {
        const pair = e.between ?? (e.body ? [e.body] : []);
        if (!pair.length || !pair.every((n) => to.has(n) || n === "ground") || !pair.some((n) => to.has(n)) || e.on_i || e.on_j) continue;
        const name = fresh(e.name), copy = { ...moved(e), name };
        if (e.between) copy.between = pair.map((n) => to.get(n) ?? n); else copy.body = to.get(e.body);
        ops.push({ op: "add", section, entry: copy });
      }
    } catch (error) { return this.tell(error.message); }
    return this.edit(ops, mirror ? "mirror" : "duplicate").then((r) => { if (r.what !== "refused") { this.selected = new Set([...to.values()]); this.panels.fillTree(); this.panels.fillPart(); this.draw(); } });
  }

  // A link made level or upright: its second end goes there, with all that is drawn at it.
  align(name, upright) {
    const e = this.entry(name), numbers = (v) => Array.isArray(v) && v.every((x) => typeof x === "number");
    if (!numbers(e?.start) || !numbers(e?.end)) return this.tell("Only links drawn from end to end, in numbers, can be aligned.");
    const d = [e.end[0] - e.start[0], e.end[1] - e.start[1]], l = Math.hypot(...d), i = upright ? 1 : 0, to = e.start.slice();
    to[i] += l * (Math.sign(d[i]) || 1);
    this.rest();
    this.tools.at = to;
    return this.tools.reshape({ reshape: e.end });
  }

  lock(name) { if (this.locked.has(name)) this.locked.delete(name); else this.locked.add(name); this.panels.fillPart(); this.dirty(); }

  plot(names) { this.plotted = names; return this.wish(); }
  wish() { return this.push("wish", { do: "wish", until: +$("until").value, plotted: this.plotted, kind: $("kind").value, forces: this.arrowsShown }, false, (r) => { if (r.what === "refused") this.tell(r.text); }); }

  // Whether what is not in a file may go.
  leave() { return this.doc.saved || !this.doc.undo || confirm(`${this.doc.name} is not saved to a file: leave it?`); }

  async open(what) {
    $("open").close();
    const fresh = () => { this.selected.clear(); this.locked.clear(); this.traces = []; this.kept = []; this.plotted = []; this.vectors = null; this.index = 0; $("kept").hidden = true; };
    fresh();
    this.setReal(false);
    this.panels.answered = null;
    this.hideTip();
    $("answer").replaceChildren();
    const r = await this.link.ask({ do: "open", ...what });
    if (r.what === "refused") return this.tell(r.text);
    $("kind").value = "simulate";
    this.fit();
  }

  async saveAs() {
    if (this.doc.unreadable) { if (confirm(`${this.doc.file} on the disk was changed by somebody else and cannot be read: write this model over it?`)) await this.link.ask({ do: "save", over: true }, true); return null; }
    if (this.doc.file) return this.tell(this.doc.saved ? "Saved already: every change goes to the file at once." : "It could not be saved: see the message above.");
    $("name-text").value = `${this.doc.name.replace(/[^\w-]+/g, "-")}.${this.doc.kind}`;
    $("name").showModal();
  }

  // ------------------------------------------------------------------------------------------ the page
  tell(text, stay) {
    $("toast").textContent = text;
    $("toast").hidden = false;
    clearTimeout(this.told);
    if (!stay) this.told = setTimeout(() => { $("toast").hidden = true; }, 4500);
  }

  tip(x, y) {
    const name = this.paper.elementAt(x, y) ?? this.drawing?.bodies[this.paper.bodyAt(x, y)]?.name, e = name && this.find(name);
    $("tip").hidden = !e;
    if (!e) return;
    $("tip").textContent = `${name}  ${e.entry.type ?? e.section}`;
    $("tip").style.transform = `translate(${x + 14}px, ${y + 14}px)`;
  }

  hideTip() { $("tip").hidden = true; }

  toolChanged() {
    for (const b of $("tools").children) b.setAttribute("aria-pressed", b.dataset.tool === this.tools.name);
    if (this.scene) this.sayMobility();
    $("paper").style.cursor = this.tools.name === "select" ? "default" : "crosshair";
    this.dirty();
  }

  setTheme(name) {
    this.dark = name === "dark";
    document.documentElement.dataset.theme = name;
    this.space?.world?.theme(this.dark);
    if (this.panels?.chart) { this.panels.stale = true; this.panels.drawPlots(); }
    this.dirty();
  }

  controls() {
    $("tools").append(...TOOLS.map(([name, key, title]) => el("button", { "data-tool": name, title: `${title} (${key})`, "aria-label": title, "aria-pressed": name === "select", innerHTML: ICON[name], onclick: () => this.tools.use(name) })));
    for (const [id, icon] of [["undo", "undo"], ["redo", "redo"], ["play", "play"], ["start", "start"], ["theme", "theme"], ["add-button", "plus"]]) $(id).innerHTML = ICON[icon];
    $("undo").onclick = () => this.link.ask({ do: "undo" });
    $("redo").onclick = () => this.link.ask({ do: "redo" });
    $("play").onclick = () => this.toggle();
    $("real").onclick = () => this.setReal(!this.real);
    $("start").onclick = () => this.rest();
    $("scrub").oninput = () => { const t = this.scene.block.t; this.seek(t[0] + ((t[t.length - 1] - t[0]) * +$("scrub").value) / 1000, true); };
    $("speed").onchange = () => { this.rate = +$("speed").value; };
    $("until").onchange = $("kind").onchange = () => this.wish();
    $("theme").onclick = () => this.setTheme(this.dark ? "light" : "dark");
    $("save-button").onclick = () => this.saveAs();
    $("open-button").onclick = $("file").onclick = () => this.openDialog();
    $("open-find").oninput = () => this.fillOpen();
    $("new-plane").onclick = () => this.leave() && this.open({ new: 2 });
    $("new-space").onclick = () => this.leave() && this.open({ new: 3 });
    addEventListener("beforeunload", (e) => { if (this.doc && !this.doc.saved && this.doc.undo) e.preventDefault(); });
    $("share-button").onclick = () => this.shareDialog();
    for (const [id, as] of [["share-python", "python"], ["share-text", "text"]]) $(id).onclick = async () => { const r = await this.link.ask({ do: "share", as }, true); if (r.what === "refused") this.tell(r.text); };
    $("share-page").onclick = async () => {
      $("share-page").disabled = true;
      const r = await this.link.ask({ do: "share", as: "page", sliders: [...$("share-sliders").querySelectorAll("input:checked")].map((i) => i.value) }, true);
      $("share-page").disabled = false;
      if (r.what === "refused") this.tell(r.text);
    };
    $("view-button").onclick = () => $("shown").showModal();
    $("show-grid").onchange = () => { this.paper.grid = $("show-grid").checked; this.draw(); };
    $("show-names").onchange = () => { this.paper.names = $("show-names").checked; this.draw(); };
    $("show-lengths").onchange = () => { this.paper.lengths = $("show-lengths").checked; this.draw(); };
    $("show-forces").onchange = () => this.setForces($("show-forces").checked);
    $("traces-clear").onclick = () => { this.traces = []; this.draw(); };
    $("picture").onchange = async () => {
      const file = $("picture").files[0];
      if (!file) return;
      const image = await createImageBitmap(file).catch(() => null);
      if (!image) return this.tell("This picture cannot be read.");
      this.paper.picture = { image };
      this.placePicture();
    };
    for (const id of ["picture-wide", "picture-x", "picture-y", "picture-opacity"]) $(id).oninput = () => this.placePicture();
    $("variant").onclick = () => { this.kept.push(this.scene); this.panels.before = this.panels.data; $("variant-clear").disabled = false; this.tell("Kept: it is drawn faintly under what follows, and dashed in the plots."); this.draw(); };
    $("variant-clear").onclick = () => { this.kept = []; this.panels.before = null; this.panels.stale = true; $("variant-clear").disabled = true; this.draw(); };
    $("kept").lastElementChild.onclick = () => this.release(true);
    $("name-close").onclick = () => $("name").close();
    $("name-form").onsubmit = (e) => { e.preventDefault(); this.saveNamed({}); };
    addEventListener("pointerup", () => { if (document.activeElement?.matches("header button, footer button, footer select, #tools button, input[type=range]")) document.activeElement.blur(); });
  }

  async saveNamed(more) {
    const r = await this.link.ask({ do: "save", file: $("name-text").value.trim(), ...more }, true), note = $("name").querySelector(".wrong");
    note.hidden = true;
    if (r.what === "exists") { if (confirm(`${r.file} is there already: replace it?`)) this.saveNamed({ ...more, replace: true }); }
    else if (r.what === "loses") { if (confirm(`A file holds no code: ${r.names.join(", ")} would be left out, with what refers to them. Save without?`)) this.saveNamed({ ...more, anyway: true }); }
    else if (r.what === "refused") { note.textContent = r.text; note.hidden = false; } else $("name").close();
  }

  setForces(on) { this.arrowsShown = on; $("show-forces").checked = on; this.wish().then(() => this.help.look()); }

  placePicture() {
    if (!this.paper.picture) return;
    Object.assign(this.paper.picture, { wide: +$("picture-wide").value || 1, x: +$("picture-x").value, y: +$("picture-y").value, opacity: +$("picture-opacity").value });
    this.draw();
  }

  async openDialog() {
    $("open").showModal();
    $("open-find").value = "";
    this.fillOpen();
    await this.link.ask({ do: "files" }, true);
    this.fillOpen();
  }

  fillOpen() {
    const words = $("open-find").value.toLowerCase().split(/\s+/).filter(Boolean), hit = (text) => words.every((w) => text.toLowerCase().includes(w));
    const row = (title, note, what) => el("button", { onclick: () => this.leave() && this.open(what) }, el("b", { textContent: title }), el("span", { textContent: note }));
    const files = (this.files ?? []).filter(hit), known = (this.catalogue ?? []).filter((c) => hit(`${c.name} ${c.title} ${c.tags.join(" ")}`));
    $("open-list").replaceChildren(...(files.length ? [el("h3", { textContent: "In this folder" }), ...files.map((f) => row(f, "", { file: f }))] : []), el("h3", { textContent: "Catalogue" }), ...known.map((c) => row(c.title, `${c.name} · ${c.tags.join(", ")}`, { catalogue: c.name })));
  }

  shareDialog() {
    const numbers = Object.entries(this.doc.plain.parameters ?? {}).filter(([, v]) => typeof v === "number");
    $("share-sliders").replaceChildren(...numbers.map(([n], k) => el("label", {}, el("input", { type: "checkbox", value: n, checked: k < 3 }), el("span", { textContent: n }))), ...(numbers.length ? [] : [el("p", { class: "empty", textContent: "There are no parameters: the page shows the motion without sliders." })]));
    $("share").showModal();
  }

  keys() {
    addEventListener("keydown", (e) => {
      const key = e.key.toLowerCase(), ctrl = e.ctrlKey || e.metaKey;
      if (document.querySelector("dialog[open]")) return;
      const field = e.target.matches?.("input:not([type=range]):not([type=checkbox]), textarea, select");
      if (ctrl && key === "s") { e.preventDefault(); return this.saveAs(); }
      if (field) { if (key === "escape") e.target.blur(); return; }
      if (ctrl && key === "z") { e.preventDefault(); return this.link.ask({ do: e.shiftKey ? "redo" : "undo" }); }
      if (ctrl && key === "y") { e.preventDefault(); return this.link.ask({ do: "redo" }); }
      if (ctrl && key === "d") { e.preventDefault(); return this.duplicate(false); }
      if (ctrl || e.altKey) return;
      const tool = this.flat && TOOLS.find((t) => t[1].toLowerCase() === key);
      if (tool) { this.tools.use(tool[0]); e.preventDefault(); return; }
      const acts = {
        e: () => this.space?.gizmo?.turn(),
        enter: () => this.tools.corners?.length && this.tools.finish(),
        " ": () => this.toggle(), t: () => this.setReal(!this.real), home: () => this.rest(), escape: () => { this.tools.use("select"); this.select(null); }, delete: () => this.remove(), backspace: () => this.remove(), "?": () => $("help").showModal(), "+": () => $("add-button").click(), m: () => this.duplicate(true),
        0: () => this.fit(), x: () => $("show-grid").click(), n: () => $("show-names").click(), r: () => this.setForces(!this.arrowsShown),
        arrowleft: () => { this.toggle(false); this.index = Math.max(0, Math.ceil(this.index - 1e-6) - 1); this.draw(); }, arrowright: () => { this.toggle(false); this.index = Math.min(this.scene.frames - 1, Math.floor(this.index + 1e-6) + 1); this.draw(); },
      };
      if (TABS[+key - 1]) return this.panels.show(TABS[+key - 1]);
      if (acts[key]) { e.preventDefault(); acts[key](); }
    });
  }
}

// The other side of a vertical line, x → −x: what is written in ground axes (slides, loads, speeds) and, with the angle turned to
// its negative, in body axes (shapes, centre of mass); what turns, turns the other way.  Places are put by the caller.
function mirrored(entry) {
  const across = (v) => { if (typeof v === "number") return -v || 0; if (typeof v === "string") return `-(${v})`; throw new Error(`${entry.name} holds a law that is no formula: mirror its body without it, and add it by its form.`); }, first = (v) => (Array.isArray(v) && v.length ? [across(v[0]), ...v.slice(1)] : v), out = { ...entry };
  const turning = entry.type === "torque";
  for (const key of ["axis", ...(turning ? [] : ["components"]), "velocity", "com", "on_i", "on_j"]) if (Array.isArray(out[key])) out[key] = first(out[key]);
  for (const key of ["angle", "omega", ...(turning ? ["components"] : [])]) if (key in out) out[key] = Array.isArray(out[key]) ? out[key].map(across) : across(out[key]);
  const shape = (s) => { if (s.rotation) throw new Error(`${entry.name} has a turned shape: it cannot be mirrored.`); return { ...s, ...(s.points ? { points: s.points.map(first).reverse() } : {}), ...(s.position ? { position: first(s.position) } : {}) }; };
  if (out.shape && typeof out.shape === "object") out.shape = shape(out.shape);
  if (Array.isArray(out.shapes)) out.shapes = out.shapes.map(shape);
  return out;
}

function interpolate(t, index) { const k = Math.min(Math.floor(index), t.length - 1), s = index - k; return s > 0 ? t[k] * (1 - s) + t[k + 1] * s : t[k]; }
function indexIn(t, time) {
  if (t.length < 2 || time <= t[0]) return 0;
  const step = (t[t.length - 1] - t[0]) / (t.length - 1);
  return Math.min(t.length - 1, (time - t[0]) / step);
}

globalThis.studio = new App();
