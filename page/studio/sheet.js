// The sheet of a plane model: metres and pixels, what lies where, places to snap to.  Metres on paper, y upwards.
//
// The paper lies in the window, not in the canvas: its origin is a place of the window, so what is under the mouse stays there when
// the canvas moves or changes its size (a note comes or goes above it).  "Screen" is measured from the canvas's corner, for drawing.

export class Sheet {
  constructor(app, canvas) {
    Object.assign(this, { app, canvas, grid: true });
    this.look([0.5, 0.25], 400);
  }

  // A place of the paper into the middle of the canvas.
  look(centre, scale) {
    const [x, y] = (this.middle = this.middleNow());
    Object.assign(this, { scale, origin: [x - centre[0] * scale, y + centre[1] * scale] });
  }

  middleNow() { const b = this.box; return [b.left + b.width / 2, b.top + b.height / 2]; }

  // The window has another size: what was in the middle is there again.
  follow() {
    const [x, y] = this.middleNow();
    this.origin = [this.origin[0] + x - this.middle[0], this.origin[1] + y - this.middle[1]];
    this.middle = [x, y];
  }

  get box() { return this.held ?? this.canvas.getBoundingClientRect(); } // held: while it is drawn

  get width() { return this.canvas.clientWidth; }
  get height() { return this.canvas.clientHeight; }
  toPaper(x, y) { const b = this.box; return [(b.left + x - this.origin[0]) / this.scale, (this.origin[1] - b.top - y) / this.scale]; }
  toScreen([x, y]) { const b = this.box; return [this.origin[0] - b.left + x * this.scale, this.origin[1] - b.top - y * this.scale]; }

  // The paper is moved until one of its places lies at a place of the screen.
  carry(place, x, y) {
    const [sx, sy] = this.toScreen(place);
    this.touched = true;
    this.origin = [this.origin[0] + x - sx, this.origin[1] + y - sy];
    this.app.dirty();
  }
  ground(body, local, poses = this.poses) {
    if (body < 0) return local;
    const [x, y, a] = poses[body], c = Math.cos(a), s = Math.sin(a);
    return [x + c * local[0] - s * local[1], y + s * local[0] + c * local[1]];
  }
  local(body, [px, py]) {
    if (body < 0) return [px, py];
    const [x, y, a] = this.poses[body], c = Math.cos(a), s = Math.sin(a);
    return [c * (px - x) + s * (py - y), -s * (px - x) + c * (py - y)];
  }
  get spacing() { // of the grid: 1, 2, 5 × 10ⁿ, at least 14 pixels
    const least = 14 / this.scale, p = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].map((k) => k * p).find((x) => x >= least - 1e-12);
  }

  // Poses of all bodies now: dragged, of the motion, or drawn.
  get poses() {
    const { app } = this;
    if (app.dragged) return app.dragged;
    return app.player.posesAt(app.player.index);
  }

  // The drawing and its motion in view; what flies away is not followed.
  fit() {
    const { app } = this, frames = app.scene?.frames ?? 1, drawn = bounds(this.points().map((p) => p.at)), found = bounds([]);
    const far = 2.5 * Math.max(drawn.high[0] - drawn.low[0], drawn.high[1] - drawn.low[1], 1e-3), middle = [0, 1].map((i) => (drawn.low[i] + drawn.high[i]) / 2);
    for (let f = 0; f < frames && app.drawing; f += Math.max(1, Math.floor(frames / 40))) {
      const poses = app.player.posesAt(f);
      app.drawing.bodies.forEach((b, k) => { for (const c of [...this.outline(b), ...b.rings.flat()]) { const p = this.ground(k, c, poses); if (!drawn.count || Math.hypot(p[0] - middle[0], p[1] - middle[1]) < far) found.add(p); } });
    }
    for (const p of this.points()) found.add(p.at);
    this.touched = false;
    if (!found.count) { this.look([0.5, 0.25], Math.min(this.width / 2.2, this.height / 1.4)); return; }
    const [wide, tall] = [0, 1].map((i) => Math.max(found.high[i] - found.low[i], 1e-3));
    this.look([0, 1].map((i) => (found.low[i] + found.high[i]) / 2), Math.min((0.72 * this.width) / wide, (0.66 * this.height) / tall, 4000 / Math.max(wide, tall)));
  }

  zoom(factor, x, y) {
    const place = this.toPaper(x, y);
    this.scale = Math.min(1e6, Math.max(1, this.scale * factor));
    this.carry(place, x, y);
  }

  // Places to snap to: joints and corners, with the body (or joint) they belong to.
  points() {
    const { drawing } = this.app, found = [];
    if (!drawing) return found;
    for (const e of drawing.elements) for (const end of e.ends ?? []) found.push({ at: this.ground(end.body, end.local), element: e.name, body: end.body, local: end.local, joint: e.section === "joint" });
    drawing.bodies.forEach((b, k) => {
      for (const c of b.corners) found.push({ at: this.ground(k, c), body: k, local: c });
      if (b.rings.length === 1 && b.rings[0].length <= 12) for (const c of b.rings[0]) found.push({ at: this.ground(k, c), body: k, local: c });
      if (!b.corners.length || b.rings.length) found.push({ at: this.ground(k, b.com), body: k, local: b.com, com: true });
    });
    return found;
  }

  // The nearest place within a few pixels, or the grid's; exact: nothing snaps.
  snap(x, y, { exact = false, grid = this.grid } = {}) {
    const p = this.toPaper(x, y);
    if (exact) return { at: p };
    let best = null, least = 11;
    for (const point of this.points()) {
      const [sx, sy] = this.toScreen(point.at), d = Math.hypot(sx - x, sy - y) - (point.joint ? 1.5 : 0);
      if (d < least) { least = d; best = point; }
    }
    if (best) return { ...best, snapped: true };
    const s = this.spacing, round = (v) => +(Math.round(v / s) * s).toPrecision(12);
    return { at: grid ? [round(p[0]), round(p[1])] : p.map((v) => +v.toPrecision(6)) };
  }

  // The body under the mouse: the nearest outline within its width; of those that lie over each other the smallest.
  bodyAt(x, y) {
    const { drawing } = this.app, p = this.toPaper(x, y);
    let best = -1, least = Infinity;
    drawing?.bodies.forEach((b, k) => {
      const d = this.away(b, k, p) * this.scale;
      if (d < Math.max(9, 0.55 * this.bar) && (d < least || (d === least && this.extent(k) < this.extent(best)))) { least = d; best = k; }
    });
    return best;
  }

  away(b, k, p) {
    const q = this.local(k, p), corners = this.outline(b);
    let d = Infinity;
    if (inside(b.rings, q)) return 0;
    for (let i = 0; i < corners.length; i++) {
      const a = corners[i], c = corners[(i + 1) % corners.length];
      d = Math.min(d, segment(q, a, c));
      if (corners.length < 3) break;
    }
    if (!b.rings.length && corners.length > 2 && inside([corners], q)) return 0;
    for (const ring of b.rings) for (let i = 0; i < ring.length; i++) d = Math.min(d, segment(q, ring[i], ring[(i + 1) % ring.length]));
    if (!corners.length && !b.rings.length) d = Math.max(0, Math.hypot(q[0] - b.com[0], q[1] - b.com[1]) - 0.6 * this.app.drawing.width);
    return d;
  }

  // The joint, spring or load under the mouse.
  elementAt(x, y) {
    const { drawing } = this.app;
    let best = null, least = 10;
    for (const e of drawing?.elements ?? []) {
      if (!e.ends) continue;
      const ends = e.ends.map((end) => this.toScreen(this.ground(end.body, end.local)));
      let d = Math.min(...ends.map(([sx, sy]) => Math.hypot(sx - x, sy - y)));
      if (e.mark === "spring" || e.mark === "link") d = Math.min(d, segment([x, y], ends[0], ends[1]) + 3);
      if (e.section === "force" && e.mark !== "spring") d += 2;
      if (d < least) { least = d; best = e.name; }
    }
    return best;
  }

  // The body to hold at a place: under the mouse, or of a joint there the last one.
  bodyUnder(x, y) {
    const body = this.bodyAt(x, y), element = this.elementAt(x, y);
    return body >= 0 ? body : this.app.drawing.elements.find((e) => e.name === element)?.ends?.map((end) => end.body).filter((k) => k >= 0).pop() ?? -1;
  }

  // How much of the paper its shapes cover (links: nothing).
  extent(k) {
    const b = this.app.drawing.bodies[k];
    if (b.wide === undefined) { const p = b.rings.flat(); b.wide = p.length ? Math.max(...p.map((q) => q[0])) - Math.min(...p.map((q) => q[0])) : 0; }
    return b.wide;
  }

  // Distinct corners of a body, in order round them.
  outline(b) {
    if (b.shown) return b.shown;
    const eps = 1e-6 * (this.app.drawing.size || 1), list = [];
    for (const c of b.corners) if (!list.some((o) => Math.hypot(o[0] - c[0], o[1] - c[1]) < eps)) list.push(c);
    if (list.length === 1 && Math.hypot(list[0][0] - b.com[0], list[0][1] - b.com[1]) > eps) { list.push(b.com); b.bob = true; }
    if (list.length > 2) {
      const m = [0, 1].map((i) => list.reduce((s, p) => s + p[i], 0) / list.length);
      list.sort((p, q) => Math.atan2(p[1] - m[1], p[0] - m[0]) - Math.atan2(q[1] - m[1], q[0] - m[0]));
    }
    return (b.shown = list);
  }

  get bar() { return Math.max(7, Math.min(26, (this.app.drawing?.width ?? 0.05) * this.scale)); } // pixels
}

// The box of points; as many as there are (a spread over arguments has an end).
function bounds(points) {
  const box = { low: [Infinity, Infinity], high: [-Infinity, -Infinity], count: 0, add: (p) => { box.count++; for (const i of [0, 1]) { box.low[i] = Math.min(box.low[i], p[i]); box.high[i] = Math.max(box.high[i], p[i]); } } };
  points.forEach(box.add);
  return box;
}

function segment(p, a, b) {
  const d = [b[0] - a[0], b[1] - a[1]], l = d[0] * d[0] + d[1] * d[1], s = l ? Math.max(0, Math.min(1, ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / l)) : 0;
  return Math.hypot(p[0] - a[0] - s * d[0], p[1] - a[1] - s * d[1]);
}

// By winding number: rings round holes run the other way.
function inside(rings, [x, y]) {
  let turns = 0;
  for (const ring of rings) for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i], [xj, yj] = ring[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) turns += yi > yj ? 1 : -1;
  }
  return turns !== 0;
}
