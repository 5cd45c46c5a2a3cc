// Forces as arrows, torques as rings about their axes; lengths follow the slider.  They are seen through bodies, faintly, and cast no shadows.
import * as THREE from "three";
import { place } from "./data.js";

export const KINDS = { force: "#d6453d", torque: "#c2571a", reaction: "#1f7a4d", "reaction torque": "#0f766e" };
const BEHIND = 0.45; // how much is seen of an arrow behind a body

function ring() {
  const tube = new THREE.TorusGeometry(1, 0.07, 10, 48, 1.5 * Math.PI);
  const head = new THREE.ConeGeometry(0.2, 0.42, 20).rotateZ(-Math.PI / 2).translate(0.21, -1, 0);
  const parts = [tube, head].map((g) => g.toNonIndexed());
  const out = new THREE.BufferGeometry();
  for (const name of ["position", "normal"]) {
    const all = parts.map((g) => g.getAttribute(name).array), sum = new Float32Array(all[0].length + all[1].length);
    sum.set(all[0]); sum.set(all[1], all[0].length);
    out.setAttribute(name, new THREE.BufferAttribute(sum, 3));
  }
  return out;
}

export class Arrows {
  constructor(world, head, block) {
    this.world = world;
    this.list = head.arrows;
    this.raw = block.arrows;
    this.low = block.arrows_low;
    this.step = block.arrows_step;
    this.thick = 0.022 * head.stage.radius;
    this.per = { N: head.arrow_scale[0], "N m": head.arrow_scale[1] };
    this.scale = 1; // the slider's
    this.near = 1; // of a following camera: as large on the screen as seen from afar
    this.shown = {};
    this.frames = head.frames;
    this.vector = new Float64Array(3);
    this.groups = {};
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 16).rotateX(Math.PI / 2), tip = new THREE.ConeGeometry(1, 1, 24).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const round = ring();
    for (const [kind, colour] of Object.entries(KINDS)) {
      const members = this.list.map((a, k) => k).filter((k) => this.list[k].kind === kind);
      if (!members.length) continue;
      const base = new THREE.Color(colour), look = { color: base, emissive: base.clone().multiplyScalar(0.12), specular: 0x222222, shininess: 40 };
      const material = new THREE.MeshPhongMaterial(look);
      const faint = new THREE.MeshPhongMaterial({ ...look, transparent: true, opacity: BEHIND, depthWrite: false, depthFunc: THREE.GreaterDepth });
      const make = (g) => {
        const mesh = new THREE.InstancedMesh(g, material, members.length), ghost = new THREE.InstancedMesh(g, faint, members.length);
        ghost.instanceMatrix = mesh.instanceMatrix;
        for (const m of [mesh, ghost]) Object.assign(m, { frustumCulled: false, castShadow: false });
        ghost.renderOrder = 2;
        mesh.add(ghost);
        mesh.visible = false;
        mesh.userData = { members };
        world.scene.add(mesh);
        return mesh;
      };
      this.groups[kind] = { members, meshes: kind.endsWith("torque") ? [make(round)] : [make(shaft), make(tip)] };
    }
  }

  get kinds() { return Object.keys(this.groups); }

  show(kind, on) {
    this.shown[kind] = on;
    for (const m of this.groups[kind]?.meshes ?? []) m.visible = on;
  }

  // Vector of arrow k at a sample number with a fraction.
  at(k, index) {
    const { raw, low, step, vector } = this, n = 3 * this.list.length;
    const f = Math.min(Math.floor(index), this.frames - 1), s = index - f;
    for (let c = 0; c < 3; c++) {
      const i = 3 * k + c, a = raw[f * n + i], b = s > 0 ? raw[(f + 1) * n + i] : a;
      vector[c] = low[i] + step[i] * (a + s * (b - a));
    }
    return vector;
  }

  // Name and value of arrow k, for people.
  told(k, index) {
    const a = this.list[k], v = Array.from(this.at(k, index)), size = Math.hypot(...v), flat = this.world.head.dim === 2;
    const parts = flat && a.unit === "N m" ? [] : (flat ? v.slice(0, 2) : v).map((x) => +(Math.abs(x) < 1e-9 * size ? 0 : x).toPrecision(4));
    const value = flat && a.unit === "N m" ? +v[2].toPrecision(4) : +size.toPrecision(4);
    return `${a.name}: ${a.kind} ${value} ${a.unit}${parts.length ? `  (${parts.join(", ")})` : ""}`;
  }

  update(pose, index) {
    const p = new Float64Array(3), z = new THREE.Vector3(), x = new THREE.Vector3(), y = new THREE.Vector3(), m = new THREE.Matrix4();
    const thick = this.thick * this.near;
    const basis = (a, b, c, px, py, pz) => m.set(x.x * a, y.x * b, z.x * c, px, x.y * a, y.y * b, z.y * c, py, x.z * a, y.z * b, z.z * c, pz, 0, 0, 0, 1);
    for (const [kind, { members, meshes }] of Object.entries(this.groups)) {
      if (!this.shown[kind]) continue;
      members.forEach((k, i) => {
        const arrow = this.list[k], v = this.at(k, index), size = Math.hypot(v[0], v[1], v[2]);
        const gone = arrow.body >= 0 && this.world.hidden[arrow.body];
        const length = gone ? 0 : size * this.scale * this.near * this.per[arrow.unit];
        place(pose, arrow.body, arrow.local, p);
        z.set(v[0], v[1], v[2]);
        if (size > 0) z.divideScalar(size); else z.set(0, 0, 1);
        x.set(Math.abs(z.x) < 0.9 ? 1 : 0, Math.abs(z.x) < 0.9 ? 0 : 1, 0).cross(z).normalize();
        y.crossVectors(z, x);
        if (meshes.length === 1) {
          meshes[0].setMatrixAt(i, basis(length, length, length, p[0], p[1], p[2]));
          return;
        }
        const head = Math.min(3.4 * thick, 0.55 * length), wide = thick * Math.min(1, length / (3.4 * thick)), shaft = length - head;
        const h = shaft / 2;
        meshes[0].setMatrixAt(i, basis(0.45 * wide, 0.45 * wide, shaft, p[0] + h * z.x, p[1] + h * z.y, p[2] + h * z.z));
        meshes[1].setMatrixAt(i, basis(1.25 * wide, 1.25 * wide, head, p[0] + shaft * z.x, p[1] + shaft * z.y, p[2] + shaft * z.z));
      });
      for (const mesh of meshes) mesh.instanceMatrix.needsUpdate = true;
    }
  }
}
