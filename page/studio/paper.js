// The drawing of a plane model: grid, bodies, marks, forces, traces, what is being drawn.
import { PALETTE } from "../src/world.js";
import { KINDS } from "../src/arrows.js";
import { short } from "./dom.js";
import { Sheet } from "./sheet.js";

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class Paper extends Sheet {
  constructor(app, canvas) {
    super(app, canvas);
    Object.assign(this, { ctx: canvas.getContext("2d"), lengths: true, names: true });
    this.picture = null; // { image, x, y, wide, opacity }: to trace from
  }

  draw() {
    this.held = null;
    this.held = this.box; // once, not for every point
    try { this.paint(); } finally { this.held = null; }
  }

  paint() {
    const { canvas, ctx, app } = this, ratio = Math.min(devicePixelRatio, 2), w = this.width, h = this.height;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) { canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio); }
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, w, h);
    this.ink = css("--ink"); this.soft = css("--soft"); this.accent = css("--accent"); this.line = css("--line"); this.sheet = css("--paper"); this.bad = css("--bad");
    if (this.picture) this.drawPicture();
    if (this.grid) this.drawGrid(w, h);
    if (!app.drawing) return;
    for (const v of app.ghosts ?? []) this.drawGhost(v);
    this.drawTraces();
    const order = app.drawing.bodies.map((_, k) => k).sort((a, b) => this.extent(b) - this.extent(a)); // large ones below
    for (const e of app.drawing.elements) this.drawBelow(e);
    for (const k of order) this.drawBody(k);
    for (const e of app.drawing.elements) this.drawMark(e);
    for (const e of app.drawing.elements) this.drawLoad(e);
    this.drawArrows();
    this.drawVectors();
    if (this.names) this.drawNames();
    this.drawDims();
    app.tools?.preview(ctx, this);
  }

  drawPicture() {
    const { image, x, y, wide, opacity } = this.picture, [sx, sy] = this.toScreen([x, y]), w = wide * this.scale;
    this.ctx.globalAlpha = opacity;
    this.ctx.drawImage(image, sx, sy, w, (w * image.height) / image.width);
    this.ctx.globalAlpha = 1;
  }

  drawGrid(w, h) {
    const { ctx } = this, s = this.spacing, low = this.toPaper(0, h), high = this.toPaper(w, 0);
    for (const [every, alpha] of [[1, 0.38], [5, 0.85]]) {
      ctx.beginPath();
      ctx.globalAlpha = alpha;
      for (let k = Math.ceil(low[0] / (s * every)); k * s * every <= high[0]; k++) { const x = Math.round(this.toScreen([k * s * every, 0])[0]) + 0.5; ctx.moveTo(x, 0); ctx.lineTo(x, h); }
      for (let k = Math.ceil(low[1] / (s * every)); k * s * every <= high[1]; k++) { const y = Math.round(this.toScreen([0, k * s * every])[1]) + 0.5; ctx.moveTo(0, y); ctx.lineTo(w, y); }
      ctx.strokeStyle = this.line;
      ctx.lineWidth = 1;
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    const [ox, oy] = this.toScreen([0, 0]);
    ctx.strokeStyle = this.soft; ctx.lineWidth = 1.2; ctx.beginPath(); ctx.moveTo(ox, oy); ctx.lineTo(ox + 26, oy); ctx.moveTo(ox, oy); ctx.lineTo(ox, oy - 26); ctx.stroke();
    ctx.fillStyle = this.soft; ctx.font = "11px system-ui, sans-serif"; ctx.textAlign = "left"; ctx.textBaseline = "middle";
    ctx.fillText("x", ox + 29, oy + 1); ctx.fillText("y", ox + 3, oy - 32);
    const long = 5 * s, px = long * this.scale;
    ctx.strokeStyle = this.ink; ctx.lineWidth = 1.5; ctx.beginPath(); ctx.moveTo(16, h - 22); ctx.lineTo(16, h - 16); ctx.lineTo(16 + px, h - 16); ctx.lineTo(16 + px, h - 22); ctx.stroke();
    ctx.fillStyle = this.ink; ctx.textAlign = "center"; ctx.fillText(long < 0.01 ? `${short(long * 1000)} mm` : `${short(long)} m`, 16 + px / 2, h - 26);
  }

  path(points) { points.forEach(([x, y], i) => (i ? this.ctx.lineTo(x, y) : this.ctx.moveTo(x, y))); }

  drawBody(k, poses = this.poses, colour, alpha = 1, drawing = this.app.drawing) {
    const { ctx, app } = this, b = drawing.bodies[k], chosen = alpha === 1 && app.selected.has(b.name), radius = app.entry(b.name)?.radius;
    const wide = typeof radius === "number" && !b.rings.length ? Math.max(5, Math.min(this.bar, 2 * radius * this.scale)) : this.bar; // barrels and rods of cylinders
    const on = (p) => this.toScreen(this.ground(k, p, poses)), fill = colour ?? b.colour, corners = this.outline(b).map(on);
    ctx.save();
    ctx.globalAlpha = alpha;
    ctx.lineJoin = ctx.lineCap = "round";
    const stroke = (style, extra) => {
      ctx.strokeStyle = style;
      ctx.lineWidth = wide + extra;
      ctx.beginPath();
      this.path(corners);
      if (corners.length > 2) ctx.closePath();
      ctx.stroke();
      if (corners.length > 2) { ctx.fillStyle = style; ctx.globalAlpha = alpha * (extra ? 0.25 : 0.45); ctx.fill(); ctx.globalAlpha = alpha; }
    };
    const edge = chosen ? this.accent : shade(fill, -0.38);
    const shape = (trace) => {
      ctx.beginPath(); trace(); ctx.strokeStyle = edge; ctx.lineWidth = chosen ? 5 : 2.4; ctx.stroke();
      ctx.beginPath(); trace(); ctx.fillStyle = mix(fill, this.sheet, 0.28); ctx.fill();
    };
    if (b.rings.length) {
      for (const ring of b.rings) { ctx.beginPath(); this.path(ring.map(on)); ctx.closePath(); ctx.strokeStyle = edge; ctx.lineWidth = chosen ? 5 : 2.4; ctx.stroke(); }
      ctx.beginPath(); // one path: no seams between its parts
      for (const ring of b.rings) { this.path(ring.map(on)); ctx.closePath(); }
      ctx.fillStyle = mix(fill, this.sheet, 0.28);
      ctx.fill();
    }
    if (!b.rings.length && corners.length > 1) {
      stroke(edge, chosen ? 5 : 2.4);
      stroke(mix(fill, this.sheet, 0.28), 0);
      if (b.bob) { const [x, y] = on(b.com); shape(() => ctx.arc(x, y, 0.85 * wide, 0, 7)); }
    } else if (!b.rings.length) {
      const [x, y] = on(corners.length ? this.outline(b)[0] : b.com), r = 1.05 * wide;
      if (b.slide) {
        const [ax, ay] = b.slide, a = Math.atan2(ay, ax) + poses[k][2];
        const c = Math.cos(a), s = Math.sin(a), at = (u, v) => [x + u * c + v * s, y - u * s + v * c];
        shape(() => { this.path([at(-1.6 * r, -r), at(1.6 * r, -r), at(1.6 * r, r), at(-1.6 * r, r)]); ctx.closePath(); });
      } else shape(() => ctx.arc(x, y, b.particle ? 0.6 * wide : r, 0, 7));
    }
    ctx.restore();
    if (app.locked.has(b.name)) { const [x, y] = on(b.com); ctx.fillStyle = this.ink; ctx.font = "12px system-ui"; ctx.textAlign = "center"; ctx.fillText("🔒", x, y); }
  }

  drawGhost({ poses, colour, drawing }) { poses.forEach((_, k) => this.drawBody(k, poses, colour, 0.28, drawing)); }

  hatch(x, y, a, wide) { // the ground: a line with strokes behind it
    const { ctx } = this, c = Math.cos(a), s = Math.sin(a), at = (u, v) => [x + u * c + v * s, y + u * s - v * c];
    ctx.strokeStyle = this.ink; ctx.lineWidth = 1.6; ctx.beginPath(); ctx.moveTo(...at(-wide, 0)); ctx.lineTo(...at(wide, 0)); ctx.stroke();
    ctx.lineWidth = 1; ctx.strokeStyle = this.soft; ctx.beginPath();
    for (let u = -wide + 2; u <= wide; u += 6) { ctx.moveTo(...at(u, 0)); ctx.lineTo(...at(u - 5, -6)); }
    ctx.stroke();
  }

  // What lies behind the bodies: supports and rails.
  drawBelow(e) {
    if (!e.ends) return;
    const { ctx } = this, [i, j] = e.ends, p = this.toScreen(this.ground(i.body, i.local));
    if (e.type === "prismatic" || e.type === "pin_in_slot") {
      const pose = i.body < 0 ? 0 : this.poses[i.body][2], a = Math.atan2(i.axis[1], i.axis[0]) + pose;
      const q = this.toScreen(this.ground(j.body, j.local)), far = Math.max(4.5 * this.bar, Math.hypot(q[0] - p[0], q[1] - p[1]) + 3 * this.bar);
      const drop = e.type === "prismatic" ? 1.05 * this.bar + 1.5 : 0;
      if (i.body < 0 || j.body < 0) { const at = i.body < 0 ? [q[0], q[1]] : [p[0], p[1]]; this.hatch(at[0] + Math.sin(-a) * -drop, at[1] + Math.cos(-a) * drop, -a, far); }
      else { ctx.strokeStyle = this.soft; ctx.setLineDash([5, 4]); ctx.lineWidth = 1.4; ctx.beginPath(); ctx.moveTo(p[0] - Math.cos(a) * far, p[1] + Math.sin(a) * far); ctx.lineTo(p[0] + Math.cos(a) * far, p[1] - Math.sin(a) * far); ctx.stroke(); ctx.setLineDash([]); }
    } else if (["hinge", "joint", "block", "bushing"].includes(e.mark) && (i.body < 0 || j.body < 0) && e.section === "joint") this.support(p);
  }

  support([x, y]) {
    const { ctx } = this, r = Math.max(8, 0.9 * this.bar);
    ctx.strokeStyle = this.ink; ctx.lineWidth = 1.6; ctx.fillStyle = this.sheet;
    ctx.beginPath(); ctx.moveTo(x, y); ctx.lineTo(x - 1.1 * r, y + 1.9 * r); ctx.lineTo(x + 1.1 * r, y + 1.9 * r); ctx.closePath(); ctx.fill(); ctx.stroke();
    this.hatch(x, y + 1.9 * r, 0, 1.7 * r);
  }

  drawMark(e) {
    const { ctx, app } = this, chosen = app.selected.has(e.name), bad = app.mobility?.redundant?.includes(e.name);
    if (!e.ends) return;
    const ends = e.ends.map((end) => this.toScreen(this.ground(end.body, end.local))), [p, q] = ends, r = Math.max(3.5, 0.3 * this.bar);
    const edge = bad ? this.bad : chosen ? this.accent : this.ink;
    if (bad) for (const [x, y] of ends) { ctx.beginPath(); ctx.arc(x, y, r + 8, 0, 7); ctx.fillStyle = `${this.bad}44`; ctx.fill(); }
    if (e.mark === "spring") return this.coil(p, q, edge, chosen);
    if (e.mark === "link" || e.mark === "tie" || e.mark === "hinged link") { ctx.strokeStyle = edge; ctx.lineWidth = chosen ? 4 : 2.5; ctx.beginPath(); ctx.moveTo(...p); ctx.lineTo(...q); ctx.stroke(); for (const x of ends) this.dot(x, r, edge); return; }
    if (e.section === "force") return;
    if (e.type === "weld") { for (const [x, y] of [q]) { ctx.fillStyle = edge; ctx.fillRect(x - r, y - r, 2 * r, 2 * r); } return; }
    if (e.type === "prismatic") { if (chosen || bad) this.dot(q, r * 0.8, edge); return; }
    this.dot(e.ends[1].body < 0 ? p : q, chosen ? r + 1.5 : r, edge);
  }

  dot([x, y], r, edge) {
    const { ctx } = this;
    ctx.beginPath(); ctx.arc(x, y, r, 0, 7); ctx.fillStyle = this.sheet; ctx.fill(); ctx.strokeStyle = edge; ctx.lineWidth = 2; ctx.stroke();
  }

  coil(p, q, colour, chosen) {
    const { ctx } = this, dx = q[0] - p[0], dy = q[1] - p[1], length = Math.hypot(dx, dy) || 1, u = [dx / length, dy / length], n = [-u[1], u[0]], turns = 9, lead = Math.min(14, 0.15 * length), a = Math.min(9, 0.2 * length);
    const at = (s, v) => [p[0] + u[0] * s + n[0] * v, p[1] + u[1] * s + n[1] * v], points = [at(0, 0), at(lead, 0)];
    for (let k = 0; k < turns; k++) points.push(at(lead + ((k + 0.5) / turns) * (length - 2 * lead), k % 2 ? -a : a));
    points.push(at(length - lead, 0), at(length, 0));
    ctx.strokeStyle = colour; ctx.lineWidth = chosen ? 3 : 1.8; ctx.lineJoin = "round"; ctx.beginPath(); this.path(points); ctx.stroke();
    this.dot(p, 3, colour); this.dot(q, 3, colour);
  }

  arrow(p, v, colour, wide = 2.2) {
    const { ctx } = this, length = Math.hypot(...v);
    if (length < 2) return;
    const u = [v[0] / length, v[1] / length], n = [-u[1], u[0]], q = [p[0] + v[0], p[1] + v[1]], head = Math.min(10, 0.5 * length);
    ctx.strokeStyle = ctx.fillStyle = colour; ctx.lineWidth = wide; ctx.lineCap = "butt";
    ctx.beginPath(); ctx.moveTo(...p); ctx.lineTo(q[0] - u[0] * head * 0.8, q[1] - u[1] * head * 0.8); ctx.stroke();
    ctx.beginPath(); ctx.moveTo(...q); ctx.lineTo(q[0] - u[0] * head + n[0] * head * 0.42, q[1] - u[1] * head + n[1] * head * 0.42); ctx.lineTo(q[0] - u[0] * head - n[0] * head * 0.42, q[1] - u[1] * head - n[1] * head * 0.42); ctx.closePath(); ctx.fill();
  }

  turning([x, y], sense, colour, r = 17) {
    const { ctx } = this, from = 0.35 * Math.PI, to = 1.9 * Math.PI;
    ctx.strokeStyle = ctx.fillStyle = colour; ctx.lineWidth = 2.2; ctx.beginPath(); ctx.arc(x, y, r, -from, -to, true); ctx.stroke();
    const a = sense > 0 ? -to : -from, t = [x + r * Math.cos(a), y + r * Math.sin(a)], d = sense > 0 ? -1 : 1, dir = [-Math.sin(a) * d, Math.cos(a) * d];
    ctx.beginPath(); ctx.moveTo(t[0] + dir[0] * 8, t[1] + dir[1] * 8); ctx.lineTo(t[0] + dir[1] * 4.5, t[1] - dir[0] * 4.5); ctx.lineTo(t[0] - dir[1] * 4.5, t[1] + dir[0] * 4.5); ctx.closePath(); ctx.fill();
  }

  // Drives and given loads, as signs.
  drawLoad(e) {
    const { app } = this, chosen = app.selected.has(e.name);
    if (e.section === "drive" || e.type === "motor") {
      const joint = app.drawing.elements.find((x) => x.name === (e.of ?? "").split(".")[0]);
      if (!joint?.ends) return;
      const end = joint.ends[1], p = this.toScreen(this.ground(end.body, end.local)), colour = chosen ? this.accent : e.section === "drive" ? "#c2571a" : "#9474cf";
      if (joint.type === "prismatic") { const i = joint.ends[0], a = Math.atan2(i.axis[1], i.axis[0]) + (i.body < 0 ? 0 : this.poses[i.body][2]); this.arrow([p[0], p[1] - 1.9 * this.bar], [34 * Math.cos(a), -34 * Math.sin(a)], colour, 3); } else this.turning(p, 1, colour, Math.max(15, 1.35 * this.bar));
    } else if (e.section === "force" && e.ends && (e.type === "force" || e.type === "torque") && !app.arrowsShown) {
      const end = e.ends[1], p = this.toScreen(this.ground(end.body, end.local)), entry = app.entry(e.name), c = (Array.isArray(entry?.components) ? entry.components : [entry?.components]).map((x) => (typeof x === "number" ? x : 1)), colour = chosen ? this.accent : KINDS.force;
      if (e.type === "torque") return this.turning(p, Math.sign(c[0]) || 1, colour);
      let v = [c[0] ?? 0, -(c[1] ?? 0)];
      if (entry?.frame === "body" && end.body >= 0) { const a = this.poses[end.body][2]; v = [v[0] * Math.cos(a) + v[1] * Math.sin(a), -v[0] * Math.sin(a) + v[1] * Math.cos(a)]; }
      const size = Math.hypot(...v) || 1;
      this.arrow(p, [(46 * v[0]) / size, (46 * v[1]) / size], colour, 2.6);
    }
  }

  // Reactions, loads and drives of the motion, to scale.
  drawArrows() {
    const { app } = this, s = app.scene;
    if (!app.arrowsShown || !s?.arrows?.length || app.dragged) return;
    const f = Math.round(app.player.index), n = s.arrows.length;
    s.arrows.forEach((a, k) => {
      const at = 3 * (f * n + k), v = [0, 1, 2].map((c) => s.block.arrows[at + c]), p = this.toScreen(this.ground(a.body, a.local)), colour = KINDS[a.kind];
      if (a.unit === "N m") { if (Math.abs(v[2]) > 0) this.turning(p, Math.sign(v[2]), colour, Math.max(7, Math.min(70, Math.abs(v[2]) * a.per * this.scale))); } else this.arrow(p, [v[0] * a.per * this.scale, -v[1] * a.per * this.scale], colour, 2.4);
    });
  }

  // Velocities, accelerations and instant centres of the answer kinematics: of this motion, at the moment that is shown.
  drawVectors() {
    const { app } = this, { bodies: vectors, scene, index } = app.vectors ?? {};
    if (!vectors || scene !== app.scene || index !== app.player.index || app.dragged) return;
    const long = (key) => Math.max(...vectors.map((b) => Math.hypot(...b[key])), 1e-12);
    for (const [key, colour] of [["v", "#1f7a4d"], ["a", "#9474cf"]]) {
      const k = 90 / long(key);
      for (const b of vectors) this.arrow(this.toScreen(b.at), [k * b[key][0], -k * b[key][1]], colour);
    }
    const { ctx } = this;
    for (const b of vectors) {
      if (!b.centre) continue;
      const [x, y] = this.toScreen(b.centre);
      ctx.strokeStyle = "#0f766e"; ctx.lineWidth = 1.6; ctx.beginPath(); ctx.moveTo(x - 5, y); ctx.lineTo(x + 5, y); ctx.moveTo(x, y - 5); ctx.lineTo(x, y + 5); ctx.stroke();
      ctx.fillStyle = "#0f766e"; ctx.font = "11px system-ui"; ctx.textAlign = "left"; ctx.fillText(`centre of ${b.name}`, x + 7, y - 6);
    }
  }

  drawTraces() {
    const { app, ctx } = this, s = app.scene;
    if (!s || s.frames < 2) return;
    app.traces.forEach(({ body, local }, n) => {
      const k = s.names.indexOf(body);
      if (k < 0) return;
      ctx.strokeStyle = PALETTE[(n + 3) % PALETTE.length]; ctx.lineWidth = 1.8; ctx.beginPath();
      for (let f = 0; f < s.frames; f++) { const at = 3 * (f * s.names.length + k), [x, y, a] = [s.block.poses[at], s.block.poses[at + 1], s.block.poses[at + 2]], c = Math.cos(a), d = Math.sin(a), q = this.toScreen([x + c * local[0] - d * local[1], y + d * local[0] + c * local[1]]); if (f) ctx.lineTo(...q); else ctx.moveTo(...q); }
      ctx.stroke();
      this.dot(this.toScreen(this.ground(k, local)), 3, ctx.strokeStyle);
    });
  }

  drawNames() {
    const { ctx, app } = this, taken = [];
    const put = (text, x, y, colour, bold) => {
      ctx.font = `${bold ? "600 " : ""}12px system-ui, sans-serif`; ctx.textAlign = "left"; ctx.textBaseline = "middle";
      const w = ctx.measureText(text).width, box = [x - 2, y - 8, w + 4, 16];
      if (taken.some((o) => box[0] < o[0] + o[2] && o[0] < box[0] + box[2] && box[1] < o[1] + o[3] && o[1] < box[1] + box[3])) return false;
      taken.push(box);
      ctx.fillStyle = `${this.sheet}cc`; ctx.fillRect(...box); ctx.fillStyle = colour; ctx.fillText(text, x, y);
      return true;
    };
    for (const e of app.drawing.elements) {
      if (!e.ends || e.section === "force" && e.mark !== "spring") continue;
      const [i, j] = e.ends.map((end) => this.toScreen(this.ground(end.body, end.local))), at = e.mark === "spring" ? [(i[0] + j[0]) / 2, (i[1] + j[1]) / 2] : e.ends[1].body < 0 ? i : j;
      put(e.name, at[0] + 0.55 * this.bar + 6, at[1] - 0.55 * this.bar - 8, this.accent, app.selected.has(e.name));
    }
    app.drawing.bodies.forEach((b, k) => {
      const o = this.outline(b), m = o.length ? [0, 1].map((i) => o.reduce((s, p) => s + p[i], 0) / o.length) : b.com, places = [m, ...o.slice(0, 2).map((p) => [0, 1].map((i) => 0.5 * m[i] + 0.5 * p[i]))];
      for (const place of places) { const [x, y] = this.toScreen(this.ground(k, place)); if (put(b.name, x + 0.6 * this.bar + 4, y + 0.6 * this.bar + 8, this.ink, app.selected.has(b.name))) break; }
    });
  }

  // Lengths of the selected links, and what is being drawn.
  drawDims() {
    if (!this.lengths) return;
    const { app } = this;
    app.drawing.bodies.forEach((b, k) => {
      if (!app.selected.has(b.name) && !app.dragged) return;
      if (app.dragged && app.hands.grabbed !== k) return;
      const o = this.outline(b);
      for (let i = 0; i + 1 < o.length || (o.length > 2 && i < o.length); i++) this.dim(this.ground(k, o[i]), this.ground(k, o[(i + 1) % o.length]));
    });
  }

  dim(a, b, text) {
    const { ctx } = this, p = this.toScreen(a), q = this.toScreen(b), length = Math.hypot(b[0] - a[0], b[1] - a[1]), px = Math.hypot(q[0] - p[0], q[1] - p[1]);
    if (px < 24) return;
    let u = [(q[0] - p[0]) / px, (q[1] - p[1]) / px];
    let n = [u[1], -u[0]];
    const off = 1.1 * this.bar + 10, s = [p[0] + n[0] * off, p[1] + n[1] * off], t = [q[0] + n[0] * off, q[1] + n[1] * off];
    ctx.strokeStyle = this.soft; ctx.lineWidth = 1; ctx.beginPath(); ctx.moveTo(...s); ctx.lineTo(...t);
    for (const [x, y] of [s, t]) { ctx.moveTo(x - n[0] * 5, y - n[1] * 5); ctx.lineTo(x + n[0] * 5, y + n[1] * 5); }
    ctx.stroke();
    const label = text ?? `${short(length)} m`, m = [(s[0] + t[0]) / 2, (s[1] + t[1]) / 2];
    ctx.font = "12px system-ui, sans-serif"; ctx.textAlign = "center"; ctx.textBaseline = "middle";
    const w = ctx.measureText(label).width;
    ctx.fillStyle = this.sheet; ctx.fillRect(m[0] - w / 2 - 3, m[1] - 8, w + 6, 16); ctx.fillStyle = this.ink; ctx.fillText(label, m[0], m[1]);
  }
}

const hex = (c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16)), text = (v) => `#${v.map((x) => Math.round(Math.max(0, Math.min(255, x))).toString(16).padStart(2, "0")).join("")}`;
const shade = (c, by) => (c.startsWith("#") ? text(hex(c).map((x) => x * (1 + by))) : c);
const mix = (c, other, by) => (c.startsWith("#") && other.startsWith("#") && other.length === 7 ? text(hex(c).map((x, i) => x * (1 - by) + hex(other)[i] * by)) : c);
