// Builds src/dalembert/viewer/static/page.html from the sources in this folder: one file that asks for nothing else.
//   npm ci && npm run build              write the page
//   npm run build -- --check             compare only; exit code 1 when the shipped page is another one
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "src", "dalembert", "viewer", "static", "page.html");

function digest() {
  // the same sum is taken by tests/viewer/test_built_page.py
  const files = ["build.mjs", "package.json", "package-lock.json", ...readdirSync(join(here, "src")).map((f) => `src/${f}`)].sort();
  const sum = createHash("sha256");
  for (const file of files) sum.update(`${file}\n`).update(readFileSync(join(here, file)));
  return sum.digest("hex");
}

const script = await build({
  entryPoints: [join(here, "src", "main.js")],
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome100", "firefox113", "safari16"],
  legalComments: "eof",
  charset: "utf8",
  write: false,
});
const style = await build({
  entryPoints: [join(here, "src", "style.css")],
  bundle: true,
  minify: true,
  legalComments: "none",
  write: false,
});
const fill = { "/*style*/": style.outputFiles[0].text.trim(), "/*script*/": script.outputFiles[0].text.trim().replaceAll("</script", "<\\/script") };
let page = readFileSync(join(here, "src", "page.html"), "utf8");
for (const [mark, text] of Object.entries(fill)) page = page.split(mark).join(text);
// The licences of what is bundled ask to go with it.
const licences = ["three", "uplot"].map((p) => {
  const { version } = JSON.parse(readFileSync(join(here, "node_modules", p, "package.json"), "utf8"));
  return `${p} ${version}\n\n${readFileSync(join(here, "node_modules", p, "LICENSE"), "utf8").trim()}`;
});
page = page.replace("</body>", `<!--\nThis page contains:\n\n${licences.join("\n\n").replaceAll("--", "- -")}\n-->\n</body>`);
const body = createHash("sha256").update(page).digest("hex");
page = page.replace("<head>", `<head>\n<!-- sources ${digest()} page ${body} -->`);

if (process.argv.includes("--check")) {
  const same = readFileSync(target, "utf8") === page;
  console.log(same ? "the shipped page is the built one" : "the shipped page differs from the one built now: npm run build");
  process.exit(same ? 0 : 1);
}
writeFileSync(target, page);
console.log(`${target}: ${(page.length / 1024).toFixed(0)} kB`);
