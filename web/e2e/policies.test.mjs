// The list of policies and its filter.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ambit, cluster } from "./support/ambit.mjs";
import { newPage } from "./support/browser.mjs";
import { share } from "./support/share.mjs";

let ambit, browser, page;

share(
  () => Ambit.start(cluster),
  (now) => ({ ambit, browser, page } = now),
);

/** shown is the names of the policies that a person sees. */
async function shown() {
  const names = await page.locator(".policy:visible .name").allInnerTexts();
  return names.map((name) => name.split("\n")[0]);
}

/** open waits until the script has taken over, which removes the form's button. */
async function open(query = "") {
  await page.goto(`${ambit.url}/policies${query}`);
  await page.locator("#filter [type=submit]").waitFor({ state: "detached" });
}

test("text narrows the list while it is typed, and the address keeps up", async () => {
  await open();
  assert.equal((await shown()).length, 5);
  await page.keyboard.press("/");
  await page.keyboard.type("sidecar");
  assert.deepEqual(await shown(), ["sidecar-injector"]);
  assert.equal(await page.locator("#shown").innerText(), "1 of 5");
  assert.equal(new URL(page.url()).search, "?text=sidecar");
});

test("kind, resource and namespace narrow together", async () => {
  await open();
  await page.locator("[name=resource]").fill("pods");
  assert.deepEqual((await shown()).sort(), ["deletion-guard", "require-limits", "sidecar-injector"]);
  await page.locator("[name=namespace]").fill("kube-system");
  assert.deepEqual(await shown(), ["deletion-guard"]);
  await page.locator("[name=kind]").selectOption("MutatingWebhookConfiguration");
  assert.deepEqual(await shown(), []);
  await page.locator(".empty a").click();
  assert.equal((await shown()).length, 5);
});

test("a filtered address shows the same rows, and the rest is there once it is cleared", async () => {
  await open("?kind=MutatingWebhookConfiguration");
  assert.deepEqual(await shown(), ["sidecar-injector"]);
  await page.locator("#filter .clear").click();
  assert.equal((await shown()).length, 5);
  assert.equal(new URL(page.url()).search, "");
});

test("the server filters by the same rules where no script does", async () => {
  const bare = await newPage(browser, { javaScriptEnabled: false });
  for (const query of [
    "?text=sidecar",
    "?resource=pods&namespace=kube-system",
    "?resource=po",
    "?namespace=team-a",
  ]) {
    await open(query);
    const live = await shown();
    await bare.goto(`${ambit.url}/policies${query}`);
    const names = await bare.locator(".policy .name").allInnerTexts();
    assert.deepEqual(
      names.map((name) => name.split("\n")[0]),
      live,
      query,
    );
  }
  await bare.context().close();
});

test("a name leads to the policy, and the policy to the explore page", async () => {
  await open();
  await page.locator(".policy .name", { hasText: "require-limits" }).click();
  await page.locator("h1", { hasText: "require-limits" }).waitFor();
  assert.match(await page.locator(".lede").innerText(), /Sees CREATE and UPDATE of pods/);
  await page.locator(".chip", { hasText: "policy.example.com/exempt" }).waitFor();
  await page.locator("a.button", { hasText: "Try an object" }).click();
  await page.locator(".row.focused", { hasText: "require-limits" }).waitFor();
});
