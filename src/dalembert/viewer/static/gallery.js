// Moves the sketches that are in sight, in real time (long motions faster, short ones slower), and the cursor of each plot.
(() => {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const players = [];
  for (const store of document.querySelectorAll('script[type="application/json"]')) {
    const card = store.closest("article"), sketch = card.querySelector(".sketch");
    const data = JSON.parse(store.textContent);
    const player = { data, seen: false, on: !still, at: 0, paths: [...sketch.querySelectorAll("[data-m]")],
      cursor: card.querySelector(".cursor"), speed: data.span / Math.min(Math.max(data.span, 2), 12) };
    sketch.addEventListener("click", () => { player.on = !player.on; });
    new IntersectionObserver((entries) => { player.seen = entries.at(-1).isIntersecting; }).observe(sketch);
    players.push(player);
    draw(player);
  }
  function draw(p) {
    const frame = Math.min(p.data.frames - 1, Math.round(p.at / p.data.span * (p.data.frames - 1)));
    p.paths.forEach((path, k) => {
      const c = p.data.poses[k][frame];
      let d = "";
      for (let n = 0; n < c.length; n += 2) d += (n ? "L" : "M") + c[n] / 10 + " " + c[n + 1] / 10;
      path.setAttribute("d", d + (path.hasAttribute("data-z") ? "z" : c.length === 2 ? "h0" : ""));
    });
    const [left, right] = p.data.cursor;
    p.cursor.setAttribute("transform", `translate(${p.at / p.data.span * (right - left)} 0)`);
  }
  let last = performance.now();
  requestAnimationFrame(function tick(now) {
    const passed = Math.min((now - last) / 1000, 0.1);
    last = now;
    for (const p of players) if (p.on && p.seen) {
      p.at = (p.at + passed * p.speed) % p.data.span;
      draw(p);
    }
    requestAnimationFrame(tick);
  });
})();
