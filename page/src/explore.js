// Sliders over variants that were computed before: moving one changes motion, traces, plots, arrows, check and certificate.
import { variant } from "./data.js";

const $ = (id) => document.getElementById(id);
const element = (tag, at = {}, ...children) => { const e = Object.assign(document.createElement(tag), at); e.append(...children); return e; };

export class Explorer {
  constructor(app, chunks) {
    const { axes, rows } = app.head.sliders;
    Object.assign(this, { app, chunks, axes, kept: new Map() });
    this.base = axes.map((a) => a.base);
    this.where = new Map(rows.map((r, k) => [r.join(), k]));
    this.at = [...this.base];
    this.asked = 0;
    this.build();
  }

  get alone() { return this.where.size < this.axes.reduce((n, a) => n * a.values.length, 1) - 1; }

  // What is not as in the run: names with their values.
  get others() { return this.axes.flatMap(({ name, values }, k) => (this.at[k] === this.base[k] ? [] : [name, +values[this.at[k]].toPrecision(4)])); }

  build() {
    const box = $("sliders"), rows = box.querySelector(".rows");
    box.hidden = false;
    this.inputs = this.axes.map((axis, k) => {
      const input = element("input", { type: "range", min: 0, max: axis.values.length - 1, step: 1, value: axis.base, id: `slider-${k}`, ariaLabel: axis.name });
      const out = element("output");
      input.oninput = () => this.move(k, +input.value);
      rows.append(element("label", { className: "param wide", title: `${axis.values.length} values` }, element("span", { textContent: axis.name }), input, out));
      return { input, out };
    });
    $("sliders-back").onclick = () => this.go([...this.base]);
    this.say();
  }

  say() {
    this.inputs.forEach(({ input, out }, k) => {
      const { values, unit, name } = this.axes[k], text = `${+values[this.at[k]].toPrecision(4)}${unit ? ` ${unit}` : ""}`;
      input.value = this.at[k];
      input.setAttribute("aria-valuetext", text);
      out.textContent = text;
      input.parentNode.classList.toggle("other", this.at[k] !== this.base[k]);
      input.title = `${name} = ${text}`;
    });
    const own = this.at.join() === this.base.join();
    $("sliders-back").disabled = own;
    $("sliders-note").textContent = own ? "The run as it was computed." : this.alone && this.axes.length > 1 ? "The other parameters are those of the run; dashed: the run." : "Dashed: the run as it was computed.";
  }

  // One slider moved: alone, unless the combination was computed too.
  move(k, value) {
    const to = [...this.at];
    to[k] = value;
    if (to.join() !== this.base.join() && !this.where.has(to.join())) this.base.forEach((b, i) => { if (i !== k) to[i] = b; });
    return this.go(to);
  }

  async go(to) {
    this.at = to;
    this.say();
    const mine = ++this.asked, key = to.join();
    if (!this.kept.has(key)) {
      if (this.kept.size > 60) this.kept.delete(this.kept.keys().next().value);
      this.kept.set(key, key === this.base.join() ? Promise.resolve(this.app.base) : variant(this.app.base, this.chunks[this.where.get(key)]));
    }
    const found = await this.kept.get(key);
    if (mine === this.asked) this.app.put(found);
  }
}
