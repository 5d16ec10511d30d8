// What holds for every page: nothing goes wrong in the console, everybody can use it, and
// it fits on a phone. The pages are those of the built-in sample.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ambit } from "./support/ambit.mjs";
import { newPage } from "./support/browser.mjs";
import { accessible, fits, schemes, settle } from "./support/everybody.mjs";
import { share } from "./support/share.mjs";

const paths = [
  "/policies",
  "/policies?text=nothing-is-called-so",
  "/policies/ValidatingAdmissionPolicy/baseline-containers",
  "/policies/MutatingWebhookConfiguration/mesh-sidecar-injector",
  "/policies/FlowSchema/prometheus-discovery",
  "/flow",
  "/flow?resource=leases",
  "/flow?resource=nothing-is-called-so",
  "/policies/ValidatingWebhookConfiguration/image-verifier",
  "/policies/ValidatingWebhookConfiguration/image-verifier/pods.image-verifier.fennel.example.com/objects?layer=namespaceSelector",
  "/coverage",
  "/coverage?operation=DELETE&as=mira&as-group=devs&gaps=true",
  "/coverage?by=resource",
  "/coverage?policy=nothing-is-called-so",
  "/coverage/cell?policy=ValidatingWebhookConfiguration%2Fimage-verifier%2Fpods.image-verifier.fennel.example.com&namespace=shop-prod",
  "/coverage/unreached",
  "/coverage/unreached?resource=configmaps",
  "/coverage/namespaces/shop-prod",
  "/coverage/namespaces/-",
  "/groups",
  "/explore",
  "/explore?policy=ValidatingAdmissionPolicy/baseline-containers",
  "/about",
];

let ambit, browser, page;

share(
  () => Ambit.start(),
  (now) => ({ ambit, browser, page } = now),
);

for (const path of paths) {
  test(`${path} has no errors and fits on a phone`, () => fits(browser, ambit.url + path));

  for (const colorScheme of schemes) {
    test(`${path} has no serious accessibility violation, ${colorScheme}`, () =>
      accessible(browser, ambit.url + path, colorScheme));
  }
}

test("a page that does not exist says so and leads back", async () => {
  const page = await newPage(browser); // Which complains of the status on its console.
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

const phone = { width: 420, height: 900 };

test("on a phone the pages are in a menu, which the keyboard opens, walks through and closes", async () => {
  await page.setViewportSize(phone);
  await page.goto(`${ambit.url}/about`);
  const [button, links] = [page.getByRole("button", { name: "Menu" }), page.locator(".top nav a")];
  assert.ok(await links.first().isHidden());
  await button.focus();
  await page.keyboard.press("Enter");
  await links.first().waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Policies");
  await page.keyboard.press("Escape");
  await links.first().waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Menu");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator("h1", { hasText: "Coverage" }).waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
  assert.ok(await button.isHidden());
  assert.equal(await page.locator(".top nav a:visible").count(), await links.count());
});

test("the menu needs no script, and says which page one is on", async () => {
  const bare = await newPage(browser, { javaScriptEnabled: false, viewport: phone });
  await bare.goto(`${ambit.url}/coverage`);
  await bare.getByRole("button", { name: "Menu" }).click();
  assert.equal(await bare.locator(".top nav [aria-current=page]:visible").innerText(), "Coverage");
  await bare.locator(".top nav a", { hasText: "Flow" }).click();
  await bare.locator("h1", { hasText: "Flow" }).waitFor();
  await bare.context().close();
});

for (const colorScheme of schemes) {
  test(`the open menu has no serious accessibility violation, ${colorScheme}`, () =>
    accessible(browser, `${ambit.url}/about`, colorScheme, {
      viewport: phone,
      act: (opened) => opened.getByRole("button", { name: "Menu" }).click(),
    }));
}

test("everything on the explore page can be reached with the keyboard", async () => {
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
