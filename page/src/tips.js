// Pointing at a body shows its name and place.
import * as THREE from "three";

export function tips(app) {
  const tip = document.getElementById("tip"), canvas = document.getElementById("canvas"), ray = new THREE.Raycaster(), p = new THREE.Vector2();
  let last = 0;
  canvas.addEventListener("pointermove", (e) => {
    if (app.playing || e.buttons || e.pointerType === "touch" || performance.now() - last < 60) return;
    last = performance.now();
    const r = canvas.getBoundingClientRect();
    p.set((2 * (e.clientX - r.left)) / r.width - 1, 1 - (2 * (e.clientY - r.top)) / r.height);
    ray.setFromCamera(p, app.eye.camera);
    for (const b of app.world.batches) b.computeBoundingSphere();
    const hit = ray.intersectObjects(app.world.batches.filter((b) => b.visible), false).find((h) => h.instanceId !== undefined);
    const body = hit ? app.head.parts.body[hit.object.userData.list[hit.instanceId]] : -1;
    tip.hidden = body < 0;
    if (body < 0) return;
    const at = Array.from(app.poses.now.subarray(7 * body, 7 * body + (app.head.dim === 2 ? 2 : 3))).map((x) => +x.toPrecision(4));
    tip.textContent = `${app.head.names[body]}  (${at.join(", ")}) m`;
    tip.style.left = `${Math.min(e.clientX - r.left + 14, r.width - 170)}px`;
    tip.style.top = `${Math.max(4, e.clientY - r.top - 30)}px`;
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
}
