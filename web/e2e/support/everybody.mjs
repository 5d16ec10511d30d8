// That a page can be used by everybody: it fits on a phone, nothing goes wrong in it, and axe
// finds nothing serious in it, in either theme.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { newPage, watch } from "./browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const phone = { width: 420, height: 900 };

export const schemes = ["light", "dark"];

/** fits opens a page on a phone, with all that is folded open, and does not let it be wider. */
export async function fits(browser, address) {
  const page = await newPage(browser, { viewport: phone });
  const wrong = watch(page);
  await page.goto(address);
  await settle(page);
  await openAll(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= phone.width, `${width} px wide`);
  assert.deepEqual(wrong, []);
  await page.context().close();
}

/** accessible has axe look at a page with all that is folded open, and at what act does to it before. */
export async function accessible(browser, address, colorScheme, { viewport, act } = {}) {
  // Axe is put into the page from outside, which its policy forbids to everybody else.
  const options = { colorScheme, bypassCSP: true, reducedMotion: "reduce", ...(viewport && { viewport }) };
  const page = await newPage(browser, options);
  await page.goto(address);
  await settle(page);
  await openAll(page);
  await act?.(page);
  await page.addScriptTag({ path: axe });
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const found = serious.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
  assert.deepEqual(found, []);
  await page.context().close();
}

/** settle waits until scripts have done what they do by themselves. */
export async function settle(page) {
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(300);
}

/** openAll opens what is folded, because what is not shown is not checked. */
async function openAll(page) {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("main details")) details.open = true;
  });
}
