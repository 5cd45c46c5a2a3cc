// Drawing by mouse: each tool says what a press, a move and a release mean; what they make are edits of the document.
import { short } from "./dom.js";

const close = (a, b, eps = 1e-7) => Math.hypot(a[0] - b[0], a[1] - b[1]) < eps;
const tidy = (p) => p.map((x) => Math.round(x * 1e9) / 1e9 || 0);

// The point of a line nearest to a place, between its ends.
function onto(p, a, b) {
  const d = [b[0] - a[0], b[1] - a[1]], s = ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1]), t = Math.max(0, Math.min(1, s));
  return [a[0] + t * d[0], a[1] + t * d[1]];
}

export const TOOLS = [
  ["select", "V", "Select and move", "Drag a body: the mechanism follows its joints. Shift-drag a joint or corner: change lengths. Drag the paper to move it."],
  ["link", "L", "Link", "Click its two ends. Ends on other parts are joined by pins."],
  ["plate", "A", "Plate", "Click its corners, the first one again (or Enter) closes it: a link with three pins or more. Corners on other parts are joined by pins."],
  ["block", "B", "Sliding block", "Press where it sits, on a link's end for example, and drag along its slide (a click: horizontal)."],
  ["wheel", "W", "Wheel", "Press at its centre, drag its radius. On a joint or a link's end it is pinned there; inside another wheel it is not."],
  ["gear", "Y", "Gear", "Click two wheels: their teeth mesh (inside each other: a ring gear; on a common arm: a planet). First support their centres, or draw the arm that carries them."],
  ["ground", "G", "Support", "Click a link's end: a pin to the ground. To hold a part fast select it and press the anchor in the tab Part."],
  ["pin", "P", "Pin", "Click where parts lie over each other: they turn about this place (wheels about their centres)."],
  ["slot", "O", "Pin in slot", "Click an end of a part that lies over a long link: it slides and turns in a slot along that link."],
  ["slide", "S", "Slide", "Press on a part and drag: it slides along that direction on the ground and cannot turn. For a pin that slides use Sliding block (B)."],
  ["cylinder", "H", "Cylinder", "Click its two ends, on parts or on the paper: a barrel and a rod that slides in it (hydraulics). A click with Drive (D) on its middle moves it."],
  ["spring", "K", "Spring", "Click its two ends, on parts or on the paper (ground)."],
  ["force", "F", "Force", "Press on a part and drag the force."],
  ["drive", "D", "Drive", "Click a joint: it follows a law of time."],
  ["trace", "C", "Trace", "Click a point of a part: its path is drawn (a coupler curve)."],
];

export class Tools {
  constructor(app) {
    Object.assign(this, { app, paper: app.paper, name: "select", first: null, at: null, press: null });
    const c = app.paper.canvas;
    c.addEventListener("pointerdown", (e) => this.down(e));
    c.addEventListener("pointermove", (e) => this.move(e));
    c.addEventListener("pointerup", (e) => this.up(e));
    c.addEventListener("pointerleave", () => app.hideTip());
    c.addEventListener("pointercancel", () => this.cancel());
    c.addEventListener("wheel", (e) => { e.preventDefault(); const r = c.getBoundingClientRect(); this.paper.zoom(Math.exp(-0.0015 * e.deltaY), e.clientX - r.left, e.clientY - r.top); }, { passive: false });
    c.addEventListener("contextmenu", (e) => e.preventDefault());
  }

  use(name) {
    this.cancel();
    this.name = name;
    this.app.toolChanged();
  }

  // What is begun is left; strokes that wait were made before, and are drawn before.
  cancel() {
    if (this.press) this.press.left = true;
    this.press = this.app.dragged = this.app.reach = null;
    this.app.hands.grabbed = -1; // a pull that is on its way is shown no more
    this.app.turns.take(() => { Object.assign(this, { corners: [], mate: null, first: null }); this.app.dirty(); });
  }

  place(e) {
    const r = this.paper.canvas.getBoundingClientRect();
    return [e.clientX - r.left, e.clientY - r.top];
  }

  // What is under the mouse: a place to snap to, or a point of a body; of a link on its line.
  hit(x, y, options) {
    const { paper } = this, s = paper.snap(x, y, options), k = s.snapped ? -1 : paper.bodyAt(x, y);
    if (k < 0) return s;
    const b = this.app.drawing.bodies[k], [a, c] = paper.outline(b).map((p) => paper.ground(k, p)), at = !b.rings.length && paper.outline(b).length === 2 ? onto(s.at, a, c) : s.at;
    return { ...s, at, body: k, inside: true };
  }

  // The part that something new is joined to at a place: the ground where a support is, else the body there.
  partner(hit) {
    const { drawing } = this.app;
    if (hit.element) {
      const e = drawing.elements.find((x) => x.name === hit.element);
      if (e?.section === "joint" && e.ends.some((end) => end.body < 0) && e.type !== "prismatic") return "ground";
      const b = e?.ends.map((end) => end.body).filter((k) => k >= 0).pop();
      if (b !== undefined) return drawing.bodies[b].name;
    }
    return hit.body >= 0 ? drawing.bodies[hit.body].name : null;
  }

  down(e) {
    const [x, y] = this.place(e), { app } = this;
    app.hideTip();
    this.paper.canvas.focus();
    this.paper.canvas.setPointerCapture(e.pointerId);
    if (e.button !== 0 || e.altKey) { this.press = { pan: this.paper.toPaper(x, y) }; return; }
    if (this.name !== "select") app.player.rest();
    if (this.name === "select") return this.selectDown(e, x, y);
    if (["block", "wheel", "slide", "force"].includes(this.name)) { const hit = this.hit(x, y); this.press = { hit, from: this.paper.toPaper(x, y) }; this.at = hit.at; app.dirty(); return; }
    this.click(x, y);
  }

  move(e) {
    const [x, y] = this.place(e), { app, paper, press } = this;
    if (press?.pan) { paper.carry(press.pan, x, y); return; }
    if (press?.grab && app.player.real) { app.player.real.pull = { ...app.player.real.held, to: paper.toPaper(x, y) }; return; }
    if (press?.grab) { this.drag(press, x, y); return; }
    if (press?.reshape) { this.at = paper.snap(x, y).at; app.dirty(); return; }
    const hit = this.hit(x, y);
    this.hover = hit;
    this.at = hit.at;
    if (this.name === "select") { paper.canvas.style.cursor = paper.bodyAt(x, y) >= 0 || paper.elementAt(x, y) ? "grab" : "default"; app.tip(x, y); } else paper.canvas.style.cursor = "crosshair";
    if (this.name !== "select") app.dirty();
  }

  // A body is grabbed when the mouse moves (a click selects it, at the moment that is shown), in its turn: until then the newest
  // place is kept.
  drag(press, x, y) {
    const { app, paper } = this;
    press.to = paper.toPaper(x, y);
    if (press.held) { app.hands.pull(press.to); return; }
    if (press.moved || this.pixels(press.from, x, y) <= 3) return;
    press.moved = true;
    app.turns.take(() => {
      const k = press.left ? -1 : paper.bodyUnder(...paper.toScreen(press.from));
      if (k < 0) return;
      press.held = true;
      app.hands.grab(k, paper.local(k, press.from));
      app.hands.pull(press.to);
    });
  }

  // How far a place of the paper is from one of the screen.
  pixels(place, x, y) { const [sx, sy] = this.paper.toScreen(place); return Math.hypot(x - sx, y - sy); }

  up(e) {
    const [x, y] = this.place(e), { app, press } = this;
    this.press = null;
    if (!press || press.pan) return;
    if (press.grab && app.player.real) { app.player.real.pull = null; return; }
    if (press.grab) { if (press.moved) app.hands.release({ press }); return; }
    const { at } = this;
    if (press.reshape) { app.turns.take(() => this.reshape(press.reshape, at)); return; }
    const { paper, name } = this, far = this.pixels(press.from, x, y) > 6, to = paper.toPaper(x, y);
    app.turns.take(() => { // what lies there now, not when it was pressed: a reply may have come between
      app.dirty();
      return this[name](this.hit(...paper.toScreen(press.from)), far ? paper.snap(...paper.toScreen(to)).at : null);
    });
  }

  selectDown(e, x, y) {
    const { app, paper } = this, element = paper.elementAt(x, y), body = paper.bodyAt(x, y);
    const snap = paper.snap(x, y);
    if (e.shiftKey && snap.snapped && !e.ctrlKey) {
      app.player.rest();
      this.press = { reshape: snap.at };
      this.at = snap.at;
      return;
    }
    const name = element ?? (body >= 0 ? app.drawing.bodies[body].name : null);
    if (!name) { if (!e.ctrlKey) app.select(null); this.press = { pan: paper.toPaper(x, y) }; return; }
    app.select(name, e.ctrlKey || e.metaKey);
    const k = paper.bodyUnder(x, y);
    if (k < 0 || app.locked.has(app.drawing.bodies[k].name)) return;
    this.press = { grab: true, from: paper.toPaper(x, y) };
    if (app.player.real) { app.player.real.held = { body: app.drawing.bodies[k].name, local: paper.local(k, paper.toPaper(x, y)) }; app.player.real.pull = { ...app.player.real.held, to: paper.toPaper(x, y) }; }
  }

  // ------------------------------------------------------------------------------------------ clicks
  click(x, y) {
    const { app, paper, name } = this, place = paper.toPaper(x, y);
    app.turns.take(() => {
      const [sx, sy] = paper.toScreen(place), now = this.hit(sx, sy), from = this.first;
      if (!["link", "spring", "cylinder"].includes(name)) return this[name](now, null, sx, sy);
      this.first = from ? null : now;
      if (!from) return app.dirty();
      if (close(from.at, now.at)) return app.tell("The two ends are the same point: click the second one elsewhere.");
      return this[`${name}Between`](from, now);
    });
  }

  // Two wheels mesh; where one link carries both, it is their carrier.
  gear(hit, _, x, y) {
    const { app, paper } = this, k = hit.body >= 0 ? hit.body : paper.bodyAt(x, y), round = (n) => this.radius(n);
    const near = app.drawing.bodies.map((b, n) => n).filter((n) => round(app.drawing.bodies[n].name) && paper.away(app.drawing.bodies[n], n, paper.toPaper(x, y)) * paper.scale < 9).sort((a, b) => paper.extent(a) - paper.extent(b));
    const name = app.drawing.bodies[near[0] ?? k]?.name;
    if (!name || round(name) === undefined) return app.tell("Click on a wheel (a body with a cylinder).");
    if (!this.mate || this.mate === name) { this.mate = name; app.select(name); return app.tell(`${name} meshes with … click the other wheel.`); }
    const pair = [this.mate, name], radii = pair.map(round), [p, q] = pair.map((n) => paper.ground(app.drawing.bodies.findIndex((o) => o.name === n), [0, 0])), around = [this.pinnedAt(pair[0], p), this.pinnedAt(pair[1], q)];
    this.mate = null;
    const carrier = around[0].find((n) => n !== "ground" && !pair.includes(n) && around[1].includes(n)), mesh = app.names.fresh("mesh"), loose = pair.find((n, k) => !around[k].includes("ground"));
    if (!carrier && loose) return app.tell(`The centre of ${loose} is not held: support it (G), or draw the arm that carries both wheels (L, from centre to centre), then mesh them.`);
    const away = Math.hypot(p[0] - q[0], p[1] - q[1]), numbers = radii.every((r) => typeof r === "number"), inner = numbers && away < Math.max(...radii);
    const meant = inner ? Math.abs(radii[0] - radii[1]) : radii[0] + radii[1];
    if (numbers && Math.abs(away - meant) > 0.1 * Math.min(...radii)) return app.tell(`${pair.join(" and ")} do not touch: their centres are ${+away.toPrecision(3)} m apart, their radii ask for ${+meant.toPrecision(3)} m. Change a radius or a place first; a chain or a belt is added with + (Gear, kind).`);
    const entry = { type: carrier ? "gear_on_carrier" : "gear", name: mesh, between: pair, ...(carrier ? { carrier } : {}), radii, ...(inner ? { kind: "internal" } : {}) };
    return app.edit([{ op: "add", section: "constraint", entry }], `mesh ${mesh}`, mesh);
  }

  // Of a wheel; undefined: it is none.
  radius(name) { const e = this.app.entry(name); return (e?.shapes ?? [e?.shape]).flat().find((s) => s?.type === "cylinder")?.radius; }

  // All that turns about one place with a body: pins there, one on the other (wheels and an arm about a common centre).
  pinnedAt(name, place) {
    const { app, paper } = this, size = 1e-6 * (app.drawing.size || 1), names = (o) => o.ends.map((end) => (end.body < 0 ? "ground" : app.drawing.bodies[end.body].name));
    const pins = app.drawing.elements.filter((o) => o.type === "revolute" && o.ends?.some((end) => close(paper.ground(end.body, end.local), place, size))).map(names), found = new Set([name]);
    for (let before = 0; before < found.size; ) { before = found.size; for (const two of pins) if (two.some((n) => found.has(n))) two.forEach((n) => found.add(n)); }
    return [...found];
  }

  plate(hit) {
    const { app, corners } = this;
    if (corners.length > 2 && close(corners[0].at, hit.at)) return this.finish();
    if (corners.some((c) => close(c.at, hit.at))) return app.tell("This corner is there already.");
    corners.push(hit);
    app.dirty();
  }

  // The plate is complete.
  finish() {
    const { app } = this, corners = this.corners;
    if (corners.length < 3) return app.tell("A plate has three corners or more.");
    this.corners = [];
    const name = app.names.fresh("plate"), places = corners.map((c) => tidy(c.at)), centre = tidy([0, 1].map((i) => places.reduce((s, p) => s + p[i], 0) / places.length));
    const points = places.map((p) => tidy([p[0] - centre[0], p[1] - centre[1]])).sort((p, q) => Math.atan2(p[1], p[0]) - Math.atan2(q[1], q[0]));
    const ops = [{ op: "add", section: "body", entry: { name, mass: 1, position: centre, shape: { type: "polygon", points } } }], taken = [];
    corners.forEach((hit, k) => { const other = this.partner(hit); if (other) ops.push(this.pinned(other, name, places[k], taken)); });
    app.edit(ops, `draw ${name}`, name);
  }

  slot(hit) {
    const { app, paper } = this, { bodies } = app.drawing, pin = hit.body >= 0 ? hit.body : -1;
    const near = bodies.map((b, k) => k).filter((k) => k !== pin && paper.away(bodies[k], k, hit.at) * paper.scale < Math.max(10, 0.6 * paper.bar) && paper.outline(bodies[k]).length > 1);
    if (pin < 0 || !near.length) return app.tell("Click an end of one part where it lies over another, long one.");
    const o = paper.outline(bodies[near[0]]), [a, b] = [o[0], o[o.length > 2 ? Math.floor(o.length / 2) : 1]].map((p) => paper.ground(near[0], p)), size = Math.hypot(b[0] - a[0], b[1] - a[1]), name = app.names.fresh("slot");
    app.edit([{ op: "add", section: "joint", entry: { type: "pin_in_slot", name, between: [bodies[near[0]].name, bodies[pin].name], at: tidy(hit.at), axis: tidy([(b[0] - a[0]) / size, (b[1] - a[1]) / size]) } }], `slot ${name}`, name);
  }

  linkBetween(a, b) {
    const { app } = this, name = app.names.fresh("link"), [p, q] = [tidy(a.at), tidy(b.at)];
    const ops = [{ op: "add", section: "body", entry: { name, mass: 1, start: p, end: q } }], taken = [];
    for (const [hit, at] of [[a, p], [b, q]]) {
      const other = this.partner(hit);
      if (other) ops.push(this.pinned(other, name, at, taken));
    }
    app.edit(ops, `draw ${name}`, name);
  }

  pinned(i, j, at, taken = []) {
    const name = this.app.names.letter(taken);
    taken.push(name);
    return { op: "add", section: "joint", entry: { type: "revolute", name, between: [i, j], at: tidy(at) } };
  }

  springBetween(a, b) {
    const { app } = this, name = app.names.fresh("spring"), [i, j] = [this.partner(a) ?? "ground", this.partner(b) ?? "ground"];
    if (i === j) return app.tell("A spring needs two different parts (or a part and the ground).");
    app.edit([{ op: "add", section: "force", entry: { type: "spring", name, between: [i, j], at_i: tidy(a.at), at_j: tidy(b.at), stiffness: 100, damping: 1 } }], `draw ${name}`, name);
  }

  // Barrel and rod on one line, the slide in its middle; the ends are pinned to what is there, or to the ground.
  cylinderBetween(a, b) {
    const { app } = this, name = app.names.fresh("cylinder"), [p, q] = [tidy(a.at), tidy(b.at)], along = (s) => tidy([p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])]), l = Math.hypot(q[0] - p[0], q[1] - p[1]), taken = [];
    const bodies = [["barrel", p, along(0.6), 0.03], ["rod", along(0.4), q, 0.015]].map(([part, start, end, r]) => ({ name: app.names.fresh(part), mass: 1, start, end, radius: +(r * l).toPrecision(3) }));
    const ops = bodies.map((entry) => ({ op: "add", section: "body", entry }));
    ops.push({ op: "add", section: "joint", entry: { type: "prismatic", name, between: [bodies[0].name, bodies[1].name], at: along(0.5), axis: [(q[0] - p[0]) / l, (q[1] - p[1]) / l].map((x) => +x.toFixed(12)) } });
    for (const [hit, at, body] of [[a, p, bodies[0]], [b, q, bodies[1]]]) ops.push(this.pinned(this.partner(hit) ?? "ground", body.name, at, taken));
    return app.edit(ops, `draw ${name}`, name);
  }

  block(hit, to) {
    const { app } = this, name = app.names.fresh("block"), at = tidy(hit.at), other = this.partner(hit), taken = [], ops = [];
    ops.push({ op: "add", section: "body", entry: { name, mass: 1, inertia: 0.01, position: at } });
    if (other && other !== "ground") ops.push(this.pinned(other, name, at, taken));
    const axis = this.direction(at, to);
    ops.push({ op: "add", section: "joint", entry: { type: "prismatic", name: app.names.fresh("guide"), between: ["ground", name], at, axis } });
    app.edit(ops, `draw ${name}`, name);
  }

  // A direction, straight or at 15° steps.
  direction(from, to) {
    if (!to || close(from, to)) return [1, 0];
    const a = Math.round(Math.atan2(to[1] - from[1], to[0] - from[0]) / (Math.PI / 12)) * (Math.PI / 12);
    return [Math.cos(a), Math.sin(a)].map((x) => +x.toFixed(9) || 0);
  }

  wheel(hit, to) {
    const { app } = this, name = app.names.fresh("wheel"), at = tidy(hit.at), r = +(to ? Math.hypot(to[0] - at[0], to[1] - at[1]) : 2 * this.paper.spacing).toPrecision(6);
    const other = hit.inside && this.radius(app.drawing.bodies[hit.body].name) ? null : this.partner(hit); // a planet inside its ring is not pinned to it
    const ops = [{ op: "add", section: "body", entry: { name, mass: 1, inertia: +(0.5 * r * r).toPrecision(9), position: at, shapes: [{ type: "cylinder", radius: r, length: +(0.2 * r).toPrecision(6) }] } }];
    if (other) ops.push(this.pinned(other, name, at));
    app.edit(ops, `draw ${name}`, name);
  }

  ground(hit) {
    const { app } = this, name = this.app.names.letter(), k = hit.body ?? -1;
    const body = k >= 0 ? app.drawing.bodies[k].name : hit.element ? this.partner(hit) : null;
    if (!body || body === "ground") return app.tell("Click on a part: a support pins it to the ground there.");
    app.edit([{ op: "add", section: "joint", entry: { type: "revolute", name, between: ["ground", body], at: tidy(hit.at) } }], `support ${name}`, name);
  }

  // Joins all parts that lie here and do not turn about this place together yet; wheels by their centres.
  pin(hit) {
    const { app, paper } = this, { bodies } = app.drawing, here = (b, k) => paper.away(b, k, hit.at) * paper.scale < Math.max(10, 0.6 * paper.bar);
    const centred = (b, k) => this.radius(b.name) === undefined || close(paper.ground(k, [0, 0]), hit.at, 1e-6 * (app.drawing.size || 1));
    const all = bodies.filter(here), near = all.filter((b) => centred(b, bodies.indexOf(b))), parts = (near.length > 1 ? near : all).map((b) => b.name);
    if (parts.length < 2) return app.tell(parts.length ? "Only one part is here. G pins it to the ground; to join parts they must lie over each other." : "No part is here.");
    const ops = [], taken = [], joined = new Set(this.pinnedAt(parts[0], hit.at));
    for (const name of parts.slice(1)) {
      if (joined.has(name)) continue;
      ops.push(this.pinned(parts[0], name, hit.at, taken));
      for (const n of this.pinnedAt(name, hit.at)) if (n !== "ground") joined.add(n);
    }
    if (!ops.length) return app.tell(`${parts.join(", ")} are pinned here already.`);
    return app.edit(ops, `pin ${taken.join(", ")}`, taken[0]);
  }

  slide(hit, to) {
    const { app } = this, body = hit.body >= 0 ? app.drawing.bodies[hit.body].name : this.partner(hit);
    if (!body || body === "ground") return app.tell("Press on a part, and drag along its slide.");
    const name = app.names.fresh("guide");
    app.edit([{ op: "add", section: "joint", entry: { type: "prismatic", name, between: ["ground", body], at: tidy(hit.at), axis: this.direction(hit.at, to) } }], `slide ${name}`, name);
  }

  force(hit, to) {
    const { app } = this, body = hit.body >= 0 ? app.drawing.bodies[hit.body].name : this.partner(hit);
    if (!body || body === "ground") return app.tell("Press on a part, and drag the force.");
    const d = this.direction(hit.at, to ?? [hit.at[0], hit.at[1] - 1]), name = app.names.fresh("load");
    app.edit([{ op: "add", section: "force", entry: { name, body, components: d.map((x) => +(10 * x).toPrecision(6)), at: tidy(hit.at) } }], `load ${name}`, name);
  }

  drive(hit, _, x, y) {
    const { app, paper } = this, grounded = (o) => o.ends.some((end) => end.body < 0);
    const here = app.drawing.elements.filter((o) => o.section === "joint" && o.ends?.some((end) => { const s = paper.toScreen(paper.ground(end.body, end.local)); return Math.hypot(s[0] - x, s[1] - y) < 12; }));
    let joint = here.find(grounded) ?? here[0] ?? null; // of several at one place the one on the ground
    if (!joint) { // a block: its slide
      const k = this.paper.bodyAt(x, y);
      joint = app.drawing.elements.find((o) => o.section === "joint" && o.ends?.some((end) => end.body === k) && o.ends.some((end) => end.body < 0));
    }
    if (!joint) return app.tell("Click on a joint: the drive moves its coordinate.");
    const name = app.names.fresh("motor"), inner = !grounded(joint), s = this.stroke(joint), law = joint.type !== "prismatic" ? "2*pi*t" : inner ? `${s}*(1 - cos(2*pi*t))` : `${s}*sin(2*pi*t)`; // a cylinder goes out and back
    app.edit([{ op: "add", section: "drive", entry: { name, of: joint.name, law } }], `drive ${joint.name}`, name);
  }

  // How far a slide goes at first: 0.1 m to each side; a cylinder by a tenth of its length, out and back.
  stroke(joint) {
    if (!joint.ends || joint.ends.some((end) => end.body < 0)) return 0.1;
    const e = joint.ends.map((end) => this.app.entry(this.app.drawing.bodies[end.body].name));
    return e.every((x) => x?.start && x.end) ? +(0.05 * Math.hypot(...[0, 1].map((i) => e[1].end[i] - e[0].start[i]))).toPrecision(2) || 0.05 : 0.05;
  }

  trace(hit) {
    const { app } = this;
    if (!(hit.body >= 0)) return app.tell("Click on a point of a part.");
    app.traces.push({ body: app.drawing.bodies[hit.body].name, local: this.paper.local(hit.body, hit.at) });
    app.dirty();
  }

  // Everything that is drawn at a place goes to another: places of joints and springs, ends of links, blocks.
  reshape(from, at) {
    const { app } = this, to = tidy(at), ops = [];
    if (close(from, to)) return;
    let formulas = false;
    const size = 1e-6 * (app.drawing.size || 1);
    const here = (value) => Array.isArray(value) && value.every((x) => typeof x === "number") && close(value, from, size);
    for (const [section, entries] of Object.entries(app.doc.plain)) {
      if (!Array.isArray(entries) || ["initial", "gravity"].includes(section)) continue;
      for (const entry of entries) {
        for (const key of ["start", "end", "position", "at", "at_i", "at_j"]) {
          if (!(key in entry)) continue;
          if (here(entry[key])) ops.push({ op: "set", name: entry.name, key, value: to });
          else if (Array.isArray(entry[key]) && entry[key].some((x) => typeof x === "string")) formulas = true;
        }
      }
    }
    if (!ops.length) return app.tell(formulas || app.usesLengths() ? "This place follows from formulas or lengths: change them in the form of the part." : "Nothing is drawn at this place.");
    app.edit(ops, "move a point");
  }

  // What is being drawn.
  preview(ctx, paper) {
    const { at, first, press, name } = this;
    if (name !== "select" && at) {
      const [x, y] = paper.toScreen(at);
      ctx.strokeStyle = paper.accent; ctx.lineWidth = 1.5; ctx.beginPath(); ctx.arc(x, y, this.hover?.snapped || this.hover?.inside ? 9 : 3, 0, 7); ctx.stroke();
    }
    const path = [...(this.corners ?? []).map((c) => c.at), at];
    if (this.corners?.length && at) for (let k = 0; k + 1 < path.length; k++) { this.ghost(ctx, paper, path[k], path[k + 1], true); paper.dim(path[k], path[k + 1]); }
    if (first && at) { this.ghost(ctx, paper, first.at, at, name === "spring"); paper.dim(first.at, at); }
    if (press?.reshape && at) { this.ghost(ctx, paper, press.reshape, at, true); paper.dim(press.reshape, at); }
    if (press?.hit && at) {
      const from = press.hit.at;
      if (name === "wheel") { const [x, y] = paper.toScreen(from), r = Math.hypot(at[0] - from[0], at[1] - from[1]); ctx.strokeStyle = paper.accent; ctx.beginPath(); ctx.arc(x, y, r * paper.scale, 0, 7); ctx.stroke(); paper.dim(from, at, `r ${short(r)} m`); }
      else if (!close(from, at)) paper.arrow(paper.toScreen(from), [(at[0] - from[0]) * paper.scale, -(at[1] - from[1]) * paper.scale], paper.accent);
    }
    const pull = paper.app.player.real?.pull;
    if (pull) paper.coil(paper.toScreen(paper.ground(paper.app.scene.names.indexOf(pull.body), pull.local)), paper.toScreen(pull.to), paper.accent, false);
    if (paper.app.dragged && paper.app.reach) { ctx.strokeStyle = paper.accent; ctx.setLineDash([4, 4]); ctx.beginPath(); ctx.moveTo(...paper.toScreen(paper.app.reach[0])); ctx.lineTo(...paper.toScreen(paper.app.reach[1])); ctx.stroke(); ctx.setLineDash([]); }
  }

  ghost(ctx, paper, a, b, thin) {
    ctx.save();
    ctx.strokeStyle = paper.accent; ctx.globalAlpha = 0.5; ctx.lineCap = "round"; ctx.lineWidth = thin ? 2 : paper.bar;
    ctx.beginPath(); ctx.moveTo(...paper.toScreen(a)); ctx.lineTo(...paper.toScreen(b)); ctx.stroke();
    ctx.restore();
  }
}
