// What moves while the mouse does: sliders and grabbed bodies.  One message is on its way; of those of one kind that wait, one after
// the other, the newest counts (a pull replaces the pull before it, never the grab between them).
import { $ } from "./dom.js";

export class Hands {
  constructor(app) {
    Object.assign(this, { app, streams: {}, values: null, grabbed: -1, local: null, latency: [], pulls: [] });
  }

  stream(kind) { return (this.streams[kind] ??= { busy: null, next: [] }); }

  push(kind, message, single, then) {
    const s = this.stream(kind);
    if (s.next.at(-1)?.message.do === message.do) s.next.pop();
    s.next.push({ message, single, then });
    return (s.busy ??= this.run(s));
  }

  async run(s) {
    while (s.next.length) {
      const { message, single, then } = s.next.shift(), reply = await this.app.link.ask(message, single);
      try { then?.(reply); } catch (error) { reportError(error); } // the stream goes on
    }
    s.busy = null;
  }

  // ------------------------------------------------------------------------------------------ sliders
  live(parameters) {
    const { app } = this, { real } = app.player, start = performance.now();
    if (real) { real.parameters = { ...real.parameters, ...parameters }; return null; }
    this.values = { ...(this.values ?? {}), ...parameters };
    const plotted = app.plotted.length ? app.plotted : app.panels.plots.head?.plotted ?? [];
    return this.push("live", { do: "live", parameters: this.values, plotted, until: +$("until").value, forces: app.arrowsShown }, false, (reply) => {
      if (reply.what === "scene") this.latency.push(app.drawnAt - start); // to the draw call
      if (reply.what === "refused") app.notes(reply.text);
    });
  }

  // The slider is let go: its number goes into the document, in its turn; others may move already, and keep theirs.
  commit(name, value) {
    return this.app.turns.take(async () => {
      await this.stream("live").busy;
      const { [name]: _, ...others } = this.values ?? {};
      this.values = Object.keys(others).length ? others : null;
      return this.app.edit([{ op: "parameter", name, value }], `set ${name}`);
    });
  }

  // ------------------------------------------------------------------------------------------ bodies
  grab(k, local) {
    const { app } = this;
    app.player.showing = null;
    app.player.toggle(false);
    if (app.player.index) { app.player.index = 0; app.draw(); local = null; } // it is the drawing that moves
    const body = app.drawing.bodies[k];
    Object.assign(this, { grabbed: k, local: local ?? body.com, pulls: [] });
    this.hold(body.name, this.local);
  }

  hold(body, local) {
    this.push("pull", { do: "grab", body, local }, true, (r) => { if (r.what === "refused") this.app.tell(r.text); });
  }

  pull(to) {
    const { app } = this, start = performance.now();
    this.push("pull", { do: "pull", to }, true, (r) => {
      if (r.what !== "pulled" || (app.flat && this.grabbed < 0)) return;
      this.pulls.push(performance.now() - start);
      if (app.flat) {
        app.dragged = r.poses;
        app.reach = r.missing > 2 / app.paper.scale ? [app.paper.ground(this.grabbed, this.local, r.poses), to] : null;
      } else app.space.follow(r.poses);
      if (r.freedom === 0) $("hint").textContent = "It cannot move: no degree of freedom is left without its drives.";
      if (r.jump) app.tell("It would jump to another way of closing here: it stays on this one.");
      app.draw();
    });
  }

  // In its turn: what is pressed after it sees the pose it leaves.  press: of the mouse, which may have found nothing to hold.
  release({ anyway = false, press = null } = {}) {
    return this.app.turns.take(async () => {
      if (press && !press.held) return null;
      await this.stream("pull").busy; // the last place
      return this.app.change({ do: "release", anyway }, (r) => this.released(r));
    });
  }

  released(r) {
    const { app } = this;
    $("kept").hidden = r.what !== "kept";
    if (r.what === "kept") {
      $("kept").firstElementChild.textContent = `This pose is shown only: ${r.formulas.slice(0, 3).join(", ")}${r.formulas.length > 3 ? " …" : ""} are placed by formulas.`;
      return;
    }
    this.grabbed = -1;
    if (r.what === "refused") { app.dragged = null; app.tell(r.text); app.draw(); }
  }
}
