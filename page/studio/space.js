// The view of a model in space: the page's own scene, cameras and picking by colour of parts.
import * as THREE from "three";
import { Poses } from "../src/data.js";
import { World } from "../src/world.js";
import { Eye } from "../src/eye.js";
import { Gizmo } from "./gizmo.js";
import { $ } from "./dom.js";

export class Space {
  constructor(app, canvas) {
    Object.assign(this, { app, canvas });
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.settings = { joints: true, grid: true, traces: true, ground: true, kinds: {}, scale: 1, selected: null };
    this.caster = new THREE.Raycaster();
    this.spring = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ depthTest: false, transparent: true }));
    Object.assign(this.spring, { renderOrder: 10, frustumCulled: false });
    canvas.addEventListener("pointerdown", (e) => this.down(e), { capture: true }); // before the camera's
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", (e) => this.up(e));
    canvas.addEventListener("pointercancel", () => this.drop());
  }

  // A body under the mouse is grabbed: with Ctrl (assembly) or in real time (a spring); else the camera turns.
  down(e) {
    const { app } = this, hit = this.hit(e);
    this.from = [e.clientX, e.clientY];
    const name = hit && this.nameOf(hit), k = app.scene?.names.indexOf(name) ?? -1;
    if (k < 0 || app.locked.has(name) || !(app.player.real || e.ctrlKey)) return;
    const pose = this.world.poses.at(this.world.poses.frames > 1 ? app.player.index : 0), p = hit.point, i = 7 * k;
    const turn = new THREE.Quaternion(pose[i + 4], pose[i + 5], pose[i + 6], pose[i + 3]).invert();
    const local = new THREE.Vector3(p.x - pose[i], p.y - pose[i + 1], p.z - pose[i + 2]).applyQuaternion(turn).toArray();
    const away = new THREE.Vector3();
    this.eye.camera.getWorldDirection(away);
    this.held = { body: name, local, plane: new THREE.Plane().setFromNormalAndCoplanarPoint(away, p) };
    this.eye.controls.enabled = false;
    this.canvas.setPointerCapture(e.pointerId); // it is let go wherever the mouse is
    app.select(name);
    if (app.player.real) app.player.real.pull = { body: name, local, to: p.toArray() };
    else app.hands.hold(name, local);
  }

  move(e) {
    const { app, held } = this;
    if (!held) return;
    this.aim(e);
    const to = this.caster.ray.intersectPlane(held.plane, new THREE.Vector3())?.toArray();
    if (!to) return;
    if (app.player.real) { app.player.real.pull = { body: held.body, local: held.local, to }; return; }
    app.hands.pull(to);
  }

  up(e) {
    const { app } = this;
    if (this.gizmo?.controls.dragging) return;
    if (this.held) { this.drop(); if (!app.player.real) app.tell("This pose is shown only; press Home to go back to the drawing."); return; }
    if (this.from && Math.hypot(e.clientX - this.from[0], e.clientY - this.from[1]) < 4) { const hit = this.hit(e); app.select(hit ? this.nameOf(hit) : null); }
  }

  drop() {
    this.held = null;
    if (this.eye) this.eye.controls.enabled = true;
    if (this.app.player.real) this.app.player.real.pull = null;
  }

  take(scene) {
    const head = scene.scene, block = scene.block, old = this.world, key = JSON.stringify([head.stage.radius > 0, head.names]);
    this.poses = new Poses(head, block);
    this.world = new World(head, block, this.poses);
    for (const kind of this.world.arrows.kinds) this.settings.kinds[kind] = this.app.arrowsShown;
    this.world.apply(this.settings);
    this.world.theme(this.app.dark);
    this.gizmo?.handle.removeFromParent();
    this.gizmo?.controls.getHelper().removeFromParent();
    if (old) { this.world.take(old); old.dispose(); }
    if (!this.eye || this.key !== key) { this.eye?.controls.dispose(); this.eye = new Eye(head.stage, this.canvas, () => this.app.dirty()); this.key = key; this.resize(); }
    this.gizmo ??= new Gizmo(this);
  }

  // Poses from elsewhere (real time, a drag): seven numbers per body; null: those of the motion.
  follow(poses) {
    if (!this.world) return;
    const now = poses && Float64Array.from(poses.flat());
    this.world.poses = now ? { at: () => now, now, frames: 1, t: [0] } : this.poses;
    this.now = now;
  }

  fit() { this.eye?.go("iso"); }

  aim(e) {
    const r = this.canvas.getBoundingClientRect();
    this.caster.setFromCamera(new THREE.Vector2((2 * (e.clientX - r.left)) / r.width - 1, 1 - (2 * (e.clientY - r.top)) / r.height), this.eye.camera);
  }

  hit(e) {
    if (!this.world) return null;
    this.aim(e);
    for (const b of this.world.batches) b.computeBoundingSphere();
    return this.caster.intersectObjects(this.world.batches.filter((b) => b.visible), false)[0] ?? null;
  }

  nameOf(hit) {
    const k = hit.object.userData.list[hit.instanceId], { parts, names, owners } = this.world.head;
    return parts.owner[k] >= 0 ? owners[parts.owner[k]] : parts.body[k] >= 0 ? names[parts.body[k]] : null;
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = $("view");
    if (!w || !h || !this.eye) return;
    this.renderer.setSize(w, h, false);
    this.eye.resize(w, h);
  }

  // The spring between the point that is held and the mouse, over everything.
  coil() {
    const { spring, app } = this, pull = app.player.real?.pull, k = pull ? app.scene.names.indexOf(pull.body) : -1;
    if (k < 0 || !this.now) { spring.removeFromParent(); return; }
    const p = this.now, i = 7 * k, from = new THREE.Vector3(...pull.local).applyQuaternion(new THREE.Quaternion(p[i + 4], p[i + 5], p[i + 6], p[i + 3])).add(new THREE.Vector3(p[i], p[i + 1], p[i + 2]));
    const along = new THREE.Vector3(...pull.to).sub(from), away = this.eye.camera.getWorldDirection(new THREE.Vector3()), side = along.clone().cross(away).normalize().multiplyScalar(0.012 * this.eye.camera.position.distanceTo(from));
    const turns = 14, points = Array.from({ length: turns + 1 }, (_, n) => from.clone().addScaledVector(along, n / turns).addScaledVector(side, n < 2 || n > turns - 2 ? 0 : n % 2 ? 1 : -1));
    spring.geometry.dispose();
    spring.geometry = new THREE.BufferGeometry().setFromPoints(points);
    spring.material.color.set(getComputedStyle(document.documentElement).getPropertyValue("--accent").trim() || "#2467b3");
    if (spring.parent !== this.world.scene) this.world.scene.add(spring);
  }

  draw(index) {
    if (!this.world || !this.eye) return;
    this.settings.selected = [...this.app.selected][0] ?? null;
    this.world.mark(this.settings.selected);
    this.world.update(Math.min(index, this.poses.frames - 1));
    this.gizmo.show(this.world.scene, this.settings.selected);
    this.coil();
    this.app.drawnAt = performance.now();
    this.renderer.render(this.world.scene, this.eye.camera);
  }
}
