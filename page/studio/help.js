// Keys, and a first build that watches what is drawn.
import { $, el } from "./dom.js";
import { TOOLS } from "./tools.js";

export const KEYS = [
  ...TOOLS.map(([, key, title]) => [key, title]),
  ["Space", "play or pause"], ["T", "real time: grab bodies with a spring"], ["Home", "back to the drawing"], ["← →", "one sample back, on"], ["Ctrl Z", "undo"], ["Ctrl Shift Z", "redo"], ["Ctrl S", "save"], ["Ctrl D", "duplicate"], ["M", "mirror"], ["Del", "delete what is selected"],
  ["Esc", "put the tool away, select nothing"], ["+", "add an element by its form"], ["0", "fit"], ["X", "grid on or off"], ["N", "names"], ["R", "forces and reactions"], ["1 … 5", "part, parameters, plots, answers, text"], ["?", "this help"],
  ["Alt drag", "move the paper with any tool"], ["Shift drag", "move a joint or corner: lengths change"], ["Wheel", "zoom"], ["E", "space: arrows or rings on the selected body"], ["Ctrl drag", "space: drag a body, the mechanism follows"],
];

// Each step: what to do, and how it is seen to be done.
const has = (app, section, n) => (app.doc.plain[section]?.length ?? 0) >= n;
const STEPS = [
  ["Draw the crank: press L (Link), click at (0, 0) and then at (0, 0.2).", (a) => has(a, "body", 1)],
  ["Draw the coupler: click the crank's upper end, then (0.6, 0.4). The ends snap, a pin joins them.", (a) => has(a, "body", 2)],
  ["Draw the rocker: click the coupler's right end, then (0.6, 0).", (a) => has(a, "body", 3)],
  ["Support it: press G and click the lower end of the crank, then of the rocker.", (a) => (a.doc.plain.joint ?? []).filter((j) => j.between?.includes("ground")).length >= 2],
  ["One way to move is left. Press D (Drive) and click the crank's support.", (a) => has(a, "drive", 1)],
  ["Press Space to play it.", (a) => a.player.playing],
  ["Read it: tab Plots shows the drive's torque; press R to see the reactions as arrows.", (a) => a.arrowsShown],
];

export class Help {
  constructor(app) {
    this.app = app;
    $("help-button").onclick = () => $("help").showModal();
    $("help").querySelector("dl").append(...KEYS.flatMap(([k, d]) => [el("dt", {}, ...k.split(" ").map((x) => el("kbd", { textContent: x }))), el("dd", { textContent: d })]));
    $("guide-button").onclick = () => { $("help").close(); if (app.dialogs.leave()) this.begin(); };
    $("guide-close").onclick = () => this.end();
  }

  async begin() {
    this.step = null;
    await this.app.open({ new: 2 });
    this.step = 0;
    $("guide").hidden = false;
    this.look();
  }

  end() { this.step = null; $("guide").hidden = true; }

  look() {
    if (this.step === null || this.step === undefined) return;
    while (this.step < STEPS.length && STEPS[this.step][1](this.app)) this.step++;
    const done = this.step >= STEPS.length;
    $("guide-text").textContent = done ? "Done: a driven four-bar with its torque and reactions. Drag a body, or give a length a parameter (tab Parameters) and move its slider." : STEPS[this.step][0];
    $("guide-count").textContent = done ? "✓" : `${this.step + 1} / ${STEPS.length}`;
  }
}
