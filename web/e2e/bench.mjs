// Measures in Chromium how long it takes from the end of the debounce to the painted
// verdict, with 300 policies. It prints and asserts nothing: a machine that is busy with
// something else is not a failure.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Ambit } from "./support/ambit.mjs";
import { launch } from "./support/browser.mjs";
import { open, paste, pod, typeAfter } from "./support/explore.mjs";
import { manifests } from "./support/manifests.mjs";

const policies = 300;
const keystrokes = 150;

const folder = await mkdtemp(path.join(tmpdir(), "ambit-bench-"));
await writeFile(path.join(folder, "cluster.yaml"), manifests(policies));
const ambit = await Ambit.start(folder);
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
await open(page, ambit.url);
await paste(page, pod);
await typeAfter(page, "app: web", "-");
for (let typed = 0; typed < keystrokes; typed++) {
  const answers = await page.evaluate(() => performance.getEntriesByName("ambit:answer").length);
  await page.keyboard.type("abcdefghij"[typed % 10]);
  await page.waitForFunction(
    (before) => performance.getEntriesByName("ambit:answer").length > before,
    answers,
  );
}
const entries = await page.evaluate(() =>
  performance.getEntriesByName("ambit:answer").map(({ duration, detail }) => ({ duration, ...detail })),
);
const rows = await page.locator("#result .row").count();
await browser.close();
await ambit.stop();
await rm(folder, { recursive: true });

// The first answers include the first paint of the page.
const steady = entries.slice(5);
console.log(`${policies} policies, ${steady.length} keystrokes, ${rows} rows in the answer`);
report(
  "asked to painted, ms",
  steady.map(({ duration }) => duration),
);
report(
  "of that the server's evaluation, ms",
  steady.map(({ micros }) => micros / 1000),
);

function report(title, values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  console.log(`${title}: p50 ${at(0.5)}, p95 ${at(0.95)}, max ${at(1)}`);
}
