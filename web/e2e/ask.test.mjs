// The request builder: what is guessed, what a person says, and back.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Ambit, cluster } from "./support/ambit.mjs";
import { open, paste, pod, podAnywhere, row, says } from "./support/explore.mjs";
import { share } from "./support/share.mjs";

let ambit, page;

share(
  () => Ambit.start(cluster),
  (now) => ({ ambit, page } = now),
);
beforeEach(async () => {
  await open(page, ambit.url);
  await paste(page, pod);
  await says(page, "require-limits", "evaluated");
});

const field = (name) => page.locator(`#ask [name=${name}]`);

test("another operation and another user change verdicts", async () => {
  await field("operation").selectOption("DELETE");
  await says(page, "deletion-guard", "cannot tell");
  await field("user").fill("alice");
  await says(page, "deletion-guard", "called");
  await field("user").fill("collector");
  await says(page, "deletion-guard", "excluded");
  assert.match(await row(page, "deletion-guard").innerText(), /not-the-collector/);
});

test("what it depends on leads to its field", async () => {
  await field("operation").selectOption("DELETE");
  await says(page, "deletion-guard", "cannot tell");
  await row(page, "deletion-guard").locator("summary").click();
  await row(page, "deletion-guard").locator("a[href='#ask-user']").click();
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("name")), "user");
});

test("a changed field is no guess any more, and can be given back", async () => {
  await paste(page, podAnywhere);
  await says(page, "require-limits", "excluded");
  assert.equal(await field("namespace").getAttribute("data-guessed"), "true");
  await field("namespace").fill("team-a");
  await says(page, "require-limits", "evaluated");
  assert.equal(await field("namespace").getAttribute("data-guessed"), "false");
  await page.locator("#ask [data-reset]").click();
  await says(page, "require-limits", "excluded");
  assert.equal(await field("namespace").inputValue(), "default");
  assert.equal(await page.locator("#ask [data-reset]").count(), 0);
});

test("a cleared field shows the guess again", async () => {
  await paste(page, podAnywhere);
  await field("namespace").fill("team-a");
  await says(page, "require-limits", "evaluated");
  await field("namespace").fill("");
  await says(page, "require-limits", "excluded");
  await field("name").focus();
  await page.waitForFunction(() => document.querySelector("#ask [name=namespace]").value === "default");
});

test("a namespace that contradicts the object is a sentence with a way back", async () => {
  await field("namespace").fill("kube-system");
  await page.locator(".problems .err", { hasText: "does not match the namespace" }).waitFor();
  await page.locator("#ask [data-reset]").click();
  await page.locator(".problems .err").waitFor({ state: "detached" });
  await says(page, "require-limits", "evaluated");
});

test("a half-typed value survives the answers that arrive meanwhile", async () => {
  await field("name").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("something-else", { delay: 60 });
  await page.waitForTimeout(400);
  assert.equal(await field("name").inputValue(), "something-else");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("name")), "name");
});

test("the derived request is shown as text", async () => {
  await field("operation").selectOption("DELETE");
  await page.locator(".derived summary").click();
  await page.locator(".derived pre", { hasText: "operation: DELETE" }).waitFor();
});
