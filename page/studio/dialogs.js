// Dialogs: open, save, share, what is shown.
import { $, el } from "./dom.js";

export class Dialogs {
  constructor(app) {
    this.app = app;
    $("save-button").onclick = () => this.save();
    $("open-button").onclick = $("file").onclick = () => this.choose();
    $("open-find").oninput = () => this.fillOpen();
    $("new-plane").onclick = () => this.leave() && app.open({ new: 2 });
    $("new-space").onclick = () => this.leave() && app.open({ new: 3 });
    $("name-close").onclick = () => $("name").close();
    $("name-form").onsubmit = (e) => { e.preventDefault(); this.saveNamed({}); };
    addEventListener("beforeunload", (e) => { if (app.doc && ((app.link.alive && (app.turns.waiting || !app.settled)) || (!app.doc.saved && app.doc.undo))) e.preventDefault(); });
    this.sharing();
    this.viewing();
  }

  // ------------------------------------------------------------------------------------------ open
  // Whether what is not in a file may go.
  leave() {
    const { doc } = this.app;
    return doc.saved || !doc.undo || confirm(`${doc.name} is not saved to a file: leave it?`);
  }

  async choose() {
    $("open").showModal();
    $("open-find").value = "";
    $("open-find").focus(); // and not the first button, which makes another model
    this.fillOpen();
    await this.app.link.ask({ do: "files" }, true);
    this.fillOpen();
  }

  fillOpen() {
    const { app } = this, words = $("open-find").value.toLowerCase().split(/\s+/).filter(Boolean), hit = (text) => words.every((w) => text.toLowerCase().includes(w));
    const row = (title, note, what) => el("button", { onclick: () => this.leave() && app.open(what) }, el("b", { textContent: title }), el("span", { textContent: note }));
    const files = (app.files ?? []).filter(hit), known = (app.catalogue ?? []).filter((c) => hit(`${c.name} ${c.title} ${c.tags.join(" ")}`));
    $("open-list").replaceChildren(...(files.length ? [el("h3", { textContent: "In this folder" }), ...files.map((f) => row(f, "", { file: f }))] : []), el("h3", { textContent: "Catalogue" }), ...known.map((c) => row(c.title, `${c.name} · ${c.tags.join(", ")}`, { catalogue: c.name })));
  }

  // ------------------------------------------------------------------------------------------ save
  async save() {
    const { app } = this, { doc } = app;
    if (doc.unreadable) { if (confirm(`${doc.file} on the disk was changed by somebody else and cannot be read: write this model over it?`)) await app.link.ask({ do: "save", over: true }, true); return; }
    if (doc.file) { app.tell(doc.saved ? "Saved already: every change goes to the file at once." : "It could not be saved: see the message above."); return; }
    $("name-text").value = `${doc.name.replace(/[^\w-]+/g, "-")}.${doc.kind}`;
    $("name").showModal();
  }

  async saveNamed(more) {
    const r = await this.app.link.ask({ do: "save", file: $("name-text").value.trim(), ...more }, true), note = $("name").querySelector(".wrong");
    note.hidden = true;
    if (r.what === "exists") { if (confirm(`${r.file} is there already: replace it?`)) await this.saveNamed({ ...more, replace: true }); }
    else if (r.what === "loses") { if (confirm(`A file holds no code: ${r.names.join(", ")} would be left out, with what refers to them. Save without?`)) await this.saveNamed({ ...more, anyway: true }); }
    else if (r.what === "refused") { note.textContent = r.text; note.hidden = false; } else $("name").close();
  }

  // ------------------------------------------------------------------------------------------ share
  sharing() {
    const ask = async (message) => { const r = await this.app.link.ask({ do: "share", ...message }, true); if (r.what === "refused") this.app.tell(r.text); };
    $("share-button").onclick = () => this.share();
    $("share-python").onclick = () => ask({ as: "python" });
    $("share-text").onclick = () => ask({ as: "text" });
    $("share-page").onclick = async () => {
      $("share-page").disabled = true;
      await ask({ as: "page", sliders: [...$("share-sliders").querySelectorAll("input:checked")].map((i) => i.value) });
      $("share-page").disabled = false;
    };
  }

  share() {
    const numbers = Object.entries(this.app.doc.plain.parameters ?? {}).filter(([, v]) => typeof v === "number");
    $("share-sliders").replaceChildren(...numbers.map(([n], k) => el("label", {}, el("input", { type: "checkbox", value: n, checked: k < 3 }), el("span", { textContent: n }))), ...(numbers.length ? [] : [el("p", { class: "empty", textContent: "There are no parameters: the page shows the motion without sliders." })]));
    $("share").showModal();
  }

  // ------------------------------------------------------------------------------------------ view
  viewing() {
    const { app } = this, { paper } = app;
    $("view-button").onclick = () => $("shown").showModal();
    for (const what of ["grid", "names", "lengths"]) $(`show-${what}`).onchange = () => { paper[what] = $(`show-${what}`).checked; app.draw(); };
    $("show-forces").onchange = () => app.setForces($("show-forces").checked);
    $("traces-clear").onclick = () => { app.traces = []; app.draw(); };
    $("picture").onchange = () => this.picture($("picture").files[0]);
    for (const id of ["picture-wide", "picture-x", "picture-y", "picture-opacity"]) $(id).oninput = () => this.placePicture();
  }

  async picture(file) {
    if (!file) return;
    const image = await createImageBitmap(file).catch(() => null);
    if (!image) { this.app.tell("This picture cannot be read."); return; }
    this.app.paper.picture = { image };
    this.placePicture();
  }

  placePicture() {
    const { app } = this;
    if (!app.paper.picture) return;
    Object.assign(app.paper.picture, { wide: +$("picture-wide").value || 1, x: +$("picture-x").value, y: +$("picture-y").value, opacity: +$("picture-opacity").value });
    app.draw();
  }
}
