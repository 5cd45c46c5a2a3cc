// Render: every frame to a picture, saved as one zip of PNG files (render/frame0000.png …) or as a WebM video.
import { able, webm } from "./webm.js";

const $ = (id) => document.getElementById(id);
const MOST = 20000;

// ------------------------------------------------------------------------------------------------ a zip of stored files

const TABLE = new Uint32Array(256).map((_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n; });
const crc = (bytes) => { let c = ~0; for (let k = 0; k < bytes.length; k++) c = TABLE[(c ^ bytes[k]) & 255] ^ (c >>> 8); return ~c >>> 0; };

export class Zip {
  parts = []; central = []; at = 0; count = 0;

  add(name, bytes) {
    const path = new TextEncoder().encode(name), sum = crc(bytes);
    const head = (sign, more) => {
      const v = new DataView(new ArrayBuffer(sign === 0x04034b50 ? 30 : 46)), o = more ? 2 : 0;
      v.setUint32(0, sign, true);
      if (more) v.setUint16(4, 20, true);
      v.setUint16(4 + o, 20, true); v.setUint16(6 + o, 0x800, true);
      v.setUint16(12 + o, 0x21, true); // a date there must be: 1 January 1980
      v.setUint32(14 + o, sum, true); v.setUint32(18 + o, bytes.length, true); v.setUint32(22 + o, bytes.length, true);
      v.setUint16(26 + o, path.length, true);
      if (more) v.setUint32(42, this.at, true);
      return new Uint8Array(v.buffer);
    };
    this.central.push(head(0x02014b50, true), path);
    const local = head(0x04034b50, false);
    this.parts.push(local, path, bytes);
    this.at += local.length + path.length + bytes.length;
    this.count++;
  }

  blob() {
    const size = this.central.reduce((a, b) => a + b.length, 0), v = new DataView(new ArrayBuffer(22));
    v.setUint32(0, 0x06054b50, true); v.setUint16(8, this.count, true); v.setUint16(10, this.count, true);
    v.setUint32(12, size, true); v.setUint32(16, this.at, true);
    return new Blob([...this.parts, ...this.central, v.buffer], { type: "application/zip" });
  }
}

// ------------------------------------------------------------------------------------------------ frames to pictures

export class Studio {
  // ratio: points of the picture per point of the screen, for the size of names
  constructor(app, width, height, ratio = 1) {
    Object.assign(this, { app, fine: ratio });
    this.canvas = Object.assign(document.createElement("canvas"), { width, height });
    this.paper = this.canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    this.sky = this.paper.createLinearGradient(0, 0, 0, height);
    this.sky.addColorStop(0, style.getPropertyValue("--above").trim());
    this.sky.addColorStop(1, style.getPropertyValue("--below").trim());
    app.toggle(false);
    this.index = app.index;
    this.ratio = app.renderer.getPixelRatio();
    app.renderer.setPixelRatio(1);
    app.renderer.setSize(width, height, false);
    app.eye.resize(width, height);
  }

  // The scene at a time, on this canvas with its background.
  draw(t) {
    const { app, paper, canvas } = this;
    app.index = app.poses.index(t);
    app.draw();
    paper.fillStyle = this.sky;
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.drawImage(app.renderer.domElement, 0, 0, canvas.width, canvas.height);
    app.labels.paint(paper, app.poses.now, app.eye.camera, this.fine);
  }

  close() {
    this.app.renderer.setPixelRatio(this.ratio);
    this.app.index = this.index;
    this.app.resize();
  }
}

export const save = (blob, name) => {
  const a = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 60000);
};

async function pictures(studio, times, tell) {
  const zip = new Zip(), digits = Math.max(4, String(times.length - 1).length);
  for (let k = 0; k < times.length; k++) {
    studio.draw(times[k]);
    const blob = await new Promise((done) => studio.canvas.toBlob(done, "image/png"));
    zip.add(`render/frame${String(k).padStart(digits, "0")}.png`, new Uint8Array(await blob.arrayBuffer()));
    if (!tell((k + 1) / times.length)) return null;
  }
  return zip.blob();
}

// Pictures of the whole motion; gives the blob that was made (null when stopped).  tell(share) → go on?
export async function render(app, { kind = "png", width = 1280, height = 720, fps = 30, tell = () => true } = {}) {
  const count = Math.floor((app.span / app.rate) * fps + 1e-9) + 1;
  if (count > MOST) throw new Error(`${count} pictures are too many (at most ${MOST}): take fewer per second, or a higher speed.`);
  const times = Array.from({ length: count }, (_, k) => Math.min(app.poses.t[0] + (k * app.rate) / fps, app.poses.t[0] + app.span));
  const studio = new Studio(app, width, height);
  try {
    if (kind === "webm") return await webm(studio.canvas, times.length, fps, (k) => studio.draw(times[k]), tell);
    return await pictures(studio, times, tell);
  } finally {
    studio.close();
  }
}

// What is shown now, as a PNG of the size it has on the screen.
export async function picture(app) {
  const { clientWidth: w, clientHeight: h } = $("view"), ratio = app.renderer.getPixelRatio(), t = app.time, going = app.playing;
  const studio = new Studio(app, Math.round(w * ratio), Math.round(h * ratio), ratio);
  try {
    studio.draw(t);
    return await new Promise((done) => studio.canvas.toBlob(done, "image/png"));
  } finally {
    studio.close();
    if (going) app.toggle(true);
  }
}

// The title, and of a variant what is other in it: slider-crank-l2-0.2.
export const fileName = (app) => [app.head.title || "motion", ...(app.explorer?.others ?? [])].join("-").replace(/[^\p{L}\p{N}._-]+/gu, "-");

export function renderDialog(app) {
  const box = $("render"), form = box.querySelector("form"), bar = box.querySelector("progress"), says = box.querySelector("output");
  let going = false, stop = false;
  if (!able()) form.kind.querySelector("[value=webm]").remove();
  const told = () => {
    const count = Math.floor((app.span / app.rate) * +form.fps.value + 1e-9) + 1;
    if (!going) says.textContent = `${count} pictures at ${app.rate}× speed`;
  };
  form.oninput = told;
  $("render-button").onclick = () => { told(); box.showModal(); };
  form.shut.onclick = () => box.close();
  box.addEventListener("close", () => { stop = true; });
  form.onsubmit = async (e) => {
    e.preventDefault();
    if (going) { stop = true; return; }
    const shown = $("view"), [width, height] = form.size.value === "view" ? [shown.clientWidth, shown.clientHeight].map((x) => x - (x % 2)) : form.size.value.split("x").map(Number);
    going = true; stop = false; bar.hidden = false; form.go.textContent = "Stop";
    try {
      const blob = await render(app, { kind: form.kind.value, width, height, fps: +form.fps.value || 30,
        tell: (share) => { bar.value = share; says.textContent = `${Math.round(100 * share)} %`; return !stop; } });
      const name = fileName(app);
      if (blob) save(blob, form.kind.value === "webm" ? `${name}.webm` : `${name}-render.zip`);
      says.textContent = blob ? `saved, ${(blob.size / 1e6).toFixed(1)} MB` : "stopped";
    } catch (error) {
      says.textContent = error.message || String(error);
    }
    going = false; bar.hidden = true; form.go.textContent = "Render";
  };
}
