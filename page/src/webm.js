// A WebM file from pictures, with exact times: the browser's encoder (WebCodecs, VP8) and the few parts of Matroska it needs.
export const able = () => typeof VideoEncoder === "function";

const number = (x, bytes) => Uint8Array.from({ length: bytes }, (_, k) => Math.floor(x / 2 ** (8 * (bytes - 1 - k))) & 255);
const whole = (x) => number(x, Math.max(1, Math.ceil(Math.log2(x + 1) / 8)));
const text = (s) => new TextEncoder().encode(s);
const float = (x) => { const v = new DataView(new ArrayBuffer(8)); v.setFloat64(0, x); return new Uint8Array(v.buffer); };
const size = (parts) => parts.reduce((n, p) => n + p.length, 0);

// An element: its id, its length in eight bytes, what is in it.
function element(id, ...parts) {
  const inside = parts.flat(), length = number(size(inside), 8);
  length[0] = 1;
  return [whole(id), length, ...inside];
}

function file(chunks, width, height, seconds) {
  const clusters = [];
  for (const c of chunks) {
    const last = clusters.at(-1), time = Math.round(c.time / 1000);
    if (!last || c.key || time - last.time > 30000) clusters.push({ time, blocks: [] });
    const into = clusters.at(-1), after = number(time - into.time, 2);
    into.blocks.push(element(0xa3, Uint8Array.of(0x81, after[0], after[1], c.key ? 0x80 : 0), c.data));
  }
  const head = element(0x1a45dfa3, element(0x4286, whole(1)), element(0x42f7, whole(1)), element(0x42f2, whole(4)), element(0x42f3, whole(8)),
    element(0x4282, text("webm")), element(0x4287, whole(2)), element(0x4285, whole(2)));
  const info = element(0x1549a966, element(0x2ad7b1, whole(1000000)), element(0x4489, float(1000 * seconds)),
    element(0x4d80, text("dalembert")), element(0x5741, text("dalembert")));
  const video = element(0xe0, element(0xb0, whole(width)), element(0xba, whole(height)));
  const tracks = element(0x1654ae6b, element(0xae, element(0xd7, whole(1)), element(0x73c5, whole(1)), element(0x83, whole(1)),
    element(0x9c, Uint8Array.of(0)), element(0x86, text("V_VP8")), video));
  const body = clusters.map((c) => element(0x1f43b675, element(0xe7, c.time ? whole(c.time) : Uint8Array.of(0)), ...c.blocks));
  return new Blob([...head, ...element(0x18538067, info, tracks, ...body)], { type: "video/webm" });
}

// draw(k) puts picture k on the canvas; tell(share) → go on?
export async function webm(canvas, count, fps, draw, tell) {
  const { width, height } = canvas, chunks = [];
  let failed = null;
  const encoder = new VideoEncoder({
    output: (c) => { const data = new Uint8Array(c.byteLength); c.copyTo(data); chunks.push({ time: c.timestamp, key: c.type === "key", data }); },
    error: (e) => { failed = e; },
  });
  encoder.configure({ codec: "vp8", width, height, bitrate: Math.min(2e7, 5 * width * height), framerate: fps });
  for (let k = 0; k < count && !failed; k++) {
    draw(k);
    const frame = new VideoFrame(canvas, { timestamp: Math.round((1e6 * k) / fps), duration: Math.round(1e6 / fps) });
    encoder.encode(frame, { keyFrame: k % Math.max(1, Math.round(4 * fps)) === 0 });
    frame.close();
    while (encoder.encodeQueueSize > 4 && !failed) await new Promise((done) => setTimeout(done, 5));
    if (k % 4 === 3) await new Promise((done) => setTimeout(done, 0)); // the page stays alive
    if (!tell((k + 1) / count)) { encoder.close(); return null; }
  }
  if (!failed) await encoder.flush();
  if (failed) throw failed;
  encoder.close();
  return file(chunks, width, height, count / fps);
}
