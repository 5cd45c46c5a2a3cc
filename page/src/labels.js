// Names of bodies and joints beside them, an axis triad, and a bar that says how long things are: elements over the canvas.
import * as THREE from "three";
import { place } from "./data.js";

const $ = (id) => document.getElementById(id);
const MOST = 80;

export class Labels {
  constructor(app) {
    this.app = app;
    this.box = $("labels");
    this.on = false;
    this.fill();
  }

  fill() {
    const { head } = this.app, all = head.labels.slice(0, MOST);
    this.list = all.map((l) => {
      const e = Object.assign(document.createElement("span"), { textContent: l.name, className: l.kind });
      return { ...l, e };
    });
    this.box.replaceChildren(...this.list.map((l) => l.e));
    this.show(this.on);
  }

  show(on) { this.on = on; this.box.hidden = !on; this.app.dirty(); }

  // Names that are seen, and where they stand in a picture of this size.
  placed(pose, camera, width, height) {
    const p = new Float64Array(3), v = new THREE.Vector3(), taken = [];
    for (const l of this.list) {
      place(pose, l.body, l.local, p);
      v.set(p[0], p[1], p[2]).project(camera);
      if ((l.body >= 0 && this.app.world.hidden[l.body]) || v.z > 1 || Math.abs(v.x) > 1.05 || Math.abs(v.y) > 1.05) continue;
      const x = ((v.x + 1) / 2) * width + 8, w = 7 * l.name.length + 12;
      let y = ((1 - v.y) / 2) * height - 8;
      while (taken.some((o) => Math.abs(o.y - y) < 17 && x < o.x + o.w && o.x < x + w)) y += 17; // below the one that is there
      taken.push({ l, x, y, w });
    }
    return taken;
  }

  update(pose, camera, width, height) {
    if (!this.on) return;
    const seen = new Map(this.placed(pose, camera, width, height).map((o) => [o.l, o]));
    for (const l of this.list) {
      const o = seen.get(l);
      l.e.hidden = !o;
      if (o) l.e.style.transform = `translate(${o.x.toFixed(1)}px, ${o.y.toFixed(1)}px)`;
    }
  }

  // The same on a picture that is saved, of so many of its points per point of the screen.
  paint(paper, pose, camera, ratio) {
    if (!this.on) return;
    const style = getComputedStyle(document.documentElement), of = (name) => style.getPropertyValue(name).trim();
    paper.save();
    paper.scale(ratio, ratio);
    paper.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    paper.textBaseline = "middle";
    for (const { l, x, y } of this.placed(pose, camera, paper.canvas.width / ratio, paper.canvas.height / ratio)) {
      paper.globalAlpha = 0.8;
      paper.fillStyle = of("--paper");
      paper.beginPath();
      paper.roundRect(x, y, paper.measureText(l.name).width + 10, 15, 4);
      paper.fill();
      paper.globalAlpha = 1;
      paper.fillStyle = of(l.kind === "joint" ? "--accent" : "--ink");
      paper.fillText(l.name, x + 5, y + 8);
    }
    paper.restore();
  }
}

const NICE = [1, 2, 5, 10];

// Metres as people write them.
export function metres(x) {
  const [unit, size] = [["km", 1e3, 1e3], ["m", 1, 0.1], ["mm", 1e-3, 1e-3], ["µm", 1e-6, 0]].find(([, , from]) => x >= 0.999 * from);
  return `${+(x / size).toPrecision(3)} ${unit}`;
}

export class Corner {
  constructor(stage) {
    this.svg = $("triad");
    this.bar = $("scale");
    this.axes = [["x", "#c8352f"], ["y", "#1f8f4d"], ["z", "#2f6fd0"]].map(([name, colour]) => {
      const make = (tag, at) => { const e = document.createElementNS("http://www.w3.org/2000/svg", tag); for (const [k, v] of Object.entries(at)) e.setAttribute(k, v); return e; };
      const line = make("line", { stroke: colour, "stroke-width": 2.4, "stroke-linecap": "round" }), text = make("text", { fill: colour });
      text.textContent = name;
      this.svg.append(line, text);
      return { line, text };
    });
    this.stage = stage;
  }

  update(eye, height) {
    const { camera, controls } = eye, right = new THREE.Vector3(), up = new THREE.Vector3(), back = new THREE.Vector3();
    camera.matrixWorld.extractBasis(right, up, back);
    const key = [right.x, right.y, right.z, up.x, up.y, up.z].map((x) => x.toFixed(3)).join();
    if (key !== this.key) {
      this.key = key;
      ["x", "y", "z"].forEach((c, k) => {
        const x = 26 * right[c], y = -26 * up[c], seen = Math.hypot(x, y) > 4, { line, text } = this.axes[k];
        line.style.display = text.style.display = seen ? "" : "none";
        for (const [n, v] of [["x1", 36], ["y1", 36], ["x2", 36 + x], ["y2", 36 + y]]) line.setAttribute(n, v.toFixed(1));
        line.setAttribute("opacity", back[c] < -0.3 ? 0.45 : 1);
        text.setAttribute("x", (36 + 1.28 * x).toFixed(1));
        text.setAttribute("y", (36 + 1.28 * y).toFixed(1));
      });
    }
    const tall = camera.isOrthographicCamera ? (camera.top - camera.bottom) / camera.zoom : 2 * Math.tan((camera.fov * Math.PI) / 360) * camera.position.distanceTo(controls.target);
    const metre = height / tall, rough = 110 / metre, power = 10 ** Math.floor(Math.log10(rough));
    const length = power * NICE.filter((k) => k * power <= rough * 1.0001).pop();
    if (length === this.length && metre === this.metre) return;
    this.length = length; this.metre = metre;
    this.bar.style.width = `${(length * metre).toFixed(1)}px`;
    this.bar.textContent = metres(length);
  }
}
