// The answer stands beside a text that is being written and a server that comes and goes.
import assert from "node:assert/strict";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Ambit, cluster } from "./support/ambit.mjs";
import { newPage } from "./support/browser.mjs";
import { open, paste, pod, says, text, typeAfter } from "./support/explore.mjs";
import { share } from "./support/share.mjs";

let ambit, browser, page;

share(
  () => Ambit.start(cluster),
  (now) => ({ ambit, browser, page } = now),
);

test("broken YAML keeps the last answer, dimmed, with the error at its line", async () => {
  await open(page, ambit.url);
  await paste(page, pod);
  await says(page, "require-limits", "evaluated");
  await typeAfter(page, "app: web", ": :");
  await page.locator(".problems .err", { hasText: /^Line \d+: / }).waitFor();
  await says(page, "require-limits", "evaluated");
  const opacity = () =>
    page.locator("#result").evaluate((result) => Number(getComputedStyle(result).opacity));
  await page.waitForFunction(() => getComputedStyle(document.querySelector("#result")).opacity < 0.6);
  await page.locator(".cm-lint-marker-error").waitFor();
  await page.locator(".problems button").click();
  assert.ok(await page.locator(".cm-content").evaluate((editor) => editor.contains(document.activeElement)));
  await page.locator(".cm-content").focus();
  await paste(page, pod);
  await page.locator(".problems .err").waitFor({ state: "detached" });
  await page.waitForFunction(() => getComputedStyle(document.querySelector("#result")).opacity === "1");
  assert.equal(await opacity(), 1);
  assert.equal(await page.locator(".cm-lint-marker-error").count(), 0);
});

test("two tabs do not disturb each other", async () => {
  const context = await browser.newContext();
  const [first, second] = [await context.newPage(), await context.newPage()];
  await open(first, ambit.url);
  await open(second, ambit.url);
  await paste(first, pod);
  await paste(second, pod.replace("namespace: team-a", "namespace: kube-system"));
  await says(first, "require-limits", "evaluated");
  await says(second, "require-limits", "excluded");
  await first.locator("#ask [name=user]").fill("alice");
  await first.waitForTimeout(400);
  assert.equal(await second.locator("#ask [name=user]").inputValue(), "");
  assert.match(await text(first), /namespace: team-a/);
  assert.match(await text(second), /namespace: kube-system/);
  await says(second, "require-limits", "excluded");
  await context.close();
});

test("a change of the policies answers an open page again", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "ambit-e2e-"));
  const manifest = path.join(folder, "cluster.yaml");
  await copyFile(cluster, manifest);
  const changing = await Ambit.start(folder);
  const page = await newPage(browser);
  await open(page, changing.url);
  await paste(page, pod);
  await says(page, "require-limits", "evaluated");
  const manifests = await readFile(manifest, "utf8");
  await writeFile(
    manifest,
    manifests.replace("key: tenant, operator: Exists", "key: tenant, operator: DoesNotExist"),
  );
  await says(page, "require-limits", "excluded");
  await page.context().close();
  await changing.stop();
  await rm(folder, { recursive: true });
});

test("after a restart of the server the page asks again and has lost nothing", async () => {
  // A page of its own: the browser complains of the connection that it loses.
  const page = await newPage(browser);
  await open(page, ambit.url);
  await paste(page, pod);
  await says(page, "require-limits", "evaluated");
  await ambit.stop();
  await page.locator(".lost", { hasText: "Reconnecting" }).waitFor();
  await typeAfter(page, "app: web", '\npolicy.example.com/exempt: "true"');
  await ambit.again();
  await says(page, "require-limits", "excluded");
  await page.locator(".lost").waitFor({ state: "hidden" });
  assert.match(await text(page), /exempt: "true"/);
  await page.context().close();
});
