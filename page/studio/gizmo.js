// Arrows and rings on the selected body in space: it is moved or turned in the drawing, its joints are closed again by assembly.
import * as THREE from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";

const tidy = (v) => v.map((x) => Math.round(x * 1e9) / 1e9 || 0), numbers = (v) => v === undefined || (Array.isArray(v) && v.every((x) => typeof x === "number"));

export class Gizmo {
  constructor(space) {
    this.space = space;
    this.handle = new THREE.Object3D();
    this.controls = new TransformControls(space.eye.camera, space.canvas);
    this.controls.setSize(0.8);
    this.controls.addEventListener("dragging-changed", (e) => {
      space.eye.controls.enabled = !e.value;
      if (e.value) this.start = { p: this.handle.position.clone(), q: this.handle.quaternion.clone() };
      else this.commit();
    });
    this.controls.addEventListener("change", () => space.app.dirty());
  }

  get mode() { return this.controls.mode; }
  turn() { this.controls.setMode(this.mode === "translate" ? "rotate" : "translate"); this.space.app.tell(this.mode === "rotate" ? "Drag the rings to turn it; E moves again." : "Drag the arrows to move it; E turns."); }

  // On the body of that name, if its place is made of numbers; in a scene.
  show(scene, name) {
    const { app } = this.space, helper = this.controls.getHelper(), entry = name && app.doc.plain.body?.find((b) => b.name === name), k = app.scene.names.indexOf(name);
    const free = entry && k >= 0 && [entry.position, entry.start, entry.end, entry.rotation].every(numbers) && !app.player.real && !app.player.playing && app.player.index === 0 && !app.locked.has(name);
    this.controls.camera = this.space.eye.camera;
    if (!free) { this.controls.detach(); helper.removeFromParent(); return; }
    if (this.handle.parent !== scene) scene.add(this.handle);
    if (helper.parent !== scene) scene.add(helper);
    if (this.controls.dragging) return;
    const p = this.space.world.poses.at(0), i = 7 * k;
    this.handle.position.set(p[i], p[i + 1], p[i + 2]);
    this.handle.quaternion.set(p[i + 4], p[i + 5], p[i + 6], p[i + 3]);
    this.handle.updateMatrixWorld();
    this.body = entry;
    if (this.controls.object !== this.handle) this.controls.attach(this.handle);
  }

  commit() {
    const { app } = this.space, { body, handle, start } = this, name = body.name, ops = [];
    const by = handle.quaternion.clone().multiply(start.q.clone().invert());
    const moved = (v) => tidy(new THREE.Vector3(...v).sub(start.p).applyQuaternion(by).add(handle.position).toArray());
    if (body.start) ops.push({ op: "set", name, key: "start", value: moved(body.start) }, { op: "set", name, key: "end", value: moved(body.end) });
    else {
      ops.push({ op: "set", name, key: "position", value: tidy(handle.position.toArray()) });
      if (this.mode === "rotate") { const q = handle.quaternion; ops.push({ op: "set", name, key: "rotation", value: tidy([q.w, q.x, q.y, q.z]) }); }
    }
    app.turns.take(() => app.edit(ops, `${this.mode === "rotate" ? "turn" : "move"} ${name}`));
  }
}
