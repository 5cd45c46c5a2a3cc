// What stands beside the drawing: parts, parameters, the text of the file; plots and answers have files of their own.
import { $, ICON, el, short } from "./dom.js";
import { Answers } from "./answers.js";
import { Form } from "./forms.js";
import { Plots } from "./plots.js";

const SECTIONS = { body: "Bodies", joint: "Joints", constraint: "Constraints", drive: "Drives", force: "Forces", fixture: "Fixtures", surface: "Surfaces", pair: "Pairs", contact: "Contacts", initial: "Start" };

export class Panels {
  constructor(app) {
    this.app = app;
    this.tab = "part";
    for (const b of document.querySelectorAll("#tabs button")) {
      const id = `tab-${b.dataset.tab}`;
      Object.assign(b, { id: `${id}-button`, onclick: () => this.show(b.dataset.tab) });
      b.setAttribute("aria-controls", id);
      $(id).setAttribute("role", "tabpanel");
      $(id).setAttribute("aria-labelledby", b.id);
    }
    $("add-find").oninput = () => this.fillAdd();
    for (const what of ["add", "open"]) $(`${what}-find`).onkeydown = (e) => { if (e.key === "Enter" && e.target.value.trim()) { e.preventDefault(); $(`${what}-list`).querySelector("button")?.click(); } };
    $("add-button").onclick = () => { $("add").showModal(); $("add-find").value = ""; this.fillAdd(); $("add-find").focus(); };
    $("new-parameter").onsubmit = (e) => { e.preventDefault(); this.addParameter(); };
    $("text-apply").onclick = () => this.applyText();
    $("text").onkeydown = (e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) { e.preventDefault(); this.applyText(); } e.stopPropagation(); };
    $("text").oninput = () => { this.typing = true; };
    this.sliders = new Map(); // ranges, by the names of parameters
    this.rows = new Map();
    this.plots = new Plots(app, this);
    this.answers = new Answers(app, this);
  }

  show(tab) {
    this.tab = tab;
    for (const b of document.querySelectorAll("#tabs button")) b.setAttribute("aria-selected", b.dataset.tab === tab);
    for (const p of document.querySelectorAll("#panel section")) p.hidden = p.id !== `tab-${tab}`;
    this.plots.moveTo(tab);
    if (tab === "answers") this.answers.ask(this.answers.asked ?? "check");
  }

  takeDocument() {
    this.fillTree();
    this.fillPart(true);
    this.fillParameters();
    this.fillText();
  }

  // Another document: nothing of the last one stays.
  opened() {
    this.plots.before = null;
    this.sliders.clear();
    this.rows.clear();
    $("variant-clear").disabled = true;
    this.answers.forget();
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
    if (!list.length) list.push(el("p", { class: "empty", textContent: app.doc.dim === 2 ? "No parts yet. Draw with the tools on the left of the paper, or add any element with +." : "No parts yet. Add a body with + : its form takes a place, or two ends, and a shape." }));
    const held = $("tree").contains(document.activeElement) ? document.activeElement.dataset.name : null;
    $("tree").replaceChildren(...list);
    if (held) list.find((row) => row.dataset.name === held)?.focus(); // who walks through it by Tab goes on there
  }

  // stays: the document has changed under it, and what is typed and not applied is kept; a part that is not added yet altogether.
  fillPart(stays) {
    const { app } = this, box = $("tab-part"), name = [...app.selected][0], old = stays && this.form?.entry?.name === name ? this.form : null;
    if (old && !old.entry && old.box.isConnected) return;
    const found = name && app.names.find(name);
    if (!found) { box.replaceChildren(el("p", { class: "empty", textContent: "Select a part in the drawing or in the list to see and change its numbers." }), this.head()); this.form = null; return; }
    const { section, entry } = found, about = app.forms.find((f) => f.section === section && f.type === (entry.type ?? section));
    if (app.doc.code.includes(name)) { box.replaceChildren(el("p", { class: "about" }, el("b", { textContent: name }), " holds a law written in Python: it is shown, and changed where it was written."), el("pre", { textContent: JSON.stringify(entry, null, 1) })); this.form = null; return; }
    this.form = new Form(app, about, entry, (n) => app.selected.has(n) || app.select(n));
    if (old?.entry) this.form.keep(old);
    const k = app.doc.plain.body?.findIndex((b) => b.name === name) ?? -1;
    const acts = el("div", { class: "acts" }, el("button", { title: "Duplicate (Ctrl D)", innerHTML: ICON.copy, onclick: () => app.duplicate(false) }), el("button", { title: "Mirror (M): a copy on the other side of a vertical line", innerHTML: ICON.mirror, onclick: () => app.duplicate(true) }),
      ...(entry.start && app.flat ? [["level", false, "M3 12h18M3 8v8M21 8v8"], ["upright", true, "M12 3v18M8 3h8M8 21h8"]].map(([word, up, d]) => el("button", { title: `Make it ${word}`, "aria-label": `Make it ${word}`, innerHTML: `<svg viewBox="0 0 24 24"><path d="${d}"/></svg>`, onclick: () => app.align(name, up) })) : []),
      k >= 0 ? el("button", { title: "Hold it fast: welded to the ground", "aria-label": "Hold it fast", innerHTML: ICON.anchor, onclick: () => app.holdFast(name) }) : null,
      k >= 0 ? el("button", { title: "Lock: cannot be dragged", innerHTML: ICON.lock, "aria-pressed": app.locked.has(name), onclick: () => app.lock(name) }) : null, el("button", { title: "Delete (Del), with what refers to it", innerHTML: ICON.bin, onclick: () => app.remove() }));
    const held = old && box.contains(document.activeElement) ? document.activeElement : null, typed = held?.closest(".field");
    box.replaceChildren(acts, this.form.box);
    if (typed && old.fields.find((f) => f.box === typed)?.typed) { $(held.id)?.focus(); $(held.id)?.setSelectionRange?.(held.selectionStart, held.selectionEnd); }
  }

  // Name and gravity of the model, where nothing is selected.
  head() {
    const { app } = this, field = (key, value, unit) => el("div", { class: "field" }, el("label", { for: `model-${key}` }, key, unit ? el("i", { textContent: unit }) : null), el("input", { id: `model-${key}`, type: "text", value: Array.isArray(value) ? value.join(", ") : value ?? "", onchange: (e) => app.edit([{ op: "head", key, value: key === "gravity" ? e.target.value.split(",").map((x) => ({ text: x.trim() })) : e.target.value }], `change ${key}`) }));
    return el("div", { class: "form" }, el("h3", { textContent: "Model" }), field("name", app.doc.plain.name), field("gravity", app.doc.plain.gravity, "m/s²"));
  }

  fillAdd() {
    const words = $("add-find").value.toLowerCase().split(/\s+/).filter(Boolean), { app } = this;
    const hits = app.forms.filter((f) => f.dims.includes(app.doc.dim) && words.every((w) => `${f.section} ${f.title} ${f.type} ${f.about}`.toLowerCase().includes(w)));
    const rank = (f) => { const t = f.title.toLowerCase(), w = words.join(""); return t === w ? 0 : t.startsWith(w) ? 1 : t.includes(w) ? 2 : 3; };
    if (words.length) hits.sort((a, b) => rank(a) - rank(b)); // the one that is called so before those that speak of it
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
  // Rows stay where their names do: a slider may be in a hand, or under a key, when the document comes.
  fillParameters() {
    const { app } = this, given = app.doc.plain.parameters ?? {}, box = $("parameters");
    const rows = Object.keys(given).map((name) => this.parameter(name, given[name], app.doc.parameters[name]));
    if (!rows.length) rows.push(el("p", { class: "empty", textContent: "A parameter is a number with a name. Formulas in any field may use it, and its slider moves the mechanism while everything is computed again." }));
    if (rows.length !== box.children.length || rows.some((row, k) => row !== box.children[k])) box.replaceChildren(...rows);
  }

  // The row of a parameter: given as a number or a formula; its value is undefined where the text is wrong somewhere.
  parameter(name, given, value) {
    const { app } = this, formula = typeof given === "string", old = this.rows.get(name), row = old?.formula === formula ? old : this.row(name, formula);
    this.rows.set(name, row);
    const { slider, text, note } = row, moving = name in (app.hands.values ?? {});
    if (formula) Object.assign(note, { textContent: value === undefined ? "= ?" : `= ${short(value)}`, title: String(value ?? "not known while the text is wrong") });
    else if (!moving) { const [min, max] = this.range(name, value ?? given); Object.assign(slider, { min, max, step: (max - min) / 400 }); slider.value = value ?? given; }
    text.title = String(given);
    if (!moving && document.activeElement !== text) text.value = formula ? given : +(+given).toPrecision(10);
    return row.box;
  }

  row(name, formula) {
    const { app } = this, note = el("small"), slider = el("input", { type: "range", "aria-label": name, "data-parameter": name });
    const text = el("input", { type: "text", class: "value", "aria-label": `${name}, value or formula`, onchange: () => app.edit([{ op: "parameter", name, value: { text: text.value } }], `change ${name}`) });
    slider.oninput = () => { text.value = String(+(+slider.value).toPrecision(5)); app.hands.live({ [name]: +text.value }); };
    slider.onchange = () => app.hands.commit(name, +text.value);
    const gone = el("button", { title: `Remove ${name}`, "aria-label": `Remove ${name}`, innerHTML: ICON.close, onclick: () => app.edit([{ op: "parameter", name, value: null }], `remove ${name}`) });
    return { formula, slider, text, note, box: el("div", { class: "param" }, el("span", { textContent: name, title: name }), formula ? note : slider, text, gone) };
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

  // ------------------------------------------------------------------------------------------ text
  fillText() {
    const { app } = this, { complaint, text } = app.doc;
    if (!(this.typing && document.activeElement === $("text"))) { $("text").value = text; this.typing = false; }
    $("text-wrong").textContent = complaint ? `${complaint.line ? `line ${complaint.line}: ` : ""}${complaint.text}` : "";
    $("text-wrong").hidden = !complaint;
  }

  async applyText() {
    this.typing = false;
    const reply = await this.app.change({ do: "text", text: $("text").value });
    if (reply.what === "refused") { $("text-wrong").textContent = reply.text; $("text-wrong").hidden = false; this.typing = true; }
  }
}
