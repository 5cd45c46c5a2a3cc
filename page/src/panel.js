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

// A force or torque with three digits: 240 N, 3.02 MN.
const worth = (x, unit) => { const [size, prefix] = [[1e6, "M"], [1e3, "k"], [1, ""]].find(([from]) => x >= 10 * from) ?? [1, ""]; return `${+(x / size).toPrecision(3)} ${prefix}${unit}`; };

const NAMES = { force: "Forces", torque: "Torques", reaction: "Reactions", "reaction torque": "Reaction torques" };

export function panel(app) {
  const { head, chart, settings } = app, $ = (id) => document.getElementById(id);
  const rows = $("show").querySelector(".rows"), has = (role) => app.world.batches.some((b) => b.userData.role === role);
  const put = (name) => (on) => { settings[name] = on; app.apply(); };
  if (has("joint")) rows.append(check("Joints", true, put("joints"), { id: "show-joints" }));
  rows.append(check("Grid", true, put("grid"), { id: "show-grid" }));
  if (head.traces.length) rows.append(check("Traces", true, put("traces"), { id: "show-traces" }));
  if (has("ground")) rows.append(check("Ground", true, put("ground"), { id: "show-ground" }));
  if (head.labels.length) rows.append(check("Names", false, (on) => app.labels.show(on), { id: "show-names" }));
  if (head.frames > 1) rows.append(check("Follow", false, (on) => app.follow(on), { id: "follow" }));
  const kinds = Object.keys(KINDS).filter((k) => (head.kinds ?? app.world.arrows.kinds).includes(k));
  for (const kind of kinds)
    rows.append(check(NAMES[kind], false, (on) => { settings.kinds[kind] = on; app.apply(); legend(); }, { dot: KINDS[kind], id: `show-${kind.replace(" ", "-")}` }));
  const note = element("small");
  const legend = () => {
    const length = +(0.2 * head.stage.radius).toPrecision(1), parts = [], { per } = app.world.arrows; // a round length, and what it is worth
    for (const unit of ["N", "N m"]) if (per[unit] > 0) parts.push(worth(length / (per[unit] * settings.scale), unit));
    note.textContent = `${length} m ≙ ${parts.join(", ")}`;
  };
  if (kinds.length) {
    const slider = element("input", { type: "range", min: -1.3, max: 1.3, step: 0.01, value: 0, id: "arrow-scale", ariaLabel: "Length of arrows" });
    slider.oninput = () => { settings.scale = 10 ** +slider.value; legend(); app.apply(); };
    rows.append(element("div", { className: "slider wide" }, "Arrow length", slider, note));
    legend();
  }
  if (head.runs.length > 1) {
    $("runs").hidden = false;
    head.runs.forEach((run, r) => $("runs").querySelector(".rows").append(check(run, true, (on) => {
      head.run_of.forEach((x, b) => { if (x === r) app.world.hidden[b] = on ? 0 : 1; });
      app.dirty();
    }, { id: `run-${r}`, dot: PALETTE[r % PALETTE.length] })));
  }
  bodies(app);
  channels(app, check);
  const source = $("derived");
  if (source) { $("equations").hidden = false; $("equations").querySelector("div").append(source.content); }
  $("plot").addEventListener("toggle", () => chart?.resize());
}

// A combining dot or two over a letter is set by hand: many fixed-width fonts put it beside its letter.
function dotted(box, text) {
  box.replaceChildren(...text.split(/(\p{L}[\u0307\u0308])/u).map((part, k) => (k % 2
    ? element("span", { className: part[1] === "\u0307" ? "one-dot" : "two-dots", textContent: part[0], ariaLabel: `${part[0]} ${part[1] === "\u0307" ? "dot" : "double dot"}`, role: "img" }) : part)));
}

// What a variant changes in words: verdict, notes, check, certificate.
export function texts(head) {
  const $ = (id) => document.getElementById(id);
  $("verdict").textContent = $("verdict").className = head.verdict;
  $("notes").hidden = !head.notes.length;
  $("notes").replaceChildren(...head.notes.map((n) => element("p", { textContent: n })));
  for (const name of ["check", "certificate"]) {
    $(name).hidden = !head[name];
    dotted($(name).querySelector("pre"), head[name] ?? "");
  }
}

function bodies(app) {
  const { head } = app, list = document.querySelector("#bodies .list"), most = 300;
  head.names.slice(0, most).forEach((name, b) => {
    const row = check(name, true, (on) => { app.world.hidden[b] = on ? 0 : 1; app.dirty(); }, { dot: colour(head, b) });
    list.append(element("div", { className: "body" }, row, element("button", { textContent: "Numbers", ariaLabel: `Numbers of ${name}`, onclick: () => app.picker.show(name) })));
  });
  if (head.names.length > most) list.append(element("small", { textContent: `and ${head.names.length - most} more` }));
  const joints = head.owners.slice(0, most);
  if (joints.length) {
    document.getElementById("joints").hidden = false;
    document.querySelector("#joints .list").append(...joints.map((name) => element("div", { className: "body" }, element("span", { textContent: name }),
      element("small", { textContent: head.facts[name]?.[0]?.[1] ?? "" }), element("button", { textContent: "Numbers", ariaLabel: `Numbers of ${name}`, onclick: () => app.picker.show(name) }))));
  }
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
