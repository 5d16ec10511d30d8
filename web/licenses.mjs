// Collects the licenses of the npm packages that ended up in a bundle, because their
// licenses ask that the text travels with the code.
import { readFile } from "node:fs/promises";
import path from "node:path";

// licenses returns one text for the bundled input paths, in a stable order.
export async function licenses(root, inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const match = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) packages.add(match[1]);
  }
  const parts = [];
  for (const name of [...packages].sort()) {
    const folder = path.join(root, "node_modules", name);
    const { version, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
    const text = await readFile(path.join(folder, "LICENSE"), "utf8");
    parts.push(`${name} ${version} (${license})\n\n${text.trim()}\n`);
  }
  return Buffer.from(parts.join("\n----\n\n"));
}
