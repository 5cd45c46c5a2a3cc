// The keyboard.
import { $ } from "./dom.js";
import { TOOLS } from "./tools.js";

const TABS = ["part", "parameters", "plots", "answers", "text"];

export function listen(app) {
  const { player } = app, inTurn = (act) => (e) => app.turns.take(() => act(e)); // after the strokes that wait
  const acts = {
    " ": () => player.toggle(), t: () => player.setReal(!player.real), home: () => player.rest(), arrowleft: () => player.step(-1), arrowright: () => player.step(1),
    escape: () => { app.tools.use("select"); app.select(null); }, delete: () => app.remove(), backspace: () => app.remove(), enter: inTurn(() => app.tools.corners?.length && app.tools.finish()),
    m: () => app.duplicate(true), e: () => app.space?.gizmo?.turn(), "+": () => $("add-button").click(), "?": () => $("help").showModal(),
    0: () => app.fit(), x: () => $("show-grid").click(), n: () => $("show-names").click(), r: () => app.setForces(!app.arrowsShown),
  };
  const together = { z: inTurn((e) => app.change({ do: e.shiftKey ? "redo" : "undo" })), y: inTurn(() => app.change({ do: "redo" })), d: () => app.duplicate(false) };
  addEventListener("keydown", (e) => {
    const key = e.key.toLowerCase(), ctrl = e.ctrlKey || e.metaKey;
    if (document.querySelector("dialog[open]")) return;
    if (ctrl && key === "s") { e.preventDefault(); app.dialogs.save(); return; }
    if (e.target.matches?.("input:not([type=range]):not([type=checkbox]), textarea, select")) { if (key === "escape") e.target.blur(); return; }
    if (/^(enter| )$/.test(key) && e.target.matches?.("button, summary")) return; // who came there by Tab presses it (the mouse leaves no focus)
    if (e.target.matches?.("[data-parameter]") && /^(arrow|home|end|page)/.test(key)) return; // a parameter's slider: its own keys
    const tool = !ctrl && app.flat && TOOLS.find((t) => t[1].toLowerCase() === key), act = ctrl ? together[key] : acts[key];
    if (e.altKey || (!tool && !act && !(TABS[+key - 1] && !ctrl))) return;
    e.preventDefault();
    if (tool) app.tools.use(tool[0]); else if (act) act(e); else app.panels.show(TABS[+key - 1]);
  });
}
