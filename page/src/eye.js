// Cameras: a perspective one for the oblique view in space, a parallel one for the plane and for front, top, side.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const FIELD = 32;

export class Eye {
  constructor(stage, canvas, changed) {
    this.stage = stage;
    const r = stage.radius;
    this.far = new THREE.PerspectiveCamera(FIELD, 1, 0.005 * r, 60 * r);
    this.flat = new THREE.OrthographicCamera(-1, 1, 1, -1, -30 * r, 60 * r);
    for (const c of [this.far, this.flat]) c.up.set(...stage.up);
    this.canvas = canvas;
    this.changed = changed;
    this.aspect = 1;
    this.go(stage.flat ? "front" : "iso");
  }

  use(camera) {
    if (this.camera === camera) return;
    this.controls?.dispose();
    this.camera = camera;
    const c = (this.controls = new OrbitControls(camera, this.canvas));
    c.addEventListener("change", this.changed);
    c.enableDamping = false;
    c.zoomToCursor = true;
    if (this.stage.flat) {
      c.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.ROTATE };
      c.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_ROTATE };
    }
  }

  go(name) {
    const stage = this.stage;
    if (name !== "fit") this.name = name;
    const views = stage.views;
    let back;
    if (name === "fit") back = this.camera.position.clone().sub(this.controls.target).normalize();
    else back = new THREE.Vector3(...views[name]);
    if (name !== "fit") this.use(stage.flat || name !== "iso" ? this.flat : this.far);
    const up = new THREE.Vector3(...stage.up);
    let right = new THREE.Vector3().crossVectors(up, back);
    if (right.length() < 1e-6) right.set(...stage.u);
    right.normalize();
    const above = new THREE.Vector3().crossVectors(back, right);
    const axes = [right, above, back], centre = new THREE.Vector3(...stage.centre), cloud = stage.cloud, p = new THREE.Vector3();
    const d = [];
    const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
    for (let k = 0; k < cloud.length; k += 3) {
      p.set(cloud[k], cloud[k + 1], cloud[k + 2]).sub(centre);
      const q = axes.map((a) => a.dot(p));
      d.push(q);
      for (const i of [0, 1]) { low[i] = Math.min(low[i], q[i]); high[i] = Math.max(high[i], q[i]); }
    }
    const mid = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    const target = centre.addScaledVector(right, mid[0]).addScaledVector(above, mid[1]);
    const small = 0.02 * stage.radius;
    let distance = 4 * stage.radius;
    if (this.camera === this.flat) {
      this.height = 2.16 * Math.max((high[1] - low[1]) / 2, (high[0] - low[0]) / 2 / this.aspect, small);
      this.flat.zoom = 1;
    } else {
      const half = Math.tan((FIELD * Math.PI) / 360) * 0.86;
      distance = small;
      for (const q of d) distance = Math.max(distance, q[2] + Math.abs(q[1] - mid[1]) / half, q[2] + Math.abs(q[0] - mid[0]) / (half * this.aspect));
    }
    this.camera.position.copy(target).addScaledVector(back, distance);
    this.controls.target.copy(target);
    this.shape();
    this.controls.update();
    this.touched = false;
    this.usual = this.tall();
    this.changed();
  }

  // How tall the picture is in space, at the target.
  tall() {
    const { camera } = this;
    return camera === this.flat ? this.height / camera.zoom : 2 * Math.tan((FIELD * Math.PI) / 360) * camera.position.distanceTo(this.controls.target);
  }

  // Turn (in the plane: move) by parts of the picture, or come nearer: the keyboard's way.
  nudge(x, y, nearer = 1) {
    const { camera, controls } = this, offset = camera.position.clone().sub(controls.target), up = new THREE.Vector3(...this.stage.up);
    if (nearer !== 1 && camera === this.flat) { camera.zoom *= nearer; this.shape(); } else if (nearer !== 1) offset.divideScalar(nearer);
    const right = new THREE.Vector3(), above = new THREE.Vector3();
    camera.matrixWorld.extractBasis(right, above, new THREE.Vector3());
    if (this.stage.flat) controls.target.addScaledVector(right, x * this.tall()).addScaledVector(above, y * this.tall());
    else if (x || y) {
      offset.applyAxisAngle(up, -2 * x);
      const lifted = offset.clone().applyAxisAngle(right, 2 * y);
      if (lifted.clone().cross(up).length() > 0.05 * lifted.length()) offset.copy(lifted);
    }
    camera.position.copy(controls.target).add(offset);
    this.touched = true;
    controls.update();
    this.changed();
  }

  // The camera as text, and back.
  get told() {
    const { camera, controls } = this, round = (v) => v.toArray().map((x) => +x.toPrecision(7));
    return [camera === this.flat ? "flat" : "far", ...round(camera.position), ...round(controls.target), +(camera === this.flat ? this.height / camera.zoom : 1).toPrecision(7)].join(",");
  }

  set told(text) {
    const [kind, ...n] = text.split(","), x = n.map(Number);
    if (x.length !== 7 || !x.every(Number.isFinite) || !(x[6] > 0)) return;
    this.use(kind === "flat" ? this.flat : this.far);
    this.camera.position.set(...x.slice(0, 3));
    this.controls.target.set(...x.slice(3, 6));
    if (kind === "flat") { this.height = x[6]; this.flat.zoom = 1; }
    this.touched = true;
    this.shape();
    this.controls.update();
    this.changed();
  }

  // Move with a body; direction and distance stay.
  onto(poses, body = 0) {
    const { camera, controls } = this, i = 7 * body, to = new THREE.Vector3(poses[i], poses[i + 1], poses[i + 2]);
    camera.position.add(to).sub(controls.target);
    controls.target.copy(to);
    this.touched = true;
  }

  // As near as the bodies' distances from each other allow; a lone body says nothing about its size: a quarter of the way.
  near(poses, count, body = 0) {
    const first = new THREE.Vector3(poses[7 * body], poses[7 * body + 1], poses[7 * body + 2]), p = new THREE.Vector3(), { camera, controls } = this;
    let size = 0;
    for (let k = 0; k < count; k++) size = Math.max(size, first.distanceTo(p.set(poses[7 * k], poses[7 * k + 1], poses[7 * k + 2])));
    const offset = camera.position.clone().sub(controls.target), now = camera === this.flat ? this.height / camera.zoom : offset.length() * 0.57;
    const closer = Math.max(1, Math.min(50, size > 0 ? now / (4 * size) : 4));
    if (camera === this.flat) { camera.zoom *= closer; this.shape(); } else offset.divideScalar(closer);
    camera.position.copy(first).add(offset);
    controls.target.copy(first);
  }

  // Keep the picture right when the window changes: same height of view, and fitted again while nobody has moved the camera.
  resize(width, height) {
    this.aspect = width / height;
    if (this.moved()) this.shape();
    else this.go(this.name);
  }

  moved() { return this.touched; }

  shape() {
    this.far.aspect = this.aspect;
    this.far.updateProjectionMatrix();
    const h = (this.height ?? 1) / 2;
    Object.assign(this.flat, { left: -h * this.aspect, right: h * this.aspect, top: h, bottom: -h });
    this.flat.updateProjectionMatrix();
  }
}
