// Request lines: what flow control takes, live, and how an object leads there and back.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Ambit, cluster } from "./support/ambit.mjs";
import { accessible, fits, schemes } from "./support/everybody.mjs";
import { falls, open, paste, pod, row, says, text, typeAfter } from "./support/explore.mjs";
import { share } from "./support/share.mjs";

const line = "get pods -A --as system:serviceaccount:team-a:web";
const review = `apiVersion: authorization.k8s.io/v1
kind: SubjectAccessReview
spec:
  user: system:node:one
  groups: [system:nodes, system:authenticated]
  resourceAttributes: { verb: update, resource: nodes, subresource: status, name: one }
`;

let ambit, browser, page;

share(
  () => Ambit.start(cluster),
  (now) => ({ ambit, browser, page } = now),
);
beforeEach(async () => {
  await open(page, ambit.url);
});

const field = (name) => page.locator(`#ask [name=${name}]`);
const sort = (name) => page.locator(".sorts a", { hasText: name });

test("a line is answered while it is typed", async () => {
  await paste(page, line);
  await falls(page, "service-accounts");
  await page.locator("#result .row.chosen .name", { hasText: /^service-accounts/ }).waitFor();
  await page
    .locator("#result .lede", { hasText: "in the flow of system:serviceaccount:team-a:web" })
    .waitFor();
  await typeAfter(page, "team-a:web", " --as-group system:masters");
  await falls(page, "exempt");
  assert.equal(await field("verb").inputValue(), "list");
});

test("a changed field changes the class, and can be given back", async () => {
  await paste(page, line);
  await falls(page, "service-accounts");
  await field("user").fill("system:serviceaccount:kube-system:web");
  await falls(page, "kube-system-service-accounts");
  await field("path").fill("/healthz");
  await falls(page, "probes");
  assert.equal(await page.locator("#ask [name=namespace]").count(), 0);
  await page.locator("#ask [data-reset]").click();
  await falls(page, "service-accounts");
  assert.equal(await field("path").inputValue(), "");
  assert.equal(await page.locator("#ask [data-reset]").count(), 0);
});

test("all namespaces can be said and taken back", async () => {
  await paste(page, "list pods --as mira --as-group devs");
  await falls(page, "global-default");
  assert.equal(await field("namespace").inputValue(), "default");
  await field("allNamespaces").check();
  await page.waitForFunction(() => document.querySelector("#ask [name=namespace]").value === "");
  await field("allNamespaces").uncheck();
  await page.waitForFunction(() => document.querySelector("#ask [name=namespace]").value === "default");
});

test("a SubjectAccessReview fills the same form", async () => {
  await paste(page, review);
  await falls(page, "system-node-high");
  assert.equal(await field("resource").inputValue(), "nodes");
  assert.equal(await field("subresource").inputValue(), "status");
  await row(page, "system-node-high").locator("summary").click();
  await row(page, "system-node-high").locator(".want", { hasText: "group system:nodes" }).waitFor();
});

test("an error in a line stands at its place, and the line stays", async () => {
  await paste(page, line);
  await falls(page, "service-accounts");
  await paste(page, "get podz -A");
  await page.locator(".problems .err", { hasText: '"podz" is not known' }).waitFor();
  await page.locator(".cm-lintRange-error", { hasText: "podz" }).waitFor();
  assert.equal(await text(page), "get podz -A");
  await page.locator("main[data-stale]").waitFor();
  await paste(page, line);
  await falls(page, "service-accounts");
  await page.locator("main:not([data-stale])").waitFor();
});

test("the switch goes to a line and back to the same object", async () => {
  await paste(page, pod);
  await says(page, "require-limits", "evaluated");
  assert.equal(await sort("Object").getAttribute("aria-current"), "true");
  await sort("Request line").click();
  await page.locator("#result .lede b").first().waitFor();
  await page.waitForFunction(() => document.querySelector("#ask").dataset.sort === "line");
  assert.match(await text(page), /^get pods -A --as system:serviceaccount:/);
  assert.equal(await sort("Request line").getAttribute("aria-current"), "true");
  await paste(page, "list nodes --as mira --as-group devs");
  await falls(page, "global-default");
  await sort("Object").click();
  await says(page, "require-limits", "evaluated");
  assert.equal(await text(page), pod);
  await sort("Request line").click();
  await falls(page, "global-default");
  assert.equal(await text(page), "list nodes --as mira --as-group devs");
});

test("the text before the switch is in the editor's history", async () => {
  await paste(page, pod);
  await says(page, "require-limits", "evaluated");
  await sort("Request line").click();
  await page.waitForFunction(() => document.querySelector("#ask").dataset.sort === "line");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("ControlOrMeta+z");
  await says(page, "require-limits", "evaluated");
  assert.equal(await text(page), pod);
});

test("an object's way begins with flow control", async () => {
  await paste(page, pod);
  await says(page, "require-limits", "evaluated");
  const phases = await page
    .locator("#result .phase")
    .evaluateAll((all) => all.map(({ id }) => id.replace("phase-", "")));
  assert.deepEqual(phases, ["flowControl", "mutatingWebhooks", "validatingPolicies", "validatingWebhooks"]);
  const sentence = page.locator("#phase-flowControl .falls");
  assert.match(
    await sentence.innerText(),
    /^It depends on who asks: in exempt .* otherwise in global-default/,
  );
  await field("user").fill("system:serviceaccount:team-a:web");
  await page.locator("#phase-flowControl .falls b", { hasText: "service-accounts" }).waitFor();
  await page.locator("#phase-flowControl .alone").click();
  await falls(page, "service-accounts");
  assert.equal(await text(page), "create pods -n team-a --as system:serviceaccount:team-a:web");
});

test("an address with a line opens with it", async () => {
  await open(page, ambit.url, `?line=${encodeURIComponent(line)}`);
  await falls(page, "service-accounts");
  assert.equal(await text(page), line);
});

const asking = (asked) => `${ambit.url}/explore?line=${encodeURIComponent(asked)}`;

for (const asked of [line, "list pods", "get podz"]) {
  for (const colorScheme of schemes) {
    test(`the answer to "${asked}" has no serious accessibility violation, ${colorScheme}`, () =>
      accessible(browser, asking(asked), colorScheme));
  }
}

test("a line's answer fits on a phone", () => fits(browser, asking(line)));
