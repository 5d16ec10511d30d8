// Pasting, editing and reading answers, as a newcomer does.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Ambit, cluster } from "./support/ambit.mjs";
import { newPage } from "./support/browser.mjs";
import { deployment, open, paste, pod, podAnywhere, row, says, text, typeAfter } from "./support/explore.mjs";
import { share } from "./support/share.mjs";

let ambit, browser, page;

share(
  () => Ambit.start(cluster),
  (now) => ({ ambit, browser, page } = now),
);
beforeEach(async () => {
  await open(page, ambit.url);
});

test("one edited label flips a verdict, and the reason names the label and its line", async () => {
  await paste(page, pod);
  await says(page, "require-limits", "evaluated");
  await typeAfter(page, "app: web", '\npolicy.example.com/exempt: "true"');
  await says(page, "require-limits", "excluded");
  const excluded = row(page, "require-limits");
  await excluded.locator(".why", { hasText: "policy.example.com/exempt" }).waitFor();
  const line = (await text(page)).split("\n").findIndex((content) => content.includes("exempt")) + 1;
  assert.match(await excluded.locator(".why").innerText(), new RegExp(`line ${line}`));
  const marked = page.locator(".cm-line.cm-marked-deciding");
  assert.match(await marked.innerText(), /policy\.example\.com\/exempt/);
});

test("the answer's first sentence counts policies", async () => {
  await paste(page, pod);
  await page.locator("#result .lede", { hasText: "2 of 5 policies see this request" }).waitFor();
});

test("a condition that fails says so with the missing key", async () => {
  await paste(page, deployment);
  await says(page, "tiers", "refused");
  assert.match(await row(page, "tiers").locator(".why").innerText(), /no such key: annotations/);
});

test("an opened row stays open while the text changes", async () => {
  await paste(page, deployment);
  const summary = row(page, "spread-replicas").locator("summary").first();
  await summary.click();
  const steps = row(page, "spread-replicas").locator(".steps");
  await steps.waitFor();
  await typeAfter(page, "replicas: 1", "0");
  await says(page, "spread-replicas", "evaluated");
  assert.ok(await steps.isVisible());
});

test("what an answer offers becomes the text", async () => {
  await paste(page, deployment);
  await says(page, "spread-replicas", "excluded");
  await page.locator("#ask .offers button", { hasText: "Pod" }).click();
  await page.waitForFunction(() => document.querySelector("textarea[name=text]").value.includes("kind: Pod"));
  await says(page, "require-limits", "evaluated");
});

test("an example becomes the text", async () => {
  await paste(page, "");
  await page.locator(".menu summary").click();
  await page.locator(".menu a").first().click();
  assert.ok(await page.locator(".menu ul").isHidden());
  await page.waitForFunction(() => document.querySelector("textarea[name=text]").value.includes("kind:"));
});

test("JSON is read and highlighted as JSON", async () => {
  await paste(
    page,
    JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "team-a" } }),
  );
  await says(page, "require-limits", "evaluated");
  await page.locator(".cm-line .tok-propertyName", { hasText: '"kind"' }).waitFor();
});

test("a reason under the pointer shows its line", async () => {
  await paste(page, pod);
  await typeAfter(page, "app: web", '\npolicy.example.com/exempt: "true"');
  await says(page, "require-limits", "excluded");
  await row(page, "require-limits").locator("summary").hover();
  assert.match(await page.locator(".cm-line.cm-pointed").innerText(), /policy\.example\.com\/exempt/);
});

test("a shared link restores text and request, and is not sent to the server", async () => {
  await paste(page, podAnywhere);
  await says(page, "sidecar-injector", "excluded");
  await page.locator("#ask [name=namespace]").fill("team-a");
  await says(page, "sidecar-injector", "called");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator(".share").click();
  await page.locator(".share", { hasText: "Link copied" }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#t=[\w-]+$/);

  const other = await newPage(browser);
  const asked = [];
  other.on("request", (request) => asked.push(request.url()));
  await other.goto(link);
  await says(other, "sidecar-injector", "called");
  assert.equal(await text(other), podAnywhere);
  assert.equal(await other.locator("#ask [name=namespace]").inputValue(), "team-a");
  assert.ok(asked.every((address) => !address.includes("#t=")));
  await other.context().close();
});

test("a reload loses nothing", async () => {
  await paste(page, pod.replace("name: web", "name: draft"));
  await page.locator("#ask [name=user]").fill("alice");
  await page.locator("#result .lede").waitFor();
  await page.waitForTimeout(300);
  await page.reload();
  await page.locator(".cm-content").waitFor();
  assert.match(await text(page), /name: draft/);
  await page.waitForFunction(() => document.querySelector("#ask [name=user]").value === "alice");
});

test("more than the server reads is a sentence and not a lost connection", async () => {
  await paste(page, `# ${"x".repeat(1 << 20)}\n${pod}`);
  await page.locator(".problems .err", { hasText: "1 MiB" }).waitFor();
  await paste(page, pod);
  await says(page, "require-limits", "evaluated");
  assert.equal(await page.locator(".problems .err").count(), 0);
});
