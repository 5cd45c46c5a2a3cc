// The studio: what the server tells, the view, and the parts that do the rest (player, hands, tools, panels, dialogs, help).
import { PALETTE } from "../src/world.js";
import { $, ICON, el, save, short } from "./dom.js";
import { Link } from "./link.js";
import { Names } from "./names.js";
import { Paper } from "./paper.js";
import { TOOLS, Tools } from "./tools.js";
import { Panels } from "./panels.js";
import { Player } from "./player.js";
import { Hands } from "./hands.js";
import { Dialogs } from "./dialogs.js";
import { Turns } from "./turns.js";
import { Space } from "./space.js";
import { Help } from "./help.js";
import { aligned, copies } from "./copies.js";
import { fillNames } from "./forms.js";
import { listen } from "./keys.js";

class App {
  constructor() {
    Object.assign(this, { selected: new Set(), locked: new Set(), traces: [], forms: [], plotted: [], kept: [], arrowsShown: false, mobility: null, drawnAt: 0 });
    this.turns = new Turns(this);
    this.player = new Player(this);
    this.hands = new Hands(this);
    this.paper = new Paper(this, $("paper"));
    this.tools = new Tools(this);
    this.panels = new Panels(this);
    this.dialogs = new Dialogs(this);
    this.help = new Help(this);
    this.setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    this.controls();
    listen(this);
    new ResizeObserver(() => this.resized()).observe($("view"));
    this.link = new Link({ got: (reply) => this.got(reply), lost: (text) => this.lost(text), slow: (on) => this.slow(on) });
    this.ready = this.link.ready.then(() => this.link.ask({ do: "hello" })).then(() => { this.fit(); return true; });
  }

  // ------------------------------------------------------------------------------------------ from the server
  got(reply) {
    if (reply.what === "forms") { this.forms = reply.forms; this.catalogue = reply.catalogue; this.files = reply.files; }
    else if (reply.what === "files") this.files = reply.files;
    else if (reply.what === "document") this.takeDocument(reply);
    else if (reply.what === "scene") this.takeScene(reply);
    else if (reply.what === "judged" && reply.n === this.scene.n) this.judge(reply);
    else if (reply.what === "shared") save(reply.text, reply.file, reply.type);
    else if (reply.what === "refused" && !reply.n) this.owe(false);
  }

  lost(text) {
    this.owe(false);
    $("saved").textContent = "not connected";
    $("saved").className = "bad";
    this.tell(text, true);
  }

  // A reply that takes long: on a machine that has no compiled kernels yet it may be a minute.  What was told since then stays.
  slow(on) {
    const text = "Computing … The first time on a machine its kernels are compiled: about a minute, the terminal tells.";
    if (on) this.tell(text, true);
    else if ($("toast").textContent === text) $("toast").hidden = true;
  }

  takeDocument(doc) {
    this.doc = doc;
    this.owe(doc.owed);
    this.names = new Names(doc.plain);
    $("file-name").textContent = doc.file ?? doc.name;
    document.title = `${doc.file ?? doc.name} · studio`;
    $("saved").textContent = doc.trouble ? "not saved" : doc.saved ? "saved" : "not saved";
    $("saved").className = doc.trouble ? "bad" : doc.saved ? "good" : "";
    $("saved").title = doc.trouble || (doc.saved ? "The file on the disk says what is here." : doc.file ? "The file on the disk does not say this (yet): the next change writes it." : "This model has no file yet: Save gives it one.");
    $("undo").disabled = !doc.undo; $("redo").disabled = !doc.redo;
    $("undo").title = `Undo ${doc.undo_label} (Ctrl Z)`; $("redo").title = `Redo ${doc.redo_label} (Ctrl Shift Z)`;
    this.docNotes = [doc.trouble, doc.complaint && `${doc.complaint.line ? `Line ${doc.complaint.line}: ` : ""}${doc.complaint.text}`, doc.note, doc.code.length && `Laws in Python: ${doc.code.join(", ")} (shown, not changed here; a file cannot hold them)`, doc.rewritten && "The file was written anew: comments in it are lost."].filter(Boolean);
    this.notes();
    $("until").value = doc.until;
    for (const name of [...this.selected]) if (!this.names.find(name)) this.selected.delete(name);
    this.flat = doc.dim === 2;
    $("paper").hidden = $("tools").hidden = !this.flat;
    $("space").hidden = this.flat;
    if (!this.flat && !this.space) {
      try { this.space = new Space(this, $("space")); } catch { this.docNotes.push("This browser shows no models in space: it has no WebGL, or it is switched off."); this.notes(); }
    }
    fillNames(this);
    this.panels.takeDocument();
  }

  notes(more = "") {
    const all = [...(this.docNotes ?? []), more].filter(Boolean);
    $("notes").hidden = !all.length;
    $("notes").replaceChildren(...all.map((n) => el("p", { textContent: n })));
  }

  // A scene of a moving slider has no judgement yet: it comes on its own, and what was judged before stays, faintly.
  takeScene(scene) {
    const { player } = this, t = player.time ?? 0, judged = Boolean(scene.mobility);
    if (!judged) Object.assign(scene, { mobility: this.mobility, check: this.scene?.check, certificate: this.scene?.certificate, verdict: this.scene?.verdict });
    this.scene = scene;
    scene.frames = scene.block.t.length;
    this.drawing = scene.drawing ?? null;
    this.owe(false);
    if (!player.real) this.dragged = this.reach = null;
    if (!this.flat && scene.scene) this.space?.take(scene);
    player.index = player.indexAt(Math.min(t, player.end));
    this.notes(scene.note);
    if (judged) this.judge(scene); else $("verdict").classList.add("old");
    this.panels.plots.take(scene);
    this.draw();
    this.panels.answers.changed(Boolean(this.hands.values));
    this.help.look();
  }

  // Mobility, check and certificate of the scene that is shown.
  judge({ mobility, check, certificate, verdict, note }) {
    Object.assign(this.scene, { mobility, check, certificate, verdict, note });
    this.mobility = mobility;
    $("verdict").textContent = verdict; $("verdict").className = verdict;
    this.notes(note);
    this.sayMobility();
    if (this.flat) this.dirty(); // a joint may light up
  }

  sayMobility() {
    const m = this.mobility, box = $("mobility"), bodies = this.scene.names.length;
    box.textContent = !bodies ? "empty" : `${m.dof} degree${m.dof === 1 ? "" : "s"} of freedom${m.redundant.length ? ` · ${m.redundant.length} redundant` : ""}${m.drives.length ? ` · driven` : ""}`;
    box.className = !m.assembled ? "bad" : m.redundant.length || m.singular ? "doubt" : "";
    box.title = m.said.join("\n");
    if (!this.player.real) $("hint").textContent = this.tools.name === "select" || !this.flat ? m.said.join(" ") : TOOLS.find((x) => x[0] === this.tools.name)[3];
    for (const row of $("tree").querySelectorAll(".part")) row.classList.toggle("bad", m.redundant.includes(row.dataset.name));
  }

  // ------------------------------------------------------------------------------------------ the view
  dirty() {
    if (this.waiting || this.player.playing) return;
    this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.draw(); });
  }

  draw() {
    if (!this.scene) return;
    const { player } = this;
    this.ghosts = this.kept.map((v, k) => ({ drawing: v.drawing, poses: v.drawing && player.posesAt(player.indexAt(player.time, v.block.t), v), colour: PALETTE[(k + 4) % PALETTE.length] }));
    if (this.flat) { this.paper.draw(); this.drawnAt = performance.now(); } else this.space?.draw(player.index);
    const t = this.scene.block.t, span = player.end - t[0], at = span ? (1000 * (player.time - t[0])) / span : 0;
    $("clock").textContent = player.real ? `${player.real.t.toFixed(2)} s, real time` : `${player.time.toFixed(3)} / ${short(player.end)} s`;
    if (Math.abs(+$("scrub").value - at) > 0.4) $("scrub").value = at;
    this.panels.plots.at(player.time);
  }

  fit() { if (this.flat) this.paper.fit(); else this.space?.fit(); this.draw(); }

  // A window of another size has its drawing fitted, or in its middle; a note that comes or goes leaves it where it is.
  resized() {
    const size = `${innerWidth} × ${innerHeight}`, other = this.size && this.size !== size;
    this.size = size;
    this.space?.resize();
    const { paper, tools } = this, fits = !paper.touched && !tools.press && this.scene?.names.length && tools.name === "select";
    if (this.flat && other) { if (fits) paper.fit(); else paper.follow(); } else paper.middle = paper.middleNow();
    this.draw();
  }

  setTheme(name) {
    this.dark = name === "dark";
    document.documentElement.dataset.theme = name;
    this.space?.world?.theme(this.dark);
    this.panels?.plots.redraw();
    this.dirty();
  }

  setForces(on) { this.arrowsShown = on; $("show-forces").checked = on; this.wish().then(() => this.help.look()); }

  tell(text, stay) {
    $("toast").textContent = text;
    $("toast").hidden = false;
    clearTimeout(this.told);
    if (!stay) this.told = setTimeout(() => { $("toast").hidden = true; }, 4500 + 25 * text.length);
  }

  tip(x, y) {
    const name = this.paper.elementAt(x, y) ?? this.drawing?.bodies[this.paper.bodyAt(x, y)]?.name, e = name && this.names.find(name);
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
    $("kept").hidden = true; // a pose that was only shown is put away with the tool
    this.dirty();
  }

  // ------------------------------------------------------------------------------------------ edits
  // Operations on the document; what they made is selected.
  edit(ops, label, ...made) {
    return this.change({ do: "edit", ops, label }, (reply) => {
      if (reply.what === "refused") this.tell(reply.text);
      else made.forEach((name, k) => this.select(name, k > 0));
    });
  }

  // A message that changes the document; until its reply is there, and what follows from it is done, the page is not settled.
  change(message, then) {
    const asked = (this.editing = (async () => {
      const reply = await this.link.ask(message);
      try { then?.(reply); } finally { if (this.editing === asked) this.editing = null; }
      return reply;
    })());
    return asked;
  }

  // The picture of the document was left out for a newer one's: it comes on its own.
  owe(on) {
    if (on) this.owed ??= new Promise((done) => { this.paid = done; });
    else if (this.owed) { this.owed = null; this.paid(); }
  }

  // Whether the drawing shows the document, and what to wait for until it may.
  get settled() { return !this.editing && !this.owed; }
  get settling() { return this.editing ?? this.owed; }

  select(name, more) {
    if (!more) this.selected.clear();
    if (name) { if (more && this.selected.has(name)) this.selected.delete(name); else this.selected.add(name); }
    if (!name) { $("kept").hidden = true; if (this.dragged && !this.player.real) this.dragged = null; }
    for (const row of $("tree").querySelectorAll(".part")) row.setAttribute("aria-selected", this.selected.has(row.dataset.name));
    if (this.doc) this.panels.fillPart();
    this.dirty();
  }

  entry(name) { return this.names.find(name)?.entry; }
  usesLengths() { return (this.doc.plain.joint ?? []).some((j) => "on_i" in j || "on_j" in j); }

  // Keys and buttons, after the strokes that wait.
  remove() {
    return this.turns.take(() => {
      const names = [...this.selected], gone = new Set(names.flatMap((n) => this.names.users(n)));
      return names.length ? this.edit(names.filter((n) => !gone.has(n)).map((name) => ({ op: "remove", name })), `delete ${names.join(", ")}`) : null;
    });
  }

  duplicate(mirror) { return this.turns.take(() => this.copy(mirror)); }

  copy(mirror) {
    const bodies = [...this.selected].filter((n) => this.doc.plain.body?.some((b) => b.name === n));
    if (!bodies.length) return this.tell("Select one or more bodies first (Ctrl-click adds).");
    if (!this.flat) return this.tell("Copies are made in the plane; in space add a body by its form.");
    let found;
    try { found = copies(this.names, bodies, mirror, 5 * this.paper.spacing); } catch (error) { return this.tell(error.message); }
    return this.edit(found.ops, mirror ? "mirror" : "duplicate", ...found.made);
  }

  // A link made level or upright: its second end goes there, with all that is drawn at it.
  align(name, upright) {
    return this.turns.take(() => {
      const e = this.entry(name), to = aligned(e, upright);
      if (!to) return this.tell("Only links drawn from end to end, in numbers, can be aligned.");
      this.player.rest();
      return this.tools.reshape(e.end, to);
    });
  }

  // A weld to the ground, at the place of the body now; a pin or slide to the ground that nothing refers to has no more to do.
  holdFast(name) { return this.turns.take(() => this.weld(name)); }

  weld(name) {
    const idle = (this.doc.plain.joint ?? []).filter((j) => j.between?.includes("ground") && j.between.includes(name) && !this.names.users(j.name).length).map((j) => ({ op: "remove", name: j.name }));
    const weld = this.names.fresh("weld"), at = this.flat ? this.paper.ground(this.scene.names.indexOf(name), [0, 0], this.player.posesAt(0)).map((x) => Math.round(x * 1e9) / 1e9 || 0) : this.entry(name).position;
    return this.edit([...idle, { op: "add", section: "joint", entry: { type: "weld", name: weld, between: ["ground", name], ...(at ? { at } : {}) } }], `hold ${name}`, weld);
  }

  lock(name) { if (this.locked.has(name)) this.locked.delete(name); else this.locked.add(name); this.panels.fillPart(); this.dirty(); }

  plot(names) { this.plotted = names; return this.wish(); }
  wish() { return this.hands.push("wish", { do: "wish", until: +$("until").value, plotted: this.plotted, kind: $("kind").value, forces: this.arrowsShown }, false, (r) => { if (r.what === "refused") this.tell(r.text); }); }

  // Another document, after the strokes that wait: they belong to this one.
  open(what) {
    $("open").close();
    return this.turns.take(() => this.turnTo(what));
  }

  turnTo(what) {
    this.selected.clear(); this.locked.clear();
    Object.assign(this, { traces: [], kept: [], plotted: [], vectors: null });
    $("kept").hidden = true;
    this.player.setReal(false);
    this.player.index = 0;
    this.panels.opened();
    this.hideTip();
    return this.change({ do: "open", ...what }, (r) => {
      if (r.what === "refused") { this.tell(r.text); return; }
      $("kind").value = "simulate";
      this.fit();
    });
  }

  // ------------------------------------------------------------------------------------------ buttons
  controls() {
    const { player } = this;
    $("tools").append(...TOOLS.map(([name, key, title]) => el("button", { "data-tool": name, title: `${title} (${key})`, "aria-label": title, "aria-pressed": name === "select", innerHTML: ICON[name], onclick: () => this.tools.use(name) })));
    for (const [id, icon] of [["undo", "undo"], ["redo", "redo"], ["play", "play"], ["start", "start"], ["theme", "theme"], ["add-button", "plus"]]) $(id).innerHTML = ICON[icon];
    for (const what of ["undo", "redo"]) $(what).onclick = () => this.turns.take(() => this.change({ do: what }));
    $("play").onclick = () => player.toggle();
    $("real").onclick = () => player.setReal(!player.real);
    $("start").onclick = () => player.rest();
    $("scrub").oninput = () => { const t = player.times; player.seek(t[0] + ((player.end - t[0]) * +$("scrub").value) / 1000, true); };
    $("speed").onchange = () => { player.rate = +$("speed").value; };
    $("until").onchange = $("kind").onchange = () => this.wish();
    $("theme").onclick = () => this.setTheme(this.dark ? "light" : "dark");
    $("kept").lastElementChild.onclick = () => this.hands.release({ anyway: true });
    addEventListener("pointerup", () => { if (document.activeElement?.matches("header button, footer button, main button, main summary, footer select, input[type=range]")) document.activeElement.blur(); });
  }
}

globalThis.studio = new App();
