// Pointing at a body, joint or arrow shows its name and numbers; a click selects it and lists all of them.
import * as THREE from "three";
import { short } from "./chart.js";

const $ = (id) => document.getElementById(id);
const STILL = 4; // pixels a click may wander

export class Picker {
  constructor(app) {
    this.app = app;
    this.ray = new THREE.Raycaster();
    this.tip = $("tip");
    this.rows = [];
    const canvas = $("canvas");
    let last = 0, down = null;
    canvas.addEventListener("pointermove", (e) => {
      if (app.playing || e.buttons || e.pointerType === "touch" || performance.now() - last < 40) return;
      last = performance.now();
      const r = canvas.getBoundingClientRect(), text = this.told(this.hit(e.clientX - r.left, e.clientY - r.top, r));
      this.tip.hidden = !text;
      if (!text) return;
      this.tip.textContent = text;
      this.tip.style.left = `${Math.max(4, Math.min(e.clientX - r.left + 14, r.width - this.tip.offsetWidth - 6))}px`;
      this.tip.style.top = `${Math.max(4, e.clientY - r.top - 30)}px`;
    });
    canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    canvas.addEventListener("pointerdown", (e) => { down = [e.clientX, e.clientY, e.button]; });
    canvas.addEventListener("pointerup", (e) => {
      if (!down || down[2] !== 0 || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > STILL) return;
      const r = canvas.getBoundingClientRect(), found = this.hit(e.clientX - r.left, e.clientY - r.top, r);
      this.show(found?.name ?? null);
    });
    $("selected-close").onclick = () => this.select(null);
  }

  // What lies under a point of the canvas: {name, arrow} or null.
  hit(x, y, r) {
    const { app, ray } = this, { world, head } = app;
    ray.setFromCamera(new THREE.Vector2((2 * x) / r.width - 1, 1 - (2 * y) / r.height), app.eye.camera);
    const arrows = Object.values(world.arrows.groups).flatMap((g) => g.meshes).filter((m) => m.visible);
    for (const b of [...world.batches, ...arrows]) b.computeBoundingSphere();
    const arrow = ray.intersectObjects(arrows, false).find((h) => h.instanceId !== undefined); // seen through bodies, so found through them
    if (arrow) { const k = arrow.object.userData.members[arrow.instanceId]; return { name: world.arrows.list[k].name, arrow: k }; }
    for (const h of ray.intersectObjects(world.batches.filter((b) => b.visible), false)) {
      if (h.instanceId === undefined) continue;
      const k = h.object.userData.list[h.instanceId], owner = head.parts.owner[k], body = head.parts.body[k];
      if (owner >= 0) return { name: head.owners[owner] };
      if (body >= 0) return { name: head.names[body], body };
    }
    return null;
  }

  told(found) {
    if (!found) return "";
    const { app } = this, { head } = app;
    if (found.arrow !== undefined) return app.world.arrows.told(found.arrow, app.index);
    if (found.body !== undefined) {
      const at = Array.from(app.poses.now.subarray(7 * found.body, 7 * found.body + (head.dim === 2 ? 2 : 3))).map((v) => +v.toPrecision(4));
      return `${found.name}  (${at.join(", ")}) m`;
    }
    const kind = head.facts[found.name]?.[0]?.[1], force = head.channels.findIndex((c) => c.name === `${found.name}.force.norm`);
    return `${found.name}${kind ? `, ${kind}` : ""}${force >= 0 ? `  ${short(app.channels.at(force, app.index), "N")}` : ""}`;
  }

  // Select, and bring the numbers into sight: they stand at the top of a panel that may be scrolled down.
  show(name) {
    this.select(name);
    if (name) $("selected").scrollIntoView({ block: "nearest" });
  }

  // All numbers of a body or joint, kept up to date while time runs.
  select(name) {
    const { app } = this, { head } = app, box = $("selected");
    app.settings.selected = name;
    app.world.mark(name);
    box.hidden = !name;
    this.rows = [];
    if (name) {
      if (app.settings.panelClosed === undefined && innerWidth > 760) app.setPanel(true);
      box.open = true;
      box.querySelector("summary span").textContent = name;
      const list = box.querySelector("dl"), pair = (term, text) => {
        const dd = Object.assign(document.createElement("dd"), { textContent: text });
        list.append(Object.assign(document.createElement("dt"), { textContent: term }), dd);
        return dd;
      };
      list.replaceChildren();
      for (const [term, text] of head.facts[name] ?? []) pair(term, text);
      head.channels.forEach((c, k) => { if (c.name.startsWith(`${name}.`)) this.rows.push([k, pair(c.name.slice(name.length + 1), "")]); });
      this.update();
    }
    app.dirty();
  }

  update() {
    const { channels, head, index } = this.app;
    for (const [k, out] of this.rows) out.textContent = short(channels.at(k, index), head.channels[k].unit);
  }
}
