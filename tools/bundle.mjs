// Bundles the report page's scripts and styles, with the licenses of the libraries inside, and the script of the atlas;
// or checks that what is committed is what they give: node tools/bundle.mjs [--check]

import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const folder = "src/uccurve/report_page/web";
const common = { bundle: true, minify: true, write: false, metafile: true, logLevel: "error" };
const code = { ...common, format: "iife", target: "es2022", legalComments: "none" };
const script = await build({ ...code, entryPoints: [`${folder}/main.js`] });
const explorer = await build({ ...code, entryPoints: ["casestudies/atlas/explorer.js"] });
const style = await build({ ...common, entryPoints: [`${folder}/page.css`] });

const inside = Object.keys(script.metafile.inputs).map((path) => /node_modules\/([^/]+)/.exec(path)?.[1]);
const packages = [...new Set(inside.filter(Boolean))].sort();
if (!packages.length) throw new Error("no library is inside: the licenses would be empty");
const licenses = packages.map((name) => {
  const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  return {
    title: `${name} ${version} (${license})`,
    text: readFileSync(`node_modules/${name}/LICENSE`, "utf8"),
  };
});
const texts = [...new Set(licenses.map(({ text }) => text.trim()))];
const titles = licenses.map(({ title }) => title).join(", ");

const files = {
  [`${folder}/page.min.js`]: script.outputFiles[0].text.trimEnd(),
  [`${folder}/page.min.css`]: style.outputFiles[0].text.trimEnd(),
  [`${folder}/licenses.txt`]: `${[titles, ...texts].join("\n\n")}\n`,
  "casestudies/atlas/explorer.min.js": explorer.outputFiles[0].text.trimEnd(),
};
const stale = Object.entries(files).filter(([name, text]) => {
  if (!process.argv.includes("--check")) writeFileSync(name, text);
  return readFileSync(name, "utf8") !== text;
});
if (stale.length) {
  console.error(`${stale.map(([name]) => name).join(", ")} differ from the sources: run make format`);
  process.exitCode = 1;
}
