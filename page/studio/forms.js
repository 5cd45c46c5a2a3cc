// Forms made from what the server tells of every element: one field per argument, the error under its field.
import { $, el } from "./dom.js";

const plain = (v) => (v === undefined || v === null ? "" : typeof v === "string" ? v : typeof v === "object" ? toml(v) : String(v));

export function toml(v) {
  if (Array.isArray(v)) return `[${v.map(toml).join(", ")}]`;
  if (v && typeof v === "object") return `{${Object.entries(v).map(([k, x]) => `${/^[\w-]+$/.test(k) ? k : JSON.stringify(k)} = ${toml(x)}`).join(", ")}}`;
  return typeof v === "string" ? JSON.stringify(v) : String(v);
}

// One argument: its inputs and how its value is read.
class Field {
  constructor(field, value, app, dim) {
    Object.assign(this, { field, app, dim });
    const { key, kind, required, unit, help } = field;
    this.note = el("small", { id: `wrong-${key}`, class: "wrong", role: "alert", hidden: true });
    this.box = el("div", { class: "field", "data-key": key }, el("label", { for: `field-${key}`, title: help }, key, required ? el("b", { textContent: " *", title: "needed" }) : null, unit ? el("i", { textContent: unit }) : null), this.inputs(kind, value), this.note);
    this.box.oninput = () => { this.typed = true; };
  }

  input(value, more = {}) {
    return el("input", { type: "text", value: plain(value), spellcheck: false, autocomplete: "off", ...more });
  }

  inputs(kind, value) {
    const { field, app, dim } = this, id = `field-${field.key}`;
    if (field.choices) return (this.one = el("select", { id }, el("option", { value: "", textContent: "" }), ...field.choices.map((c) => el("option", { value: c, textContent: c, selected: c === value }))));
    if (kind === "flag") return (this.one = el("select", { id }, ...[["", ""], ["true", "yes"], ["false", "no"]].map(([v, t]) => el("option", { value: v, textContent: t, selected: String(value) === v }))));
    if (kind === "between" || (kind === "vector" && (value === undefined || (Array.isArray(value) && value.length === dim)))) {
      const n = kind === "between" ? 2 : dim;
      this.many = Array.from({ length: n }, (_, k) => this.input(value?.[k], { id: k ? `${id}-${k}` : id, placeholder: kind === "between" ? ["first", "second"][k] : "xyz"[k], ...(kind === "between" ? {} : {}) }));
      if (kind === "between") for (const i of this.many) i.setAttribute("list", "names");
      return el("div", { class: "many" }, ...this.many);
    }
    this.one = this.input(value, { id, placeholder: { law: "number, formula of t, {x = […], y = […]}", laws: "[Fx, Fy]", number: "number or formula", shapes: '{type = "box", size = [0.2, 0.1, 0.1]}', shape: '{type = "box", …}', coefficients: '{"body.x" = 1}', rotation: '["xyz", [0, 0, 0]]' }[kind] ?? "" });
    if (kind === "reference" || (kind === "any" && ["a", "b"].includes(field.key))) this.one.setAttribute("list", "names");
    return this.one;
  }

  // undefined where nothing is given; texts are read by the server: TOML, else a formula or a name.
  get value() {
    const { kind } = this.field;
    if (this.many) {
      const parts = this.many.map((i) => i.value.trim());
      if (parts.every((p) => !p)) return undefined;
      return kind === "between" ? parts : parts.map((p) => ({ text: p }));
    }
    const text = this.one.value.trim();
    if (!text) return undefined;
    if (kind === "flag") return text === "true";
    if (["text", "formula"].includes(kind) || this.field.choices) return text;
    return { text };
  }

  wrong(text) {
    this.note.textContent = text ?? "";
    this.note.hidden = !text;
    this.box.classList.toggle("bad", Boolean(text));
    for (const i of this.many ?? [this.one]) { i.setAttribute("aria-invalid", Boolean(text)); i.setAttribute("aria-describedby", this.note.id); }
  }
}

export class Form {
  // about: the element's form; entry: its values in the document (none: a new one).
  constructor(app, about, entry, done) {
    Object.assign(this, { app, about, entry, done });
    const dim = app.doc.dim, rank = (f) => (f.key === "name" ? 0 : f.required ? 1 : entry && f.key in entry ? 2 : 3);
    this.fields = about.fields.slice().sort((a, b) => rank(a) - rank(b)).map((f) => new Field(f, f.key === "name" && !entry ? app.names.fresh(about.type) : entry?.[f.key], app, dim));
    const main = this.fields.filter((f) => rank(f.field) < 3), more = this.fields.filter((f) => rank(f.field) === 3);
    this.note = el("p", { class: "wrong", role: "alert", hidden: true });
    const button = el("button", { type: "submit", class: "main", textContent: entry ? "Apply" : `Add ${about.title}` });
    this.box = el("form", { class: "form", autocomplete: "off" }, el("p", { class: "about" }, el("b", { textContent: about.title }), ` ${about.about}`), ...main.map((f) => f.box),
      more.length ? el("details", { open: !entry && main.length < 3 }, el("summary", { textContent: `More (${more.length})` }), ...more.map((f) => f.box)) : null, this.note, el("div", { class: "line" }, button, el("small", { textContent: about.laws.length && about.fields.some((f) => f.kind.startsWith("law")) ? `laws over ${about.laws.join(", ")}` : "numbers may be formulas over parameters" })));
    this.box.onsubmit = (e) => { e.preventDefault(); this.submit(); };
  }

  // Whether the document took it.
  async submit() {
    const { about, entry, app } = this, values = about.type === about.section ? {} : { type: about.type };
    for (const f of this.about.fields) { const v = this.fields.find((x) => x.field === f).value; if (v !== undefined) values[f.key] = v; }
    for (const f of this.fields) f.wrong();
    const op = entry ? { op: "entry", name: entry.name, entry: values } : { op: "add", section: about.section, entry: values };
    const typed = this.fields.filter((f) => f.typed);
    for (const f of typed) f.typed = false; // it is on its way
    const reply = await app.change({ do: "edit", ops: [op], label: entry ? `change ${entry.name}` : `add ${values.name}` }, (r) => {
      if (r.what === "refused") { for (const f of typed) f.typed = true; this.complain(r); } else { this.note.hidden = true; this.done?.(values.name); }
    });
    return reply.what !== "refused";
  }

  // What was typed into the form before this one, of the same part, and not applied yet: the document has changed meanwhile.
  keep(old) {
    for (const f of old.fields.filter((x) => x.typed)) {
      const mine = this.fields.find((x) => x.field.key === f.field.key);
      if (!mine || Boolean(mine.many) !== Boolean(f.many)) continue;
      (mine.many ?? [mine.one]).forEach((to, k) => { to.value = (f.many ?? [f.one])[k].value; });
      mine.typed = true;
      mine.box.closest("details")?.setAttribute("open", "");
    }
  }

  complain({ text, path }) {
    const key = path.length > 2 ? path[2] : this.fields.find((f) => new RegExp(`'${f.field.key}'|^${f.field.key} of`).test(text))?.field.key;
    const field = this.fields.find((f) => f.field.key === key);
    if (field) { field.wrong(text); field.box.closest("details")?.setAttribute("open", ""); (field.one ?? field.many[0]).focus(); }
    this.note.textContent = field ? "" : text;
    this.note.hidden = Boolean(field);
  }
}

// Names that fields may refer to.
export function fillNames(app) {
  const names = ["ground"];
  for (const entries of Object.values(app.doc.plain)) if (Array.isArray(entries)) for (const e of entries) if (e.name) names.push(e.name);
  $("names").replaceChildren(...names.map((n) => el("option", { value: n })));
}
