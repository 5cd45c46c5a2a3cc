// What stands beside the drawing: parts, parameters, plots, answers, the text of the file.
import { Chart } from "../src/chart.js";
import { Channels } from "../src/data.js";
import { $, ICON, el, save, short } from "./dom.js";
import { Form } from "./forms.js";

const SECTIONS = { body: "Bodies", joint: "Joints", constraint: "Constraints", drive: "Drives", force: "Forces", fixture: "Fixtures", surface: "Surfaces", pair: "Pairs", contact: "Contacts", initial: "Start" };
const ANSWERS = ["check", "certificate", "kinematics", "inverse dynamics", "statics", "modes", "virtual work", "equations", "matrices", "free bodies"];

export class Panels {
  constructor(app) {
    this.app = app;
    this.tab = "part";
    for (const b of document.querySelectorAll("#tabs button")) b.onclick = () => this.show(b.dataset.tab);
    $("add-find").oninput = () => this.fillAdd();
    $("add-button").onclick = () => { $("add").showModal(); $("add-find").value = ""; this.fillAdd(); $("add-find").focus(); };
    $("new-parameter").onsubmit = (e) => { e.preventDefault(); this.addParameter(); };
    $("text-apply").onclick = () => this.applyText();
    $("text").onkeydown = (e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) { e.preventDefault(); this.applyText(); } e.stopPropagation(); };
    $("text").oninput = () => { this.typing = true; };
    $("filter").oninput = () => this.fillChannels();
    $("csv").onclick = () => save(this.csv(), `${app.doc.name}.csv`, "text/csv");
    $("answers-list").append(...ANSWERS.map((n) => el("button", { textContent: n, "data-answer": n, onclick: () => this.ask(n) })));
    this.sliders = new Map();
  }

  show(tab) {
    this.tab = tab;
    for (const b of document.querySelectorAll("#tabs button")) b.setAttribute("aria-selected", b.dataset.tab === tab);
    for (const p of document.querySelectorAll("#panel section")) p.hidden = p.id !== `tab-${tab}`;
    if (tab === "plots") this.drawPlots();
    if (tab === "answers") this.ask(this.answered ?? "check");
  }

  // ------------------------------------------------------------------------------------------ parts
  fillTree() {
    const { app } = this, { plain } = app.doc, list = [];
    for (const [section, title] of Object.entries(SECTIONS)) {
      const entries = plain[section];
      if (!Array.isArray(entries) || !entries.length) continue;
      list.push(el("h3", {}, title, el("small", { textContent: entries.length })));
      for (const e of entries) {
        const name = e.name ?? e.of, row = el("button", { class: "part", "data-name": name, title: e.type ?? section, onclick: (ev) => (section === "initial" ? this.show("text") : (app.select(name, ev.ctrlKey || ev.metaKey), this.show("part"))) }, el("span", { textContent: section === "initial" ? `${name} ${e.rate !== undefined ? `rate ${e.rate}` : ""}${e.coordinate !== undefined ? ` at ${e.coordinate}` : ""}` : name }), el("small", { textContent: app.doc.code.includes(name) ? "Python" : (e.type ?? "").replaceAll("_", " ") }));
        row.classList.toggle("bad", Boolean(app.mobility?.redundant?.includes(name)) || app.doc.complaint?.path?.[0] === section && app.doc.complaint.path[1] === entries.indexOf(e));
        row.setAttribute("aria-selected", app.selected.has(name));
        list.push(row);
      }
    }
    if (!list.length) list.push(el("p", { class: "empty", textContent: "No parts yet. Draw with the tools on the left of the paper, or add any element with +." }));
    $("tree").replaceChildren(...list);
  }

  fillPart() {
    const { app } = this, box = $("tab-part"), name = [...app.selected][0];
    if (this.form && box.contains(document.activeElement) && this.form.entry?.name === name && document.activeElement.value !== undefined && this.form.dirty) return;
    const found = name && app.find(name);
    if (!found) { box.replaceChildren(el("p", { class: "empty", textContent: "Select a part in the drawing or in the list to see and change its numbers." }), this.head()); this.form = null; return; }
    const { section, entry } = found, about = app.forms.find((f) => f.section === section && f.type === (entry.type ?? section));
    if (app.doc.code.includes(name)) { box.replaceChildren(el("p", { class: "about" }, el("b", { textContent: name }), " holds a law written in Python: it is shown, and changed where it was written."), el("pre", { textContent: JSON.stringify(entry, null, 1) })); this.form = null; return; }
    this.form = new Form(app, about, entry, (n) => app.select(n));
    const k = app.doc.plain.body?.findIndex((b) => b.name === name) ?? -1;
    const acts = el("div", { class: "acts" }, el("button", { title: "Duplicate (Ctrl D)", innerHTML: ICON.copy, onclick: () => app.duplicate(false) }), el("button", { title: "Mirror (M): a copy on the other side of a vertical line", innerHTML: ICON.mirror, onclick: () => app.duplicate(true) }),
      ...(entry.start && app.flat ? [["level", false, "M3 12h18M3 8v8M21 8v8"], ["upright", true, "M12 3v18M8 3h8M8 21h8"]].map(([word, up, d]) => el("button", { title: `Make it ${word}`, "aria-label": `Make it ${word}`, innerHTML: `<svg viewBox="0 0 24 24"><path d="${d}"/></svg>`, onclick: () => app.align(name, up) })) : []),
      k >= 0 ? el("button", { title: "Lock: cannot be dragged", innerHTML: ICON.lock, "aria-pressed": app.locked.has(name), onclick: () => app.lock(name) }) : null, el("button", { title: "Delete (Del), with what refers to it", innerHTML: ICON.bin, onclick: () => app.remove() }));
    box.replaceChildren(acts, this.form.box);
  }

  // Name and gravity of the model, where nothing is selected.
  head() {
    const { app } = this, field = (key, value, unit) => el("div", { class: "field" }, el("label", {}, key, unit ? el("i", { textContent: unit }) : null), el("input", { type: "text", value: Array.isArray(value) ? value.join(", ") : value ?? "", onchange: (e) => app.edit([{ op: "head", key, value: key === "gravity" ? e.target.value.split(",").map((x) => ({ text: x.trim() })) : e.target.value }], `change ${key}`) }));
    return el("div", { class: "form" }, el("h3", { textContent: "Model" }), field("name", app.doc.plain.name), field("gravity", app.doc.plain.gravity, "m/s²"));
  }

  fillAdd() {
    const words = $("add-find").value.toLowerCase().split(/\s+/).filter(Boolean), { app } = this;
    const hits = app.forms.filter((f) => f.dims.includes(app.doc.dim) && words.every((w) => `${f.section} ${f.title} ${f.type} ${f.about}`.toLowerCase().includes(w)));
    $("add-list").replaceChildren(...hits.map((f) => el("button", { "data-type": `${f.section}.${f.type}`, onclick: () => { $("add").close(); this.create(f); } }, el("b", { textContent: f.title }), el("small", { textContent: f.section }), el("span", { textContent: f.about }))));
  }

  create(about) {
    this.app.select(null);
    this.show("part");
    this.form = new Form(this.app, about, null, (n) => this.app.select(n));
    $("tab-part").replaceChildren(this.form.box);
    this.form.fields[0].one?.focus();
  }

  // ------------------------------------------------------------------------------------------ parameters
  fillParameters() {
    const { app } = this, given = app.doc.plain.parameters ?? {}, values = app.doc.parameters;
    const rows = Object.keys(given).map((name) => {
      const formula = typeof given[name] === "string", value = values[name] ?? (formula ? undefined : given[name]), range = formula ? [0, 1] : this.range(name, value); // undefined: the text is wrong somewhere
      const text = el("input", { type: "text", class: "value", value: given[name], "aria-label": `${name}, value or formula`, onchange: () => app.edit([{ op: "parameter", name, value: { text: text.value } }], `change ${name}`) });
      const slider = el("input", { type: "range", min: range[0], max: range[1], step: (range[1] - range[0]) / 400, value, disabled: formula, "aria-label": name, "data-parameter": name });
      slider.oninput = () => { text.value = String(+(+slider.value).toPrecision(5)); app.live({ [name]: +text.value }); };
      slider.onchange = () => app.commitLive(name, +text.value);
      return el("div", { class: "param" }, el("span", { textContent: name, title: name }), formula ? el("small", { textContent: value === undefined ? "= ?" : `= ${short(value)}`, title: String(value ?? "not known while the text is wrong") }) : slider, text, el("button", { title: `Remove ${name}`, "aria-label": `Remove ${name}`, innerHTML: ICON.close, onclick: () => app.edit([{ op: "parameter", name, value: null }], `remove ${name}`) }));
    });
    if (!rows.length) rows.push(el("p", { class: "empty", textContent: "A parameter is a number with a name. Formulas in any field may use it, and its slider moves the mechanism while everything is computed again." }));
    $("parameters").replaceChildren(...rows);
  }

  range(name, value) {
    const old = this.sliders.get(name);
    if (old && value >= old[0] && value <= old[1]) return old;
    const size = Math.abs(value) || 1, found = value === 0 ? [-1, 1] : [value - 0.5 * size, value + 0.5 * size];
    this.sliders.set(name, found);
    return found;
  }

  async addParameter() {
    const [name, value] = $("new-parameter").querySelectorAll("input");
    const reply = await this.app.edit([{ op: "parameter", name: name.value.trim(), value: { text: value.value.trim() || "1" } }], `add ${name.value}`);
    if (reply.what !== "refused") name.value = value.value = "";
  }

  // ------------------------------------------------------------------------------------------ plots
  take(scene) {
    if (scene.listing) this.listing = scene.listing;
    const channels = scene.channels ?? [], n = channels.length;
    this.head_ = { channels, plotted: channels.map((c) => c.name), runs: [] };
    this.data = new Channels(this.head_, { t: scene.block.t, channels: scene.block.channels ?? new Float64Array(0), channels_low: new Float64Array(n), channels_step: new Float64Array(n).fill(1) });
    this.stale = true;
    if (this.tab === "plots") this.drawPlots();
  }

  drawPlots() {
    const { app } = this;
    if (!this.data || !this.stale) return;
    this.stale = false;
    const key = JSON.stringify(this.head_.channels);
    if (!this.chart || this.key !== key) {
      for (const p of this.chart?.plots ?? []) p.destroy();
      this.chart = new Chart($("chart"), this.head_, this.data, (t) => app.seek(t), (t) => app.indexAt(t));
      this.key = key;
      this.fillChannels();
    } else this.chart.set(this.data, this.before && this.before.t.length > 1 && this.before.list.length === this.data.list.length ? this.before : null);
    this.chart.at(app.time);
  }

  fillChannels() {
    const { app } = this, words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean), on = new Set(this.head_?.plotted ?? []);
    const hit = (this.listing ?? []).filter((c) => words.every((w) => c.name.toLowerCase().includes(w)));
    hit.sort((a, b) => on.has(b.name) - on.has(a.name));
    $("channels").replaceChildren(...hit.slice(0, 200).map((c) => el("label", {}, el("input", { type: "checkbox", checked: on.has(c.name), onchange: (e) => { if (e.target.checked) on.add(c.name); else on.delete(c.name); app.plot([...on]); } }), el("span", { textContent: c.name }), el("small", { textContent: c.unit }))));
  }

  csv() {
    const { list, t } = this.data, head = ["t [s]", ...list.map((c) => `${c.name} [${c.unit}]`)], columns = list.map((_, k) => this.data.series(k));
    return [head.join(","), ...Array.from(t, (x, f) => [x, ...columns.map((c) => c[f])].join(","))].join("\n") + "\n";
  }

  // ------------------------------------------------------------------------------------------ answers
  async ask(name, options = {}) {
    const { app } = this, box = $("answer");
    this.answered = name;
    for (const b of $("answers-list").children) b.setAttribute("aria-pressed", b.textContent === name);
    app.vectors = null;
    if (name === "check" || name === "certificate") { box.replaceChildren(el("pre", { textContent: (name === "check" ? app.scene?.check : app.scene?.certificate) || "There is no motion yet." })); return; }
    const body = [...app.selected].find((n) => app.doc.plain.body?.some((b) => b.name === n));
    box.classList.add("waiting");
    const r = await app.link.ask({ do: "answer", name, options: { t: app.time, body, ...options } }, true);
    box.classList.remove("waiting");
    if (this.answered !== name) return;
    const parts = [];
    if (name === "free bodies") parts.push(el("p", { class: "about", textContent: body ? `Of ${body}, at t = ${short(app.time)} s.` : `At t = ${short(app.time)} s. Select one body to see it alone.` }));
    if (name === "equations") parts.push(el("label", { class: "line" }, "Method", el("select", { onchange: (e) => this.ask(name, { method: e.target.value }) }, ...["lagrange", "virtual-work", "dalembert", "newton-euler"].map((m) => el("option", { value: m, textContent: m, selected: m === options.method })))));
    if (r.refused || r.what === "refused") parts.push(el("p", { class: "wrong", textContent: r.refused ?? r.text }));
    if (r.note) parts.push(el("p", { class: "about", textContent: r.note }));
    if (r.table) parts.push(el("table", {}, el("thead", {}, el("tr", {}, ...r.table.head.map((h) => el("th", { textContent: h })))), el("tbody", {}, ...r.table.rows.map((row, k) => el("tr", {}, ...row.map((c) => el("td", { textContent: c })), name === "modes" ? el("td", {}, el("button", { textContent: "Show", onclick: () => this.ask(name, { mode: k }) })) : null)))));
    if (r.svg) { const image = el("img", { src: URL.createObjectURL(new Blob([r.svg], { type: "image/svg+xml" })), alt: "Free-body diagram" }); parts.push(image, el("button", { textContent: "Save SVG", onclick: () => save(r.svg, "free-bodies.svg", "image/svg+xml") })); }
    if (r.html) { const t = el("div", { class: "derived" }); t.append(new DOMParser().parseFromString(r.html, "text/html").body); parts.push(t); }
    if (r.text) parts.push(el("pre", { textContent: r.text }));
    if (r.pose) parts.push(el("button", { textContent: "Show this pose", onclick: () => app.pose(r.pose) }));
    if (r.animation) app.animate(r.animation);
    if (r.vectors && app.doc.dim === 2) { app.vectors = r.vectors; app.seek(r.t, true); parts.unshift(el("p", { class: "about" }, el("i", { class: "dot v" }), "velocity ", el("i", { class: "dot a" }), "acceleration ", el("i", { class: "dot c" }), "instant centre")); }
    box.replaceChildren(...parts);
    app.dirty();
  }

  // The model changed: the same question again; derivations take a moment and wait to be asked.
  again() {
    if (this.answered === "equations") { $("answer").classList.add("waiting"); return; }
    clearTimeout(this.asking);
    this.asking = setTimeout(() => this.ask(this.answered), 120);
  }

  // ------------------------------------------------------------------------------------------ text
  fillText() {
    const { app } = this, { complaint, text } = app.doc;
    if (!(this.typing && document.activeElement === $("text"))) { $("text").value = text; this.typing = false; }
    $("text-wrong").textContent = complaint ? `${complaint.line ? `line ${complaint.line}: ` : ""}${complaint.text}` : "";
    $("text-wrong").hidden = !complaint;
  }

  async applyText() {
    this.typing = false;
    const reply = await this.app.link.ask({ do: "text", text: $("text").value });
    if (reply.what === "refused") { $("text-wrong").textContent = reply.text; $("text-wrong").hidden = false; this.typing = true; }
  }
}
