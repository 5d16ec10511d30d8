// What holds for every page: nothing goes wrong in the console, everybody can use it, and
// it fits on a phone. The pages are those of the built-in sample.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { Ambit } from "./support/ambit.mjs";
import { launch, newPage, watch } from "./support/browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

const paths = [
  "/policies",
  "/policies?text=nothing-is-called-so",
  "/policies/ValidatingAdmissionPolicy/baseline-containers",
  "/policies/MutatingWebhookConfiguration/mesh-sidecar-injector",
  "/policies/FlowSchema/prometheus-discovery",
  "/flow",
  "/flow?resource=leases",
  "/flow?resource=nothing-is-called-so",
  "/explore",
  "/explore?policy=ValidatingAdmissionPolicy/baseline-containers",
  "/about",
];

let ambit, browser;

before(async () => {
  ambit = await Ambit.start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await ambit?.stop();
});

for (const path of paths) {
  test(`${path} has no errors and fits on a phone`, async () => {
    const page = await newPage(browser, { viewport: { width: 420, height: 900 } });
    const wrong = watch(page);
    await page.goto(ambit.url + path);
    await settle(page);
    await openAll(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 420, `${width} px wide`);
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`${path} has no serious accessibility violation, ${colorScheme}`, async () => {
      // Axe is put into the page from outside, which its policy forbids to everybody else.
      const page = await newPage(browser, { colorScheme, bypassCSP: true, reducedMotion: "reduce" });
      await page.goto(ambit.url + path);
      await settle(page);
      await openAll(page);
      await page.addScriptTag({ path: axe });
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      const found = serious.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
      );
      assert.deepEqual(found, []);
      await page.context().close();
    });
  }
}

test("a page that does not exist says so and leads back", async () => {
  const page = await newPage(browser);
  const response = await page.goto(`${ambit.url}/policies/ValidatingAdmissionPolicy/none`);
  assert.equal(response.status(), 404);
  await page.locator("main a", { hasText: "All policies" }).click();
  await page.locator("h1", { hasText: "Policies" }).waitFor();
  await page.context().close();
});

test("the theme can be chosen and is kept", async () => {
  const page = await newPage(browser, { colorScheme: "light" });
  await page.goto(`${ambit.url}/about`);
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  const button = page.getByRole("button", { name: /^Theme/ });
  await button.click();
  assert.equal(await paper(), light);
  await button.click();
  assert.notEqual(await paper(), light);
  await page.goto(`${ambit.url}/policies`);
  assert.notEqual(await paper(), light);
  await button.click();
  assert.equal(await paper(), light);
  await page.context().close();
});

test("everything on the explore page can be reached with the keyboard", async () => {
  const page = await newPage(browser);
  await page.goto(`${ambit.url}/explore`);
  await settle(page);
  const focused = () => page.evaluate(() => document.activeElement.closest("[id], .cm-content")?.className);
  const reach = async (matches) => {
    for (let presses = 0; presses < 60; presses++) {
      if (await page.evaluate((selector) => document.activeElement.matches(selector), matches)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`${matches} is not reached; the focus is in ${await focused()}`);
  };
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await reach("#ask-operation");
  await reach(".share");
  await reach(".cm-content");
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement.matches(".cm-content")));
  await page.keyboard.press("ControlOrMeta+z");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await reach("#result .row > summary");
  await page.keyboard.press("Enter");
  await page.locator("#result .row[open] .steps").first().waitFor();
  await page.context().close();
});

test("the explore page answers without a script", async () => {
  const page = await newPage(browser, { javaScriptEnabled: false });
  await page.goto(`${ambit.url}/explore`);
  await page.locator("#result .lede b").waitFor();
  await page
    .locator("textarea[name=text]")
    .fill("apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop-dev}\n");
  await page.locator(".explain").click();
  await page.locator("#ask .resource", { hasText: "services" }).waitFor();
  await page.context().close();
});

/** settle waits until scripts have done what they do by themselves. */
async function settle(page) {
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(300);
}

/** openAll opens what is folded, because what is not shown is not checked. */
async function openAll(page) {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("main details")) details.open = true;
  });
}
