// What Python packed (viewer/page/packing.py): a JSON header, and gzipped numbers in base64.

async function inflate(text) {
  const raw = atob(text.trim());
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).arrayBuffer();
}

// Bytes of the same rank together → values.
function unshuffle(bytes, count, width) {
  const out = new Uint8Array(count * width);
  for (let b = 0; b < width; b++) for (let k = 0, from = b * count; k < count; k++) out[k * width + b] = bytes[from + k];
  return out.buffer;
}

// Differences over time of whole numbers, of an order per series, signs in the lowest bit, one series after the other → [frame][series].
function undelta(bytes, { series, frames, width, orders }) {
  const count = series * frames, mask = 2 ** (8 * width) - 1, out = width === 2 ? new Uint16Array(count) : new Uint32Array(count);
  const sums = new Int32Array(9);
  for (let s = 0, at = 0; s < series; s++) {
    const order = +orders[s];
    sums.fill(0);
    for (let f = 0; f < frames; f++, at++) {
      const z = bytes[at] + 256 * bytes[count + at] + (width === 2 ? 0 : 65536 * bytes[2 * count + at]);
      let value = (z >>> 1) ^ -(z & 1);
      for (let k = 0; k < order; k++) value = sums[k] = (sums[k] + value) & mask;
      out[f * series + s] = value & mask;
    }
  }
  return out;
}

function blocks(table, buffer, from) {
  const block = {};
  for (const [name, b] of Object.entries(table)) {
    const bytes = new Uint8Array(buffer, from + b.at, b.bytes);
    if (b.kind === "f4") block[name] = new Float32Array(unshuffle(bytes, b.bytes / 4, 4));
    else if (b.kind === "f8") block[name] = new Float64Array(unshuffle(bytes, b.bytes / 8, 8));
    else if (b.kind === "u4") block[name] = new Uint32Array(unshuffle(bytes, b.bytes / 4, 4));
    else block[name] = undelta(bytes, b);
  }
  return block;
}

export async function read() {
  const head = JSON.parse(document.getElementById("scene").textContent);
  const element = document.getElementById("numbers");
  const block = blocks(head.blocks, await inflate(element.textContent), 0);
  element.remove();
  const chunks = [...document.querySelectorAll("script.variant")].map((e) => e.textContent);
  return { head, block, chunks };
}

// A variant: what its chunk says, over the base.
export async function variant(base, text) {
  const buffer = await inflate(text), length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  return { head: { ...base.head, ...head }, block: { ...base.block, ...blocks(head.blocks, buffer, 4 + length) }, failed: head.failed };
}

// Channels as they are plotted: value of channel k at a sample number with a fraction, and whole series.
export class Channels {
  constructor(head, block) {
    Object.assign(this, { raw: block.channels, low: block.channels_low, step: block.channels_step, t: block.t, list: head.channels });
  }

  at(k, index) {
    const n = this.list.length, f = Math.min(Math.floor(index), this.t.length - 1), s = index - f, a = this.raw[f * n + k];
    return this.low[k] + this.step[k] * (s > 0 ? a + s * (this.raw[(f + 1) * n + k] - a) : a);
  }

  series(k) {
    const n = this.list.length, low = this.low[k], step = this.step[k];
    return Array.from(this.t, (_, f) => low + step * this.raw[f * n + k]);
  }
}

// Poses of all bodies at a time between samples: seven numbers per body (position, quaternion scalar first).
export class Poses {
  constructor(head, block) {
    this.t = block.t;
    this.frames = this.t.length;
    this.count = head.names.length;
    this.raw = block.poses;
    this.low = block.poses_low;
    this.step = block.poses_step;
    this.now = new Float64Array(7 * this.count);
  }

  // Sample number (with a fraction) at a time.
  index(time) {
    const t = this.t;
    if (time <= t[0] || this.frames === 1) return 0;
    if (time >= t[this.frames - 1]) return this.frames - 1;
    let a = 0, b = this.frames - 1;
    while (b - a > 1) {
      const m = (a + b) >> 1;
      if (t[m] <= time) a = m; else b = m;
    }
    return a + (time - t[a]) / (t[b] - t[a]);
  }

  time(index) {
    const k = Math.min(Math.floor(index), this.frames - 1), s = index - k;
    return s > 0 ? this.t[k] * (1 - s) + this.t[k + 1] * s : this.t[k];
  }

  at(index) {
    const { raw, low, step, now } = this, n = now.length;
    const k = Math.min(Math.floor(index), this.frames - 1), s = index - k, a = k * n;
    if (s > 0) {
      for (let i = 0; i < n; i++) {
        const x = raw[a + i];
        now[i] = low[i] + step[i] * (x + s * (raw[a + n + i] - x));
      }
    } else for (let i = 0; i < n; i++) now[i] = low[i] + step[i] * raw[a + i];
    for (let i = 3; i < n; i += 7) {
      const q = 1 / Math.sqrt(now[i] * now[i] + now[i + 1] * now[i + 1] + now[i + 2] * now[i + 2] + now[i + 3] * now[i + 3]);
      now[i] *= q; now[i + 1] *= q; now[i + 2] *= q; now[i + 3] *= q;
    }
    return now;
  }
}

// A point of a body in ground axes, into out[at …]; body −1 is the ground.
export function place(pose, body, local, out, at = 0) {
  if (body < 0) { out[at] = local[0]; out[at + 1] = local[1]; out[at + 2] = local[2]; return; }
  const i = 7 * body, w = pose[i + 3], x = pose[i + 4], y = pose[i + 5], z = pose[i + 6];
  const [a, b, c] = local;
  const u = y * c - z * b, v = z * a - x * c, t = x * b - y * a;
  out[at] = pose[i] + a + 2 * (w * u + y * t - z * v);
  out[at + 1] = pose[i + 1] + b + 2 * (w * v + z * u - x * t);
  out[at + 2] = pose[i + 2] + c + 2 * (w * t + x * v - y * u);
}
