// The view of a model in space: the page's own scene, cameras and picking by colour of parts.
import * as THREE from "three";
import { Poses } from "../src/data.js";
import { World } from "../src/world.js";
import { Eye } from "../src/eye.js";
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
    canvas.addEventListener("pointerdown", (e) => { this.from = [e.clientX, e.clientY]; });
    canvas.addEventListener("pointerup", (e) => { if (this.from && Math.hypot(e.clientX - this.from[0], e.clientY - this.from[1]) < 4) app.select(this.pick(e)); });
  }

  take(scene) {
    const head = scene.scene, block = scene.block, old = this.world, key = JSON.stringify([head.stage.radius > 0, head.names]);
    this.poses = new Poses(head, block);
    this.world = new World(head, block, this.poses);
    for (const kind of this.world.arrows.kinds) this.settings.kinds[kind] = this.app.arrowsShown;
    this.world.apply(this.settings);
    this.world.theme(this.app.dark);
    if (old) { this.world.take(old); old.dispose(); }
    if (!this.eye || this.key !== key) { this.eye = new Eye(head.stage, this.canvas, () => this.app.dirty()); this.key = key; this.resize(); }
  }

  fit() { this.eye?.go("iso"); }

  pick(e) {
    if (!this.world) return null;
    const r = this.canvas.getBoundingClientRect(), at = new THREE.Vector2((2 * (e.clientX - r.left)) / r.width - 1, 1 - (2 * (e.clientY - r.top)) / r.height);
    this.caster.setFromCamera(at, this.eye.camera);
    for (const b of this.world.batches) b.computeBoundingSphere();
    const hit = this.caster.intersectObjects(this.world.batches.filter((b) => b.visible), false)[0];
    if (!hit) return null;
    const k = hit.object.userData.list[hit.instanceId], { parts, names, owners } = this.world.head;
    return parts.owner[k] >= 0 ? owners[parts.owner[k]] : parts.body[k] >= 0 ? names[parts.body[k]] : null;
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = $("view");
    if (!w || !h || !this.eye) return;
    this.renderer.setSize(w, h, false);
    this.eye.resize(w, h);
  }

  draw(index) {
    if (!this.world || !this.eye) return;
    this.settings.selected = [...this.app.selected][0] ?? null;
    this.world.mark(this.settings.selected);
    this.world.update(Math.min(index, this.poses.frames - 1));
    this.renderer.render(this.world.scene, this.eye.camera);
  }
}
