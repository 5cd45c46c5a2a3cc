// Builds src/dalembert/workshop/static/studio.html from studio/ and the modules it takes from src/: one file that asks for nothing else.
//   npm ci && node studio.mjs            write it
//   node studio.mjs --check              compare only; exit code 1 when the shipped one is another
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url)), target = join(here, "..", "src", "dalembert", "workshop", "static", "studio.html");
const common = { bundle: true, minify: true, write: false };
const script = await build({ ...common, entryPoints: [join(here, "studio", "main.js")], format: "iife", target: ["chrome100", "firefox113", "safari16"], legalComments: "eof", charset: "utf8", metafile: true });
const style = await build({ ...common, entryPoints: [join(here, "studio", "studio.css")], legalComments: "none", metafile: true });
// the sources it was built from: the same sum is taken by tests/workshop/test_built_studio.py, which reads their names from the stamp
const inputs = [...Object.keys(script.metafile.inputs), ...Object.keys(style.metafile.inputs)].map((f) => relative(here, join(process.cwd(), f)));
const names = [...new Set(["package-lock.json", "studio.mjs", ...readdirSync(join(here, "studio")).map((f) => `studio/${f}`), ...inputs.filter((f) => f.startsWith("src/"))])].sort();
const sum = createHash("sha256");
for (const f of names) sum.update(`${f}\n`).update(readFileSync(join(here, f)));
const fill = { "/*style*/": style.outputFiles[0].text.trim(), "/*script*/": script.outputFiles[0].text.trim().replaceAll("</script", "<\\/script") };
let page = readFileSync(join(here, "studio", "studio.html"), "utf8");
for (const [mark, text] of Object.entries(fill)) page = page.split(mark).join(text);
const licences = ["three", "uplot"].map((p) => {
  const { version } = JSON.parse(readFileSync(join(here, "node_modules", p, "package.json"), "utf8"));
  return `${p} ${version}\n\n${readFileSync(join(here, "node_modules", p, "LICENSE"), "utf8").trim()}`;
});
page = page.replace("</body>", () => `<!--\nThis page contains:\n\n${licences.join("\n\n").replaceAll("--", "- -")}\n-->\n</body>`);
const body = createHash("sha256").update(page).digest("hex");
page = page.replace("<head>", () => `<head>\n<!-- sources ${sum.digest("hex")} page ${body} of ${names.join(" ")} -->`);
if (process.argv.includes("--check")) {
  const same = readFileSync(target, "utf8") === page;
  console.log(same ? "the shipped studio is the built one" : "the shipped studio differs from the one built now: node studio.mjs");
  process.exit(same ? 0 : 1);
}
writeFileSync(target, page);
console.log(`${target}: ${(page.length / 1024).toFixed(0)} kB`);
