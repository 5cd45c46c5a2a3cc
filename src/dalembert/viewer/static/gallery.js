// Search, topics, groups; a card opens the full page of its mechanism in a frame, put together from what is stored in this file.
(() => {
  const $ = (id) => document.getElementById(id), all = $("all"), cards = [...document.querySelectorAll("article")];
  const sections = [...all.querySelectorAll("section")], home = new Map(cards.map((c) => [c, c.parentNode]));
  const text = new Map(cards.map((c) => [c, (c.querySelector(".text").textContent + " " + c.dataset.tags).toLowerCase()]));
  const TOPICS = ["machine", "contact", "gear", "nonholonomic", "spring", "chaos", "statics", "driven", "redundant", "loop", "space", "plane"];
  let extra = [];

  function filter() {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const topics = [...document.querySelectorAll(".chip[aria-pressed=true]")].map((b) => b.dataset.topic);
    let shown = 0;
    for (const c of cards) {
      const tags = c.dataset.tags.split(" ");
      c.hidden = !(words.every((w) => text.get(c).includes(w)) && topics.every((t) => tags.includes(t)));
      if (!c.hidden) shown++;
    }
    for (const s of [...sections, ...extra]) s.hidden = ![...s.querySelectorAll("article")].some((c) => !c.hidden);
    $("none").hidden = shown > 0;
    $("found").textContent = shown === cards.length ? "" : `${shown} of ${cards.length}`;
  }

  function group() {
    for (const s of extra) s.remove();
    extra = [];
    for (const c of cards) home.get(c).append(c);
    if ($("group").value === "topic") for (const topic of [...TOPICS, ""]) {
      const mine = cards.filter((c) => !extra.some((s) => s.contains(c)) && (topic === "" || c.dataset.tags.split(" ").includes(topic)));
      if (!mine.length) continue;
      const s = document.createElement("section"), h = document.createElement("h2"), box = document.createElement("div");
      h.textContent = topic ? topic[0].toUpperCase() + topic.slice(1) : "More mechanisms";
      box.className = "cards";
      box.append(...mine);
      s.append(h, box);
      extra.push(s);
      all.insertBefore(s, $("none"));
    }
    filter();
  }

  $("search").oninput = filter;
  $("group").onchange = group;
  document.querySelector("form").onsubmit = (e) => e.preventDefault();
  for (const b of document.querySelectorAll(".chip")) b.onclick = () => { b.setAttribute("aria-pressed", b.getAttribute("aria-pressed") !== "true"); filter(); };
  $("clear").onclick = () => { $("search").value = ""; for (const b of document.querySelectorAll(".chip")) b.setAttribute("aria-pressed", "false"); filter(); };

  // Five signs of base 85 are four bytes; the alphabet is that of gallery.py; the first sign counts the bytes that fill the last word.
  const SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%:()*+-;.=,?@^_`{|}~", digit = new Uint8Array(128);
  for (let k = 0; k < 85; k++) digit[SIGNS.charCodeAt(k)] = k;

  async function inflate(stored) {
    const words = (stored.length - 1) / 5, bytes = new Uint8Array(4 * words), view = new DataView(bytes.buffer);
    for (let k = 0, at = 1; k < words; k++) {
      let n = 0;
      for (let i = 0; i < 5; i++) n = 85 * n + digit[stored.charCodeAt(at++)];
      view.setUint32(4 * k, n);
    }
    return await new Response(new Blob([bytes.subarray(0, 4 * words - stored[0])]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  }

  const stored = new Map([...document.querySelectorAll("script.page")].map((e) => [e.dataset.name, e]));
  const order = () => cards.filter((c) => !c.hidden && stored.has(c.dataset.name)).sort((a, b) => (a.compareDocumentPosition(b) & 4 ? -1 : 1)).map((c) => c.dataset.name);
  let now = "", app = null;

  async function open(name, rest) {
    now = name;
    const card = cards.find((c) => c.dataset.name === name), frame = $("frame");
    $("name").textContent = card.querySelector("h3 a").textContent;
    $("code").textContent = card.dataset.code;
    $("code").title = card.dataset.code;
    if (!$("stage").open) $("stage").showModal();
    app ??= inflate($("app").textContent);
    const [page, found] = await Promise.all([app, inflate(stored.get(name).textContent)]), parts = JSON.parse(found);
    if (now !== name) return;
    const shell = JSON.stringify({ base: `${location.href.split("#")[0]}#${name}`, hash: rest }).replaceAll("<", "\\u003c");
    const title = parts.title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    let out = page;
    for (const [mark, value] of [["<!--title-->", title], ["<!--equations-->", parts.equations], ["<!--diagrams-->", parts.diagrams],
      ["<!--data-->", `<script type="application/json" id="shell">${shell}</` + `script>${parts.data}`]]) {
      const at = out.indexOf(mark);
      out = out.slice(0, at) + value + out.slice(at + mark.length);
    }
    frame.srcdoc = out;
    frame.onload = () => frame.contentWindow?.focus();
  }

  function close() {
    now = "";
    if ($("stage").open) $("stage").close();
    $("frame").removeAttribute("srcdoc");
  }

  const plain = (text) => { try { return decodeURIComponent(text); } catch { return ""; } }; // a link cut off in the middle of a letter

  function route() {
    const [name, ...rest] = plain(location.hash.slice(1)).split("&");
    if (!stored.has(name)) close();
    else if (name !== now) open(name, rest.join("&"));
  }

  const step = (by) => { const names = order(), k = names.indexOf(now); location.hash = names[(k + by + names.length) % names.length] ?? now; };
  const leave = () => { const was = now; history.pushState(null, "", location.href.split("#")[0]); close(); document.querySelector(`article[data-name="${CSS.escape(was)}"] .open`)?.focus(); };
  $("close").onclick = leave;
  $("stage").addEventListener("cancel", (e) => { e.preventDefault(); leave(); });
  $("before").onclick = () => step(-1);
  $("after").onclick = () => step(1);
  addEventListener("hashchange", route);
  addEventListener("popstate", route);
  route();
})();
