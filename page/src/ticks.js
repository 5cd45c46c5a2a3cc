// Labels of an axis: as many digits as the distance of the ticks needs, so that no two labels are equal and none is rounded.
export function ticks(plot, values, axis, space, step) {
  const large = Math.max(...values.map(Math.abs));
  const digits = Math.min(15, Math.max(1, Math.ceil(Math.log10(large / step)) + 3));
  return values.map((value) => {
    const v = Math.abs(value) < 1e-6 * step ? 0 : +value.toPrecision(digits);
    return v === 0 ? "0" : Math.abs(v) >= 1e5 || Math.abs(v) < 1e-3 ? v.toExponential().replace("e+", "e") : String(v);
  });
}

// How wide the column of labels must be, in pixels.
export function room(plot, labels) {
  return Math.max(52, 14 + 6.5 * Math.max(0, ...(labels ?? []).map((s) => (s ?? "").length)));
}
