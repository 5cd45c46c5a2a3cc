// Names in the document: who is called so, who refers to whom, names that are free.

export class Names {
  constructor(plain) { this.plain = plain; }

  *entries() {
    for (const [section, entries] of Object.entries(this.plain)) if (Array.isArray(entries)) for (const entry of entries) if (entry && typeof entry === "object") yield [section, entry];
  }

  find(name) {
    for (const [section, entry] of this.entries()) if (entry.name === name) return { section, entry };
    return null;
  }

  all() { return [...this.entries()].map(([, e]) => e.name).filter(Boolean); }

  fresh(base, taken = new Set()) {
    let k = 1;
    while (this.find(`${base}${k}`) || taken.has(`${base}${k}`)) k++;
    return `${base}${k}`;
  }

  // A letter for a joint (G is too like the support's key).
  letter(taken = []) {
    for (const c of "ABCDEFHIJKLMNPQRSTUVWXYZ") if (!this.find(c) && !taken.includes(c) && !(c in (this.plain.parameters ?? {}))) return c;
    let k = 1;
    while (this.find(`P${k}`) || taken.includes(`P${k}`)) k++;
    return `P${k}`;
  }

  // Elements that go with one: as the server does it (workshop/edits.py).
  users(name) {
    const gone = new Set([name]);
    for (let grown = true; grown; ) {
      grown = false;
      for (const [, e] of this.entries()) {
        if (!e.name || gone.has(e.name)) continue;
        const refs = [e.between, e.body, e.of, e.carrier, e.pinion, e.rack, e.a, e.b].flat().filter((x) => typeof x === "string").map((x) => x.split(".")[0]);
        if (refs.some((r) => gone.has(r))) { gone.add(e.name); grown = true; }
      }
    }
    gone.delete(name);
    return [...gone];
  }
}
