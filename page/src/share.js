// A link to this moment, seen from here: #t=0.25&cam=…&set=…; also what a gallery around the page says of its own address.
const $ = (id) => document.getElementById(id);

const shell = () => { const e = $("shell"); return e ? JSON.parse(e.textContent) : { base: location.href.split("#")[0], hash: location.hash.slice(1) }; };

export function link(app) {
  const { base } = shell(), parts = [`t=${+app.time.toPrecision(9)}`, `cam=${app.eye.told}`];
  if (app.explorer && app.explorer.at.join() !== app.explorer.base.join()) parts.push(`set=${app.explorer.at.join(",")}`);
  return `${base}${base.includes("#") ? "&" : "#"}${parts.join("&")}`;
}

export async function follow(app) {
  const given = new Map(shell().hash.split("&").filter((x) => x.includes("=")).map((x) => [x.slice(0, x.indexOf("=")), decodeURIComponent(x.slice(x.indexOf("=") + 1))]));
  if (given.has("set") && app.explorer) {
    const to = given.get("set").split(",").map(Number);
    if (app.explorer.where.has(to.join())) await app.explorer.go(to);
  }
  if (given.has("t") && Number.isFinite(+given.get("t"))) app.seek(+given.get("t"));
  if (given.has("cam")) app.eye.told = given.get("cam");
}

export async function copy(app, tell) {
  const text = link(app);
  try {
    await navigator.clipboard.writeText(text);
    tell("Link copied: this moment, this view.");
  } catch { // no clipboard here: the link is shown to be copied by hand
    $("link").querySelector("input").value = text;
    $("link").showModal();
    $("link").querySelector("input").select();
  }
  return text;
}
