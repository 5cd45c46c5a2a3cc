// The tab Answers: what the package's analyses say of the model as it is, at the time shown.
import { $, el, save, short } from "./dom.js";

const NAMES = ["check", "certificate", "kinematics", "inverse dynamics", "statics", "modes", "virtual work", "equations", "matrices", "free bodies"];
const METHODS = ["lagrange", "virtual-work", "dalembert", "newton-euler"];

export class Answers {
  constructor(app, panels) {
    Object.assign(this, { app, panels, asked: null });
    $("answers-list").append(...NAMES.map((n) => el("button", { textContent: n, "data-answer": n, onclick: () => this.ask(n) })));
  }

  forget() {
    this.asked = null;
    $("answer").replaceChildren();
  }

  // Those of the scene are at hand, the others are asked for.
  async ask(name, options = {}) {
    const { app } = this, box = $("answer");
    this.asked = name;
    for (const b of $("answers-list").children) b.setAttribute("aria-pressed", b.textContent === name);
    app.vectors = null;
    if (name === "check" || name === "certificate") {
      box.classList.remove("waiting");
      box.replaceChildren(el("pre", { textContent: app.scene?.[name] || "There is no motion yet." }));
      app.dirty();
      return;
    }
    const body = [...app.selected].find((n) => app.doc.plain.body?.some((b) => b.name === n));
    box.classList.add("waiting");
    const r = await app.link.ask({ do: "answer", name, options: { t: app.player.time, body, ...options } }, true);
    if (this.asked !== name) return;
    box.classList.remove("waiting");
    box.replaceChildren(...this.parts(name, r, options, body));
    if (r.animation) app.player.animate(r.animation);
    if (r.vectors && app.flat) {
      app.player.seek(r.t, true);
      app.vectors = { bodies: r.vectors, scene: app.scene, index: app.player.index };
    }
    app.dirty();
  }

  parts(name, r, options, body) {
    const { app } = this, parts = [], say = (text) => parts.push(el("p", { class: "about", textContent: text }));
    if (r.vectors && app.flat) parts.push(el("p", { class: "about" }, el("i", { class: "dot v" }), "velocity ", el("i", { class: "dot a" }), "acceleration ", el("i", { class: "dot c" }), "instant centre"));
    if (r.vectors) say(`At t = ${short(r.t)} s; tool Trace (C) draws the path of any point.`);
    if (name === "free bodies") say(body ? `Of ${body}, at t = ${short(app.player.time)} s.` : `At t = ${short(app.player.time)} s. Select one body to see it alone.`);
    if (name === "equations") parts.push(el("label", { class: "line" }, "Method", el("select", { onchange: (e) => this.ask(name, { method: e.target.value }) }, ...METHODS.map((m) => el("option", { value: m, textContent: m, selected: m === options.method })))));
    if (r.refused || r.what === "refused") parts.push(el("p", { class: "wrong", textContent: r.refused ?? r.text }));
    if (r.note) say(r.note);
    if (r.table) parts.push(this.table(name, r.table));
    if (r.svg) parts.push(el("img", { src: URL.createObjectURL(new Blob([r.svg], { type: "image/svg+xml" })), alt: "Free-body diagram", onload: (e) => URL.revokeObjectURL(e.target.src) }), el("button", { textContent: "Save SVG", onclick: () => save(r.svg, "free-bodies.svg", "image/svg+xml") }));
    if (r.html) { const t = el("div", { class: "derived" }); t.append(new DOMParser().parseFromString(r.html, "text/html").body); parts.push(t); }
    if (r.pose) parts.push(el("p", {}, el("button", { textContent: "Show this pose", onclick: () => app.player.pose(r.pose) })));
    if (r.text) parts.push(el("pre", { textContent: r.text }));
    return parts;
  }

  table(name, { head, rows }) {
    const cell = (c) => el("td", { textContent: c }), show = (k) => el("td", {}, el("button", { textContent: "Show", onclick: () => this.ask(name, { mode: k }) }));
    return el("table", {}, el("thead", {}, el("tr", {}, ...head.map((h) => el("th", { textContent: h })))), el("tbody", {}, ...rows.map((row, k) => el("tr", {}, ...row.map(cell), name === "modes" ? show(k) : null))));
  }

  // The model changed: the same question again; derivations take a moment and wait to be asked, and so does all while a slider moves.
  changed(moving) {
    if (this.panels.tab !== "answers" || !this.asked || moving) return;
    if (this.asked === "equations") { $("answer").classList.add("waiting"); return; }
    clearTimeout(this.asking);
    this.asking = setTimeout(() => this.ask(this.asked), 120);
  }
}
