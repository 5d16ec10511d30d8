// Builds what the browser loads: every entry of web/src and web/css becomes one minified
// file in static/dist whose name carries a hash of its content, and manifest.json maps
// the plain name to it. The result is committed, so that `go install` needs no Node;
// `--check` builds into memory and fails if what is committed differs.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { licenses } from "./licenses.mjs";

const web = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(web);
const dist = path.join(root, "static", "dist");
const entries = [
  "src/explore.ts",
  "src/policies.ts",
  "src/coverage.ts",
  "src/page.ts",
  "src/theme.ts",
  "css/ambit.css",
];

const wanted = await outputs();
if (process.argv.includes("--check")) {
  await check(wanted);
} else {
  await write(wanted);
}

// outputs returns the files of static/dist by name.
async function outputs() {
  const result = await build({
    absWorkingDir: root,
    entryPoints: entries.map((entry) => path.join(web, entry)),
    outdir: dist,
    entryNames: "[name]",
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    target: ["es2022", "chrome123", "firefox120", "safari17.5"],
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  });
  const files = new Map();
  const manifest = {};
  const add = (name, contents) => {
    const hashed = withHash(name, contents);
    files.set(hashed, contents);
    manifest[name] = hashed;
  };
  for (const file of result.outputFiles) {
    add(path.basename(file.path), Buffer.from(file.contents));
  }
  for (const name of (await readdir(path.join(web, "assets"))).sort()) {
    add(name, await readFile(path.join(web, "assets", name)));
  }
  const sorted = Object.fromEntries(Object.entries(manifest).sort());
  files.set("manifest.json", Buffer.from(JSON.stringify(sorted, null, 2) + "\n"));
  files.set("LICENSES.txt", await licenses(root, Object.keys(result.metafile.inputs)));
  return files;
}

function withHash(name, contents) {
  const hash = createHash("sha256").update(contents).digest("hex").slice(0, 10);
  const { name: stem, ext } = path.parse(name);
  return `${stem}-${hash}${ext}`;
}

async function write(files) {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  for (const [name, contents] of files) {
    await writeFile(path.join(dist, name), contents);
    console.log(`${String(contents.length).padStart(8)}  ${name}`);
  }
}

async function check(files) {
  const present = new Set(await readdir(dist).catch(() => []));
  const stale = [];
  for (const [name, contents] of files) {
    const same = present.has(name) && contents.equals(await readFile(path.join(dist, name)));
    if (!same) stale.push(`${name} is missing or differs`);
    present.delete(name);
  }
  for (const name of present) stale.push(`${name} is left over`);
  if (stale.length > 0) {
    console.error(`static/dist is stale, run "npm run build":\n  ${stale.join("\n  ")}`);
    process.exit(1);
  }
  console.log("static/dist is current");
}
