// The scene in three.js: parts as instances, ties, arrows, traces, floor, lights.
import * as THREE from "three";
import { place } from "./data.js";
import { Arrows } from "./arrows.js";
import { edges } from "./edges.js";

export const PALETTE = ["#4a8ad4", "#ee8434", "#3fae7c", "#d9565b", "#9474cf", "#c9a227", "#3fb0c0", "#dd74a8", "#7f93a8", "#8fb339"];
const LIGHT = { sun: 2.1, sky: 1.2, bounce: 0.6, fill: 0.35 }; // as in viewer/renderer/frames.py

const rgb = (c) => new THREE.Color().setRGB(c[0], c[1], c[2], THREE.SRGBColorSpace);

export class World {
  constructor(head, block, poses) {
    this.head = head;
    this.poses = poses;
    this.scene = new THREE.Scene();
    this.hidden = new Uint8Array(head.names.length);
    this.turn = new Float64Array(9 * head.names.length);
    this.geometries = head.meshes.map((m) => this.geometry(m, block));
    this.addLights();
    this.addFloor();
    this.addParts(block);
    this.addTies();
    this.arrows = new Arrows(this, head, block);
    this.addTraces();
  }

  geometry(m, block) {
    const g = new THREE.BufferGeometry();
    g.setAttribute("position", new THREE.BufferAttribute(block.vertices.subarray(3 * m.vertex, 3 * (m.vertex + m.vertices)), 3));
    g.setAttribute("normal", new THREE.BufferAttribute(block.normals.subarray(3 * m.vertex, 3 * (m.vertex + m.vertices)), 3));
    g.setIndex(new THREE.BufferAttribute(block.triangles.subarray(3 * m.triangle, 3 * (m.triangle + m.triangles)), 1));
    return g;
  }

  material(m, closed = true) {
    return new THREE.MeshPhongMaterial({
      color: rgb(m.diffuse), specular: rgb(m.specular), emissive: rgb(m.emissive), shininess: m.shininess,
      transparent: m.opacity < 1, opacity: m.opacity, depthWrite: m.opacity > 0.9,
      side: closed ? THREE.FrontSide : THREE.DoubleSide,
    });
  }

  addLights() {
    const s = this.head.stage, r = s.radius;
    const at = (d, k) => new THREE.Vector3(...s.centre).addScaledVector(new THREE.Vector3(...d), k);
    const sun = new THREE.DirectionalLight(0xffffff, LIGHT.sun);
    sun.position.copy(at(s.light, 3 * r));
    sun.target.position.copy(at(s.light, 0));
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    Object.assign(sun.shadow.camera, { left: -1.1 * r, right: 1.1 * r, top: 1.1 * r, bottom: -1.1 * r, near: 0.5 * r, far: 6.5 * r });
    sun.shadow.bias = -0.0004;
    sun.shadow.normalBias = 0.0022 * r;
    sun.shadow.radius = 2.5;
    this.sun = sun;
    const n = new THREE.Vector3(...s.normal), l = new THREE.Vector3(...s.light);
    const other = n.clone().multiplyScalar(2 * l.dot(n)).sub(l);
    const fill = new THREE.DirectionalLight(0xffffff, LIGHT.fill);
    fill.position.copy(at(other.toArray(), 3 * r));
    fill.target.position.copy(sun.target.position);
    const sky = new THREE.HemisphereLight();
    sky.color.setScalar(LIGHT.sky);
    sky.groundColor.setScalar(LIGHT.bounce);
    sky.intensity = 1;
    sky.position.set(...(s.flat ? s.normal : s.up));
    this.scene.add(sun, sun.target, fill, fill.target, sky);
  }

  addFloor() {
    const s = this.head.stage, size = 10 * s.radius;
    const basis = new THREE.Matrix4().makeBasis(new THREE.Vector3(...s.u), new THREE.Vector3(...s.across), new THREE.Vector3(...s.normal));
    const plane = new THREE.PlaneGeometry(size, size);
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    this.gridMaterial = new THREE.ShaderMaterial({
      transparent: true, depthWrite: false, side: THREE.DoubleSide,
      uniforms: {
        ink: { value: new THREE.Color() }, fine: { value: 0.4 }, bold: { value: 0.7 }, cell: { value: s.spacing }, fade: { value: size / 2 },
        origin: { value: new THREE.Vector2(dot(s.floor, s.u), dot(s.floor, s.across)) },
      },
      vertexShader: "varying vec2 p; void main() { p = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
      fragmentShader: `
        varying vec2 p; uniform vec3 ink; uniform float fine, bold, cell, fade; uniform vec2 origin;
        float lines(vec2 at, float wide) {
          vec2 w = max(fwidth(at), 1e-9) * wide, away = abs(at - floor(at + 0.5)) / w;
          vec2 show = clamp(1.0 - away, 0.0, 1.0) * clamp(0.25 / w, 0.0, 1.0);
          return max(show.x, show.y);
        }
        void main() {
          float near = clamp(1.0 - length(p) / fade, 0.0, 1.0);
          near = near * near * (3.0 - 2.0 * near);
          vec2 at = (p + origin) / cell;
          float a = near * max(fine * lines(at, 1.0), bold * lines(at / 5.0, 1.3));
          if (a < 0.004) discard;
          gl_FragColor = vec4(ink, a);
          #include <colorspace_fragment>
        }`,
    });
    this.shadowMaterial = new THREE.ShadowMaterial({ opacity: 0.3, transparent: true, depthWrite: false });
    this.floor = new THREE.Group();
    const grid = new THREE.Mesh(plane, this.gridMaterial), shade = new THREE.Mesh(plane, this.shadowMaterial);
    shade.receiveShadow = true;
    grid.renderOrder = -2;
    shade.renderOrder = -1;
    this.floor.add(shade, grid);
    this.floor.applyMatrix4(basis);
    this.floor.position.set(...s.floor);
    this.scene.add(this.floor);
  }

  // What the reader chose to see, and which part is marked.
  apply({ joints, grid, traces, ground, kinds, scale, selected }) {
    this.show("joint", joints);
    this.show("ground", ground);
    this.floor.visible = grid;
    this.traces.visible = traces;
    this.arrows.scale = scale;
    for (const kind of this.arrows.kinds) this.arrows.show(kind, Boolean(kinds[kind]));
    this.mark(selected);
  }

  // The parts of a body, or of a joint, in a lighter tone.
  mark(name) {
    const { parts, materials, names, owners } = this.head, light = new THREE.Color("#ffd23f");
    if (name === this.marked) return;
    this.marked = name;
    for (let k = 0; k < parts.body.length; k++) {
      const [batch, i] = this.where[k], own = parts.owner[k] >= 0 ? owners[parts.owner[k]] : names[parts.body[k]];
      const c = rgb(materials[parts.material[k]].diffuse);
      batch.setColorAt(i, name && own === name ? c.lerp(light, 0.62) : c);
      batch.instanceColor.needsUpdate = true;
    }
  }

  // The shadow map of a world that goes.
  take(old) {
    this.sun.shadow.map = old.sun.shadow.map;
    old.sun.shadow.map = null;
  }

  dispose() {
    this.scene.traverse((o) => {
      o.geometry?.dispose();
      for (const m of [o.material].flat()) m?.dispose();
      if (o !== this.sun) o.dispose?.();
    });
    this.sun.shadow.map?.dispose();
  }

  theme(dark) {
    this.gridMaterial.uniforms.ink.value.set(dark ? "#93a1b0" : "#7d8b99");
    this.gridMaterial.uniforms.fine.value = dark ? 0.2 : 0.38;
    this.gridMaterial.uniforms.bold.value = dark ? 0.34 : 0.66;
    this.shadowMaterial.opacity = dark ? 0.5 : 0.2;
  }

  // Parts that share mesh, gloss, opacity and role are drawn together; each keeps its colour.
  addParts(block) {
    const { parts, materials } = this.head, n = parts.body.length;
    this.local = block.parts; // 12 numbers each, rows of a 3×4 matrix
    const groups = new Map();
    for (let k = 0; k < n; k++) {
      const m = materials[parts.material[k]];
      const key = [parts.mesh[k], m.edges, m.specular, m.shininess, m.emissive, m.opacity, parts.role[k], parts.flip[k]].join();
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(k);
    }
    this.batches = [];
    this.where = new Array(n);
    for (const list of groups.values()) {
      const m = materials[parts.material[list[0]]], mesh = parts.mesh[list[0]];
      const material = this.material({ ...m, diffuse: [1, 1, 1] }, this.head.meshes[mesh].closed && !parts.flip[list[0]]);
      const batch = new THREE.InstancedMesh(this.geometries[mesh], material, list.length);
      batch.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
      batch.frustumCulled = false;
      batch.castShadow = m.opacity > 0.9;
      batch.receiveShadow = true;
      batch.userData = { list, role: this.head.roles[parts.role[list[0]]], moving: list.some((k) => parts.body[k] >= 0) };
      list.forEach((k, i) => {
        batch.setColorAt(i, rgb(materials[parts.material[k]].diffuse));
        this.where[k] = [batch, i];
      });
      for (let i = 0; i < list.length; i++) batch.instanceMatrix.array[16 * i + 15] = 1;
      if (m.edges && m.opacity === 1) edges(batch, 1e-3 * this.head.stage.radius);
      this.batches.push(batch);
      this.scene.add(batch);
    }
  }

  addTies() {
    const rod = new THREE.CylinderGeometry(1, 1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.ties = this.head.ties.map((tie) => {
      const m = this.head.materials[tie.material];
      const mesh = new THREE.Mesh(tie.kind === "spring" ? this.geometries[tie.mesh] : rod, this.material(m, false));
      mesh.matrixAutoUpdate = false;
      mesh.castShadow = m.opacity > 0.9;
      mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      this.scene.add(mesh);
      return { ...tie, object: mesh };
    });
  }

  // A trace is drawn faintly as a whole, strongly up to now; of runs compared, each in its run's colour.
  addTraces() {
    const { poses, head } = this, count = Math.min(poses.frames, 3000), p = new Float64Array(3);
    this.traces = new THREE.Group();
    this.paths = head.traces.map((trace) => {
      const points = new Float32Array(3 * count), index = new Float32Array(count);
      for (let k = 0; k < count; k++) {
        index[k] = count > 1 ? (k * (poses.frames - 1)) / (count - 1) : 0;
        place(poses.at(index[k]), trace.body, trace.local, p);
        points.set(p, 3 * k);
      }
      const colour = PALETTE[(head.runs.length > 1 ? head.run_of[trace.body] ?? 0 : trace.colour) % PALETTE.length];
      const make = (opacity) => {
        const g = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(points, 3));
        const line = new THREE.Line(g, new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity }));
        line.frustumCulled = false;
        this.traces.add(line);
        return line;
      };
      make(0.3);
      return { line: make(1), index, body: trace.body };
    });
    this.scene.add(this.traces);
  }

  update(index) {
    const pose = this.poses.at(index), { turn, local, hidden } = this, parts = this.head.parts;
    for (let b = 0, i = 0, o = 0; b < hidden.length; b++, i += 7, o += 9) {
      const w = pose[i + 3], x = pose[i + 4], y = pose[i + 5], z = pose[i + 6];
      turn[o] = 1 - 2 * (y * y + z * z); turn[o + 1] = 2 * (x * y - w * z); turn[o + 2] = 2 * (x * z + w * y);
      turn[o + 3] = 2 * (x * y + w * z); turn[o + 4] = 1 - 2 * (x * x + z * z); turn[o + 5] = 2 * (y * z - w * x);
      turn[o + 6] = 2 * (x * z - w * y); turn[o + 7] = 2 * (y * z + w * x); turn[o + 8] = 1 - 2 * (x * x + y * y);
    }
    for (const batch of this.batches) {
      if (!batch.userData.moving && batch.userData.set) continue;
      batch.userData.set = true;
      const out = batch.instanceMatrix.array, list = batch.userData.list;
      for (let k = 0, o = 0; k < list.length; k++, o += 16) {
        const l = 12 * list[k], b = parts.body[list[k]];
        if (b < 0) {
          for (let c = 0; c < 4; c++) for (let r = 0; r < 3; r++) out[o + 4 * c + r] = local[l + 4 * r + c];
          continue;
        }
        const t = 9 * b, show = hidden[b] ? 0 : 1;
        for (let r = 0; r < 3; r++) {
          const p = turn[t + 3 * r] * show, q = turn[t + 3 * r + 1] * show, s = turn[t + 3 * r + 2] * show;
          out[o + r] = p * local[l] + q * local[l + 4] + s * local[l + 8];
          out[o + 4 + r] = p * local[l + 1] + q * local[l + 5] + s * local[l + 9];
          out[o + 8 + r] = p * local[l + 2] + q * local[l + 6] + s * local[l + 10];
          out[o + 12 + r] = p * local[l + 3] + q * local[l + 7] + s * local[l + 11] + pose[7 * b + r];
        }
      }
      batch.instanceMatrix.needsUpdate = true;
    }
    this.updateTies(pose);
    this.arrows.update(pose, index);
    if (this.traces.visible) for (const path of this.paths) {
      let n = 0;
      while (n < path.index.length && path.index[n] <= index + 1e-9) n++;
      path.line.geometry.setDrawRange(0, n);
      path.line.visible = !(path.body >= 0 && hidden[path.body]);
    }
  }

  updateTies(pose) {
    const p = new Float64Array(3), q = new Float64Array(3), z = new THREE.Vector3(), x = new THREE.Vector3(), y = new THREE.Vector3();
    for (const tie of this.ties) {
      place(pose, tie.ends[0].body, tie.ends[0].local, p);
      place(pose, tie.ends[1].body, tie.ends[1].local, q);
      z.set(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
      const length = z.length();
      z.divideScalar(length || 1);
      x.set(Math.abs(z.x) < 0.9 ? 1 : 0, Math.abs(z.x) < 0.9 ? 0 : 1, 0).cross(z).normalize();
      y.crossVectors(z, x);
      tie.object.matrix.makeBasis(x.multiplyScalar(tie.radius), y.multiplyScalar(tie.radius), z.multiplyScalar(length)).setPosition(p[0], p[1], p[2]);
      const gone = tie.ends.some((e) => e.body >= 0 && this.hidden[e.body]);
      tie.object.visible = !gone;
    }
  }

  show(role, on) {
    for (const b of this.batches) if (b.userData.role === role) b.visible = on;
  }
}
