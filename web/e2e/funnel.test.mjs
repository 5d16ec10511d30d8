// What a policy reaches among the objects of the sample. The numbers are those of
// cluster/sample: of its 96 Pods 35 run in namespaces labelled env=prod, and two of these
// carry the label that takes them out of the image verifier.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Ambit } from "./support/ambit.mjs";
import { share } from "./support/share.mjs";

const verifier = "/policies/ValidatingWebhookConfiguration/image-verifier";
const entry = "pods.image-verifier.fennel.example.com";

let ambit, page;

share(
  () => Ambit.start(),
  (now) => ({ ambit, page } = now),
);

/** remaining is the number beside each layer of a funnel. */
async function remaining(section) {
  const rows = await section.locator(".drop:has(.n)").all();
  return Object.fromEntries(
    await Promise.all(
      rows.map(async (row) => [await row.locator(".at").innerText(), await row.locator(".n").innerText()]),
    ),
  );
}

test("the funnel follows the pods through the layers, and its bars are as long as its numbers", async () => {
  await page.goto(ambit.url + verifier);
  const funnel = page.locator(`[id="${entry}"] .drops`);
  assert.deepEqual(await remaining(funnel), {
    "Objects of its resources": "96",
    "Resource rules": "96",
    "Namespace selector": "35",
    "Object selector": "33",
    "Match conditions": "33",
  });
  const drop = funnel.locator(".drop", { hasText: "Namespace selector" });
  const [all, part] = await Promise.all(
    [".all", ".part"].map(async (bar) => (await drop.locator(bar).boundingBox()).width),
  );
  assert.ok(Math.abs(part / all - 35 / 96) < 0.01, `the bar shows ${part / all}`);
});

test("a drop leads to the objects that fell out, and to their reasons", async () => {
  await page.goto(ambit.url + verifier);
  await page.locator(`[id="${entry}"] .drops`).getByText("2 fall out").click();
  assert.equal(await page.locator("h1").innerText(), "What falls out");
  const names = await page.locator(".fallen-objects tbody td:first-child").allInnerTexts();
  assert.equal(names.length, 2);
  assert.ok(names.every((name) => name.startsWith("image-resizer-")));
  assert.match(await page.locator(".fallen-reasons tbody tr").innerText(), /skip=true/);
  await page.locator(".meta a").click();
  await page.locator(`[id="${entry}"] .drops`).waitFor();
});

test("another write and another user are asked about, and the links keep them", async () => {
  await page.goto(ambit.url + verifier);
  await page.locator("[name=operation]").selectOption("DELETE");
  await page.locator("[name=as]").fill("mira");
  await page.getByRole("button", { name: "Ask" }).click();
  const funnel = page.locator(`[id="${entry}"] .drops`);
  await funnel.getByText("96 fall out").waitFor();
  assert.match(await page.locator(".drops-ask > p").first().innerText(), /were deleted now, by mira\.$/);
  await funnel.getByText("96 fall out").click();
  await page.locator("h1", { hasText: "What falls out" }).waitFor();
  const address = new URL(page.url()).searchParams;
  assert.equal(address.get("operation"), "DELETE");
  assert.equal(address.get("as"), "mira");
});

test("the funnel and its objects can be had as CSV", async () => {
  for (const [address, lines] of [
    [verifier, null],
    [`${verifier}/${entry}/objects?layer=namespaceSelector`, 62],
  ]) {
    await page.goto(ambit.url + address);
    const waiting = page.waitForEvent("download");
    await page.locator(".exports a", { hasText: "CSV" }).click();
    const download = await waiting;
    assert.match(download.suggestedFilename(), /\.csv$/);
    const text = await readFile(await download.path(), "utf8");
    if (lines === null) {
      assert.ok(text.includes(`,${entry},namespaceSelector,35,61\n`), text);
    } else {
      assert.equal(text.trim().split("\n").length, lines);
    }
  }
});

test("a finding opens to its place, why it matters and what to do", async () => {
  await page.goto(ambit.url + verifier);
  const finding = page.locator('.finding[data-rule="object-label-exclusion"]');
  assert.equal(await finding.locator(".concerns").innerText(), "2 objects");
  await finding.locator("summary").click();
  await finding.getByText("What to do:").waitFor();
  assert.match(await finding.locator("pre").innerText(), /key: image-verify\.fennel\.example\.com\/skip/);
});
