// Hands quicker than the studio: strokes and keys that change the document, one after the other, each on the drawing that those
// before it left.  They stand in one line: the next looks whether something is on its way only after the one before it has acted
// (all who wait for the same reply are woken together: asked then, the second would still see the drawing of the first).

export class Turns {
  constructor(app) { Object.assign(this, { app, waiting: 0, last: null }); }

  // At once where nothing is on its way and nobody waits, else in its turn; what an act remembers until then are places on the
  // paper, never on the screen, and never what lay there.
  take(act) {
    if (!this.waiting && this.app.settled) return act();
    const before = this.last;
    this.waiting++;
    return (this.last = (async () => {
      await before;
      while (!this.app.settled) await this.app.settling;
      this.waiting--;
      try { act(); } catch (error) { reportError(error); } // the next ones have their turn all the same
    })());
  }
}
