// Elements of the page, made short.
export const $ = (id) => document.getElementById(id);

export function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) {
    if (k === "class") e.className = v;
    else if (k.startsWith("data-") || k.startsWith("aria-") || k === "for" || k === "role") e.setAttribute(k, v);
    else if (v !== undefined) e[k] = v;
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

const icon = (d, more = "") => `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${d}"/>${more}</svg>`;
export const ICON = {
  select: icon("M5 3l14 8-6 1.5L10 19z"), link: icon("M7 17L17 7", '<circle cx="5.5" cy="18.500" r="2.500"/><circle cx="18.500" cy="5.500" r="2.500"/>'),
  plate: icon("M4 19L10 4l10 12z", '<circle cx="4" cy="19" r="1.8"/><circle cx="10" cy="4" r="1.8"/><circle cx="20" cy="16" r="1.8"/>'), slot: icon("M5 9h14a3 3 0 010 6H5a3 3 0 010-6zM12 12h.01"),
  gear: icon("M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v4M12 18v4M2 12h4M18 12h4M5 5l3 3M16 16l3 3M19 5l-3 3M8 16l-3 3"),
  block: icon("M5 8h14v8H5zM2 20h20"), wheel: icon("M12 4a8 8 0 100 16 8 8 0 000-16zM12 12h.01"), ground: icon("M12 5v5M6 18l6-8 6 8zM3 18h18M5 21l2-3M10 21l2-3M15 21l2-3"),
  pin: icon("M12 7a5 5 0 100 10 5 5 0 000-10zM2 12h5M17 12h5"), slide: icon("M3 17h18M3 7h18M8 9h8v6H8z"), spring: icon("M2 12h3l2-5 3 10 3-10 3 10 2-5h4"),
  force: icon("M4 20L19 5M19 5v7M19 5h-7"), drive: icon("M19 12a7 7 0 11-3-5.700M16 2v4.500h-4.500"), trace: icon("M3 18c4 0 3-12 8-12s4 10 10 8"), text: icon("M4 6h16M4 12h10M4 18h13"),
  undo: icon("M8 5L4 9l4 4M4 9h10a6 6 0 010 12H9"), redo: icon("M16 5l4 4-4 4M20 9H10a6 6 0 000 12h5"), play: icon("M7 4l13 8-13 8z"), pause: icon("M6 4h4v16H6zM14 4h4v16h-4z"),
  start: icon("M18 5l-9 7 9 7zM5 5v14"), theme: icon("M20 14.500A8.500 8.500 0 019.500 4 8.500 8.500 0 1020 14.500z"), plus: icon("M12 5v14M5 12h14"), close: icon("M6 6l12 12M18 6L6 18"),
  cylinder: icon("M3 9h10v6H3zM13 12h8", '<circle cx="21" cy="12" r="1.500"/>'), anchor: icon("M12 7v14M5 12H3c0 5 4 9 9 9s9-4 9-9h-2M8 11h8", '<circle cx="12" cy="5" r="2"/>'), lock: icon("M6 11h12v9H6zM9 11V7a3 3 0 016 0v4"), copy: icon("M9 9h11v11H9zM5 15H4V4h11v1"), mirror: icon("M12 3v18M9 7L3 17h6zM15 7l6 10h-6z"), bin: icon("M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13"),
};

export function save(text, name, type) {
  const a = el("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 5000);
}

export const short = (x, digits = 4) => (Math.abs(x) < 1e-12 ? "0" : String(+x.toPrecision(digits)));
