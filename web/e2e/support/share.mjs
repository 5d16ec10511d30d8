// What the tests of a file have in common: one server, one browser, and for each test a page
// of its own, in which nothing may go wrong.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach } from "node:test";
import { launch, newPage, watch } from "./browser.mjs";

/**
 * share starts Ambit, by a function of the file, and a browser, and stops both after the last
 * test. Take is handed { ambit, browser, page } before each test.
 */
export function share(start, take) {
  let ambit, browser, page, wrong;
  before(async () => {
    ambit = await start();
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await ambit?.stop();
  });
  beforeEach(async () => {
    page = await newPage(browser);
    wrong = watch(page);
    take({ ambit, browser, page });
  });
  afterEach(async () => {
    assert.deepEqual(wrong, []);
    await page.context().close();
  });
}
