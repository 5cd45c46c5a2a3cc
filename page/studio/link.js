// The socket: messages with numbers, replies as promises; binary replies are scenes (workshop/packing.py).

const KINDS = { f8: Float64Array, f4: Float32Array, u4: Uint32Array };

function unpack(buffer) {
  const n = new DataView(buffer).getUint32(0, true), length = new DataView(buffer).getUint32(8, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 12, length))), from = 12 + length, block = {};
  for (const [name, b] of Object.entries(head.blocks)) block[name] = new KINDS[b.kind](buffer, from + b.at, b.count);
  return { n, ...head, block };
}

export class Link {
  constructor(got, lost, slow) {
    Object.assign(this, { got, lost, slow, number: 0, waiting: new Map() });
    setInterval(() => { // told once, taken back when the reply is there
      const old = [...this.waiting.values()].some((w) => performance.now() - w.since > 3000) && this.alive;
      if (old !== Boolean(this.late)) this.slow((this.late = old));
    }, 500);
    this.ready = this.open();
  }

  open() {
    return new Promise((done) => {
      const ws = (this.ws = new WebSocket(`ws://${location.host}/socket`));
      ws.binaryType = "arraybuffer";
      ws.onopen = () => { this.alive = true; done(); };
      ws.onclose = () => { this.alive = false; this.lost(); };
      ws.onmessage = (e) => this.take(typeof e.data === "string" ? JSON.parse(e.data) : unpack(e.data));
    });
  }

  take(reply) {
    const last = this.waiting.get(reply.n);
    if (reply.what !== "skipped") this.got(reply);
    if (!last) return;
    last.replies.push(reply);
    if (last.single || !["document", "forms"].includes(reply.what)) { this.waiting.delete(reply.n); last.done(reply); }
  }

  // The last reply of a message; single: it has one reply (not a document with its scene).
  ask(message, single = false) {
    const n = ++this.number;
    if (!this.alive) return Promise.resolve({ what: "refused", text: "The studio has stopped: start it again in the terminal.", path: [] });
    return new Promise((done) => {
      this.waiting.set(n, { done, single, replies: [], since: performance.now() });
      this.ws.send(JSON.stringify({ n, ...message }));
    });
  }
}
