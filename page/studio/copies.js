// Copies of parts beside them or on the other side of a vertical line; links made level or upright.

const numbers = (v) => Array.isArray(v) && v.every((x) => typeof x === "number");

// Operations that copy these bodies, with the joints and forces between them and to the ground; throws what cannot be copied.
export function copies(names, bodies, mirror, shift) {
  const chosen = new Set(bodies), { plain } = names, taken = new Set(), to = new Map(), ops = [];
  const list = plain.body.filter((b) => chosen.has(b.name)), places = list.flatMap((b) => [b.start, b.end, b.position]).filter((v) => v !== undefined);
  if (!places.every(numbers)) throw new Error("These bodies are placed by formulas: copy their text in the tab Text.");
  const line = Math.max(...places.map((p) => p[0]), 0) + shift / 2;
  const put = (p) => (mirror ? [+(2 * line - p[0]).toPrecision(9), p[1]] : [+(p[0] + shift).toPrecision(9), p[1]]);
  const fresh = (name) => { const found = names.fresh(name.replace(/\d+$/, "") || "part", taken); taken.add(found); return found; };
  const moved = (e) => { const out = { ...e }; for (const key of ["start", "end", "position", "at", "at_i", "at_j"]) if (numbers(out[key])) out[key] = put(out[key]); return mirror ? mirrored(out) : out; };
  for (const b of list) { const name = fresh(b.name); to.set(b.name, name); ops.push({ op: "add", section: "body", entry: { ...moved(b), name } }); }
  for (const section of ["joint", "force"]) for (const e of plain[section] ?? []) {
    const pair = e.between ?? (e.body ? [e.body] : []);
    if (!pair.length || !pair.every((n) => to.has(n) || n === "ground") || !pair.some((n) => to.has(n)) || e.on_i || e.on_j) continue;
    const copy = { ...moved(e), name: fresh(e.name) };
    if (e.between) copy.between = pair.map((n) => to.get(n) ?? n); else copy.body = to.get(e.body);
    ops.push({ op: "add", section, entry: copy });
  }
  return { ops, made: [...to.values()] };
}

// The other side of a vertical line, x → −x: what is written in ground axes (slides, loads, speeds) and, with the angle turned to
// its negative, in body axes (shapes, centre of mass); what turns, turns the other way.  Places are put by the caller.
export function mirrored(entry) {
  const across = (v) => {
    if (typeof v === "number") return -v || 0;
    if (typeof v === "string") return `-(${v})`;
    throw new Error(`${entry.name} holds a law that is no formula: mirror its body without it, and add it by its form.`);
  };
  const first = (v) => (Array.isArray(v) && v.length ? [across(v[0]), ...v.slice(1)] : v), out = { ...entry }, turning = entry.type === "torque";
  for (const key of ["axis", ...(turning ? [] : ["components"]), "velocity", "com", "on_i", "on_j"]) if (Array.isArray(out[key])) out[key] = first(out[key]);
  for (const key of ["angle", "omega", ...(turning ? ["components"] : [])]) if (key in out) out[key] = Array.isArray(out[key]) ? out[key].map(across) : across(out[key]);
  const shape = (s) => {
    if (s.rotation) throw new Error(`${entry.name} has a turned shape: it cannot be mirrored.`);
    return { ...s, ...(s.points ? { points: s.points.map(first).reverse() } : {}), ...(s.position ? { position: first(s.position) } : {}) };
  };
  if (out.shape && typeof out.shape === "object") out.shape = shape(out.shape);
  if (Array.isArray(out.shapes)) out.shapes = out.shapes.map(shape);
  return out;
}

// Where the second end of a link goes that is made level or upright; null where its ends are no numbers.
export function aligned(entry, upright) {
  if (!numbers(entry?.start) || !numbers(entry?.end)) return null;
  const d = [entry.end[0] - entry.start[0], entry.end[1] - entry.start[1]], i = upright ? 1 : 0, to = entry.start.slice();
  to[i] += Math.hypot(...d) * (Math.sign(d[i]) || 1);
  return to;
}
