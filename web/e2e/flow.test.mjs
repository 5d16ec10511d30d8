// The page of the FlowSchemas, on the built-in sample: its README says what its schemas
// are meant to show.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Ambit } from "./support/ambit.mjs";
import { share } from "./support/share.mjs";

let ambit, page;

share(
  () => Ambit.start(),
  (now) => ({ ambit, page } = now),
);

const schema = (name) => page.locator(`[data-schema="${name}"]`);

test("the schemas stand in the order in which they are asked", async () => {
  await page.goto(`${ambit.url}/policies`);
  await page.locator("nav a", { hasText: "Flow" }).click();
  await page.locator("h1", { hasText: "Flow" }).waitFor();
  const names = await page.locator(".schema .name a").allTextContents();
  assert.equal(names[0], "exempt");
  assert.equal(names.at(-1), "catch-all");
  const numbers = await page
    .locator(".schema")
    .evaluateAll((rows) => rows.map((row) => parseInt(row.querySelector(".precedence").lastChild.data, 10)));
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
  assert.ok(names.indexOf("kube-controller-manager") < names.indexOf("kube-scheduler"), "equal precedences");
});

test("what no request falls in is said, and the proof unfolds", async () => {
  await page.goto(`${ambit.url}/flow`);
  const finding = page.locator(".never", { hasText: "prometheus-discovery" });
  await finding.getByText("taken by monitoring at 600").waitFor();
  const taker = finding.locator(".proof a", { hasText: "monitoring" });
  assert.equal(await taker.isVisible(), false);
  await finding.locator(".proof summary").click();
  assert.match(await finding.locator(".proof tbody").innerText(), /monitoring\/prometheus/);
  await taker.click();
  await page.locator("h1", { hasText: "monitoring" }).waitFor();
});

test("the row of a schema that is ignored leads to the reason", async () => {
  await page.goto(`${ambit.url}/flow`);
  const row = schema("warehouse-labels");
  await row.getByText("no such level").waitFor();
  await row.locator("a[href^='#never-']").click();
  await page.locator(".never:target", { hasText: "warehouse-high" }).waitFor();
});

test("a schema leads to a request that falls in it", async () => {
  await page.goto(`${ambit.url}/flow`);
  await schema("gitops-lists").locator(".name a").click();
  await page.locator("h1", { hasText: "gitops-lists" }).waitFor();
  await page.locator("a.button", { hasText: "Try a request" }).click();
  await page.locator("#result .lede", { hasText: "gitops-lists" }).waitFor();
});

test("who falls where for another resource, and a request of a cell", async () => {
  await page.goto(`${ambit.url}/flow`);
  await page.locator("[name=resource]").fill("leases");
  await page.keyboard.press("Enter");
  const row = page.locator(".matrix tr", { hasText: "kube-system/*" });
  await page.locator(".matrix thead", { hasText: "system-leader-election" }).waitFor();
  assert.equal(await page.locator("[name=resource]").inputValue(), "leases");
  assert.deepEqual(await verbs(row), ["get create update", "list watch patch delete"]);
  await row.locator(".verbs").first().click();
  await page.locator("#result .lede", { hasText: "system-leader-election" }).waitFor();
});

test("a URL path asks with the methods of HTTP", async () => {
  await page.goto(`${ambit.url}/flow`);
  await page.locator("[name=path]").fill("/readyz");
  await page.getByRole("button", { name: "Show" }).click();
  await page.locator(".matrix thead", { hasText: "probes" }).waitFor();
  const row = page.locator(".matrix tr", { hasText: "monitoring/*" });
  assert.deepEqual(await verbs(row), ["get", "post put patch delete"]);
});

test("the matrix scrolls in its own region on a phone, and names stay in sight", async () => {
  await page.setViewportSize({ width: 420, height: 900 });
  await page.goto(`${ambit.url}/flow#who`);
  const matrix = page.locator(".matrix");
  const name = matrix.locator("tbody th[scope=row]").first();
  const before = await name.boundingBox();
  assert.ok(await matrix.evaluate((element) => element.scrollWidth > element.clientWidth + 100));
  await matrix.evaluate((element) => element.scrollTo(element.scrollWidth, 0));
  assert.equal((await name.boundingBox()).x, before.x);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 420));
});

/** What each cell of a row says to the eye. */
function verbs(row) {
  return row
    .locator(".verbs")
    .evaluateAll((cells) =>
      cells.map((cell) =>
        [...cell.querySelectorAll("span:not(.unseen)")].map((verb) => verb.textContent).join(" "),
      ),
    );
}

test("service accounts that nobody thought of stand out", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "ambit-flow-"));
  const manifest = path.join(folder, "cluster.yaml");
  // There is one schema for one account, so catch-all takes every service account but one.
  await writeFile(
    manifest,
    `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: { name: robots }
spec:
  matchingPrecedence: 700
  priorityLevelConfiguration: { name: workload-low }
  rules:
    - subjects: [{ kind: ServiceAccount, serviceAccount: { namespace: ops, name: robot } }]
      resourceRules:
        - { verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"], clusterScope: true }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: robot, namespace: ops }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: forgotten, namespace: shop }
`,
  );
  const other = await Ambit.start(manifest);
  try {
    await page.goto(`${other.url}/flow`);
    const odd = page.locator(".matrix tr.odd");
    await odd.getByText("stands out").waitFor();
    assert.match(await odd.innerText(), /shop/);
    assert.equal(await odd.count(), 1);
    assert.equal(await page.locator(".schema").count(), 3);
  } finally {
    await other.stop();
    await rm(folder, { recursive: true });
  }
});
