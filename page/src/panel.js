// The panel: what is shown, runs, channels, bodies, certificate, equations.
import { KINDS } from "./arrows.js";
import { PALETTE } from "./world.js";

const element = (tag, attributes = {}, ...children) => {
  const e = Object.assign(document.createElement(tag), attributes);
  e.append(...children);
  return e;
};

function check(text, on, act, { dot, note, id } = {}) {
  const input = element("input", { type: "checkbox", checked: on, onchange: () => act(input.checked) });
  if (id) input.id = id;
  const label = element("label", { title: text }, input);
  if (dot) { const i = element("i", { className: "dot" }); i.style.background = dot; label.append(i); }
  label.append(element("span", { textContent: text }));
  if (note) label.append(element("small", { textContent: note }));
  return label;
}

const NAMES = { force: "Forces", torque: "Torques", reaction: "Reactions", "reaction torque": "Reaction torques" };

export function panel(app) {
  const { head, world, chart } = app, $ = (id) => document.getElementById(id);
  const redraw = () => app.dirty(), rows = $("show").querySelector(".rows");
  const has = (role) => world.batches.some((b) => b.userData.role === role);
  if (has("joint")) rows.append(check("Joints", true, (on) => { world.show("joint", on); redraw(); }, { id: "show-joints" }));
  rows.append(
    check("Grid", true, (on) => { world.floor.visible = on; redraw(); }, { id: "show-grid" }),
  );
  if (head.traces.length) rows.append(check("Traces", true, (on) => { world.traces.visible = on; redraw(); }, { id: "show-traces" }));
  if (has("ground")) rows.append(check("Ground", true, (on) => { world.show("ground", on); redraw(); }, { id: "show-ground" }));
  else if (!head.stage.flat) rows.append(check("Follow", false, (on) => app.follow(on), { id: "follow" }));
  for (const kind of world.arrows.kinds)
    rows.append(check(NAMES[kind], false, (on) => { world.arrows.show(kind, on); redraw(); legend(); }, { dot: KINDS[kind], id: `show-${kind.replace(" ", "-")}` }));
  const note = element("small");
  const legend = () => {
    const round = (x) => { const p = 10 ** Math.floor(Math.log10(x)); return Math.round(x / p) * p; };
    const length = 0.2 * head.stage.radius, parts = [];
    for (const unit of ["N", "N m"]) if (world.arrows.per[unit] > 0) parts.push(`${+round(length / (world.arrows.per[unit] * world.arrows.scale)).toPrecision(2)} ${unit}`);
    note.textContent = `${+length.toPrecision(2)} m ≙ ${parts.join(", ")}`;
  };
  if (world.arrows.kinds.length) {
    const slider = element("input", { type: "range", min: -1.3, max: 1.3, step: 0.01, value: 0, id: "arrow-scale", ariaLabel: "Length of arrows" });
    slider.oninput = () => { world.arrows.scale = 10 ** +slider.value; legend(); redraw(); };
    rows.append(element("div", { className: "slider wide" }, "Arrow length", slider, note));
    legend();
  }
  if (head.runs.length > 1) {
    $("runs").hidden = false;
    head.runs.forEach((run, r) => $("runs").querySelector(".rows").append(check(run, true, (on) => {
      head.run_of.forEach((x, b) => { if (x === r) world.hidden[b] = on ? 0 : 1; });
      redraw();
    }, { id: `run-${r}` })));
  }
  bodies(app, check, redraw);
  channels(app, check);
  const text = head.certificate;
  if (text) $("certificate").querySelector("pre").textContent = text; else $("certificate").hidden = true;
  const source = $("derived");
  if (source) { $("equations").hidden = false; $("equations").querySelector("div").append(source.content); }
  $("plot").addEventListener("toggle", () => chart?.resize());
}

function bodies({ head, world }, check, redraw) {
  const list = document.querySelector("#bodies .list"), most = 300;
  head.names.slice(0, most).forEach((name, b) => list.append(check(name, true, (on) => { world.hidden[b] = on ? 0 : 1; redraw(); }, { dot: colour(head, b) })));
  if (head.names.length > most) list.append(Object.assign(document.createElement("small"), { textContent: `and ${head.names.length - most} more` }));
}

function colour(head, body) {
  const k = head.parts.body.indexOf(body);
  if (k < 0) return "";
  const c = head.materials[head.parts.material[k]].diffuse.map((x) => Math.round(255 * x));
  return `rgb(${c})`;
}

function channels({ head, chart }, check) {
  const list = document.getElementById("channels"), filter = document.getElementById("filter");
  if (!head.channels.length) { document.getElementById("plot").hidden = true; return; }
  const fill = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hit = head.channels.map((c, k) => k).filter((k) => words.every((w) => head.channels[k].name.toLowerCase().includes(w)));
    const first = hit.filter((k) => chart.chosen.includes(k)), rest = hit.filter((k) => !chart.chosen.includes(k));
    chart.readings.clear();
    list.replaceChildren(...[...first, ...rest].slice(0, 250).map((k) => {
      const c = head.channels[k], on = chart.chosen.includes(k);
      const row = check(c.name, on, (x) => { chart.toggle(k, x); fill(); }, { note: c.unit || " ", dot: on ? chart.colour(k) : "" });
      if (on) chart.readings.set(k, row.querySelector("small"));
      return row;
    }));
    chart.at(chart.now);
  };
  filter.oninput = fill;
  fill();
}

export { PALETTE };
