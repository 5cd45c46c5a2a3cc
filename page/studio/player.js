// Time: which moment is shown, playing it, real time in the server, poses and motions of answers.
import { $, ICON } from "./dom.js";

export class Player {
  constructor(app) {
    Object.assign(this, { app, index: 0, playing: false, rate: 1, real: null, begun: null, showing: null });
  }

  get times() { return this.app.scene?.block.t; }
  get time() { const t = this.times; return t ? interpolate(t, this.index) : 0; }
  get end() { const t = this.times; return t[t.length - 1]; }

  indexAt(time, t = this.times) {
    const n = t.length;
    if (time <= t[0] || n < 2) return 0;
    if (time >= t[n - 1]) return n - 1;
    let a = 0, b = n - 1;
    while (b - a > 1) { const m = (a + b) >> 1; if (t[m] <= time) a = m; else b = m; }
    return a + (time - t[a]) / (t[b] - t[a]);
  }

  // Poses of all bodies at a sample number with a fraction, in the plane.
  posesAt(index, scene = this.app.scene) {
    const { poses } = scene.block, nb = scene.names.length, f = Math.min(Math.floor(index), scene.frames - 1), s = index - f, out = [];
    for (let k = 0; k < nb; k++) {
      const a = 3 * (f * nb + k), b = s > 0 ? a + 3 * nb : a;
      out.push([0, 1, 2].map((c) => poses[a + c] + s * (poses[b + c] - poses[a + c])));
    }
    return out;
  }

  seek(t, still) {
    if (still) this.toggle(false);
    this.index = this.indexAt(t);
    this.app.draw();
  }

  step(by) {
    this.toggle(false);
    const to = by < 0 ? Math.ceil(this.index - 1e-6) - 1 : Math.floor(this.index + 1e-6) + 1;
    this.index = Math.max(0, Math.min(this.app.scene.frames - 1, to));
    this.app.draw();
  }

  // Back to the drawing.
  rest() {
    const { app } = this, shown = this.index || app.dragged || app.space?.now;
    this.setReal(false);
    this.showing = app.dragged = null;
    app.space?.follow(null);
    this.toggle(false);
    $("kept").hidden = true;
    this.index = 0;
    if (shown) app.draw();
  }

  // Real time: the motion goes on in the server, a spring pulls what is grabbed.
  async setReal(on) {
    const { app } = this;
    if (Boolean(this.begun) === on) return;
    const begun = (this.begun = on ? {} : null); // until the server has begun, real is null
    $("real").setAttribute("aria-pressed", on);
    if (!on) {
      this.real = app.dragged = null;
      app.space?.follow(null);
      app.link.ask({ do: "advance", end: true }, true);
      app.sayMobility();
      app.draw();
      return;
    }
    this.toggle(false);
    this.showing = null;
    this.index = 0;
    const first = await app.link.ask({ do: "advance", begin: true }, true);
    if (this.begun !== begun) return; // ended before it had begun
    if (first.what === "refused") { this.begun = null; $("real").setAttribute("aria-pressed", false); app.tell(first.text); return; }
    const me = (this.real = { t: 0, pull: null, steps: [] });
    $("hint").textContent = "Real time: grab a body, a spring pulls it. Sliders and forms act at once.";
    let last = performance.now();
    while (this.real === me) {
      await new Promise((r) => requestAnimationFrame(r));
      const now = performance.now(), dt = Math.min(0.1, ((now - last) / 1000) * this.rate);
      if (dt < 0.004) continue;
      last = now;
      const r = await app.link.ask({ do: "advance", dt, pull: me.pull, parameters: me.parameters }, true);
      if (this.real !== me) break;
      if (r.what === "refused") { app.tell(r.text); this.setReal(false); break; }
      me.steps.push(performance.now() - now);
      me.t = r.t;
      if (app.flat) { app.dragged = r.poses; app.hands.grabbed = -1; } else app.space.follow(r.poses);
      app.draw();
    }
  }

  toggle(on = !this.playing) {
    const { app } = this;
    if (on) this.setReal(false);
    if (on === this.playing || (on && !(app.scene?.frames > 1))) return;
    this.playing = on;
    $("play").innerHTML = on ? ICON.pause : ICON.play;
    $("play").setAttribute("aria-label", on ? "Pause" : "Play");
    app.help.look();
    if (!on) return;
    app.vectors = null;
    let last = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      const t = this.times, span = this.end - t[0];
      let to = this.time + (Math.min(now - last, 250) / 1000) * this.rate;
      last = now;
      if (to >= this.end) to = t[0] + ((to - t[0]) % (span || 1));
      this.index = this.indexAt(to);
      app.draw();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  // A pose or a motion of an answer, until something changes.
  show(poses) {
    const { app } = this;
    if (app.flat) { app.dragged = poses; app.hands.grabbed = -1; } else app.space?.follow(poses);
  }

  pose(poses) {
    this.toggle(false);
    this.showing = null;
    this.show(poses);
    this.app.dirty();
  }

  animate({ poses }) {
    const { app } = this;
    this.toggle(false);
    const start = performance.now(), showing = (this.showing = {});
    const tick = (now) => {
      if (this.showing !== showing || now - start > 8000 || this.playing) { if (this.showing === showing) { this.showing = null; this.show(null); app.dirty(); } return; }
      this.show(poses[Math.floor(((now - start) / 1600) * (poses.length - 1)) % poses.length]);
      app.draw();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
}

function interpolate(t, index) {
  const k = Math.min(Math.floor(index), t.length - 1), s = index - k;
  return s > 0 ? t[k] * (1 - s) + t[k + 1] * s : t[k];
}
