// The socket: messages with numbers, replies as promises; binary replies are scenes (workshop/packing.py).
//
// The link of the terminal ends in #token: it is shown once, and exchanged for a key that this origin (host and port) keeps.  Both
// travel as a subprotocol of the socket: cookies would go to every server on this machine, whatever its port (workshop/guard.py).

const KINDS = { f8: Float64Array, f4: Float32Array, u4: Uint32Array }, PROTOCOL = "dalembert-studio", KEPT = "dalembert-studio-key";
const STOPPED = "The studio has stopped. Start it again in the terminal; what was shown as saved is in the file.";
const CLOSED = "This page is not let in: each link opens once. Open the studio with the link that the terminal shows last.";

function unpack(buffer) {
  const n = new DataView(buffer).getUint32(0, true), length = new DataView(buffer).getUint32(8, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 12, length))), from = 12 + length, block = {};
  for (const [name, b] of Object.entries(head.blocks)) block[name] = new KINDS[b.kind](buffer, from + b.at, b.count);
  return { n, ...head, block };
}

// What the origin keeps; browsers may forbid it, and then a page that is loaded again needs the next link.
function kept(value) {
  try {
    if (value !== undefined) localStorage.setItem(KEPT, value);
    return localStorage.getItem(KEPT);
  } catch { return null; }
}

export class Link {
  constructor({ got, lost, slow }) {
    Object.assign(this, { got, lost, slow, number: 0, waiting: new Map() });
    setInterval(() => { // told once, taken back when the reply is there
      const old = [...this.waiting.values()].some((w) => performance.now() - w.since > 3000) && this.alive;
      if (old !== Boolean(this.late)) this.slow((this.late = old));
    }, 500);
    const token = location.hash.slice(1), key = kept();
    history.replaceState(null, "", location.pathname); // no token in the address, which people copy
    this.ready = new Promise((done) => this.open([token && `token.${token}`, key && `key.${key}`].filter(Boolean), done));
  }

  // With the first of these that the server takes.
  open([first, ...others], done) {
    if (!first) { this.lost(CLOSED); return; }
    const ws = (this.ws = new WebSocket(`ws://${location.host}/socket`, [PROTOCOL, first]));
    let opened = false;
    ws.binaryType = "arraybuffer";
    ws.onopen = () => { opened = this.alive = true; done(); };
    ws.onclose = () => { this.alive = false; if (opened) this.end(); else this.open(others, done); };
    ws.onmessage = (e) => this.take(typeof e.data === "string" ? JSON.parse(e.data) : unpack(e.data));
  }

  // Nobody will answer any more: who waits is told.
  end() {
    this.lost(STOPPED);
    for (const { done } of this.waiting.values()) done({ what: "refused", text: STOPPED, path: [] });
    this.waiting.clear();
  }

  take(reply) {
    if (reply.what === "key") { kept(reply.key); return; }
    const last = this.waiting.get(reply.n);
    try { if (reply.what !== "skipped") this.got(reply); }
    finally { // who waits is answered, whatever became of the picture
      if (last && (last.single || !["document", "forms"].includes(reply.what))) { this.waiting.delete(reply.n); last.done(reply); }
    }
  }

  // The last reply of a message; single: it has one reply (not a document with its scene).
  ask(message, single = false) {
    const n = ++this.number;
    if (!this.alive) return Promise.resolve({ what: "refused", text: STOPPED, path: [] });
    return new Promise((done) => {
      this.waiting.set(n, { done, single, since: performance.now() });
      this.ws.send(JSON.stringify({ n, ...message }));
    });
  }
}
