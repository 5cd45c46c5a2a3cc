// Hands quicker than the studio: strokes and keys that change the document, one after the other, each on the drawing that those
// before it left.  They stand in one line: the next looks whether something is on its way only after the one before it has ended
// (all who wait for the same reply are woken together: asked then, the second would still see the drawing of the first).

export class Turns {
  constructor(app) { Object.assign(this, { app, waiting: 0, last: null }); } // waiting: acts that have not ended

  // At once where nothing is on its way and nobody is before it, else in its turn; what an act remembers until then are places on
  // the paper, never on the screen, and never what lay there.  An act ends when what it returns is there: a drag that is let go
  // waits for its last move, and what is pressed meanwhile waits for the drag.  Acts never take a turn inside their own.
  take(act) {
    const free = !this.waiting && this.app.settled;
    this.waiting++;
    return (this.last = free ? this.have(act) : this.wait(this.last, act));
  }

  async wait(before, act) {
    await before;
    while (!this.app.settled) await this.app.settling;
    return this.have(act);
  }

  // An act that fails is told; the next ones have their turn all the same.
  async have(act) {
    try { return await act(); } catch (error) { reportError(error); return null; } finally { this.waiting--; }
  }
}
