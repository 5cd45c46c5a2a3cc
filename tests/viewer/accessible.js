// What is wrong for readers with a keyboard, a screen reader or weak eyes: controls without a name, text of too little contrast.
() => {
  const seen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && e.getClientRects().length > 0;
  const name = (e) => (e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.textContent || e.title || e.placeholder || "").trim();
  const unnamed = [...document.querySelectorAll("button, input, select, a[href], summary, canvas, iframe, dialog[open]")].filter((e) => seen(e) && !name(e)).map((e) => e.outerHTML.slice(0, 90));
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id), twice = ids.filter((x, k) => ids.indexOf(x) !== k);
  const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const rgba = (c) => { context.clearRect(0, 0, 1, 1); context.fillStyle = c; context.fillRect(0, 0, 1, 1); const d = context.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; };
  const light = ([r, g, b]) => [r, g, b].map((x) => (x /= 255) <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4).reduce((s, x, k) => s + x * [0.2126, 0.7152, 0.0722][k], 0);
  const behind = (e) => { for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] > 0.75) return c; } return [255, 255, 255, 1]; };
  const faint = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walk.nextNode(); n; n = walk.nextNode()) {
    const e = n.parentElement;
    if (!n.nodeValue.trim() || !seen(e) || e.closest("script, style, [disabled], svg, .uplot")) continue;
    const a = light(rgba(getComputedStyle(e).color)), b = light(behind(e)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) faint.push(`${n.nodeValue.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return { unnamed, twice, faint };
}
