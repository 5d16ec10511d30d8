// An open page of Kyverno follows a real API server: what somebody edits in its webhooks by hand is on the page without a
// reload, and so are policies that come and go. Nobody plays Kyverno, so that nothing takes an edit back.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, newPage, watch } from "../support/browser.mjs";
import { Cluster } from "./support/cluster.mjs";
import { follow } from "./support/follow.mjs";
import { timed } from "./support/timed.mjs";

const configuration =
  "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/kyverno-resource-validating-webhook-cfg";
const policies = "/apis/policies.kyverno.io/v1/validatingpolicies";
const entry = "vpol.validate.kyverno.svc-ignore-415e1888";
const edit = { key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["shop-staging"] };

let cluster, ambit, browser, page, wrong;

before(async () => {
  cluster = await Cluster.start();
  ambit = await follow(await cluster.through(cluster.address.host));
  browser = await launch();
  page = await newPage(browser);
  wrong = watch(page);
  await page.goto(`${ambit.url}/kyverno`);
  await page.locator("#fresh b", { hasText: "live" }).waitFor();
  await page.evaluate(() => (globalThis.neverReloaded = true));
});
after(async () => {
  await browser?.close();
  await ambit?.stop();
  await cluster?.stop();
});

/** card is the card of a webhook in a state. */
const card = (name, state) => page.locator(`.webhook-card[data-entry="${name}"][data-state="${state}"]`);

/** select puts expressions into the namespaceSelector of the entry. */
async function select(matchExpressions) {
  const { webhooks } = await cluster.change("GET", configuration);
  const at = webhooks.findIndex(({ name }) => name === entry);
  const path = `/webhooks/${at}/namespaceSelector`;
  const patch = [{ op: "replace", path, value: { matchExpressions } }];
  await cluster.change("PATCH", configuration, patch, "application/json-patch+json");
  return webhooks[at].namespaceSelector.matchExpressions;
}

test("an edit of a selector appears, and goes when it is taken back", { timeout: 60_000 }, async (t) => {
  await card(entry, "as predicted").waitFor();
  let before;
  await timed(
    t,
    "edit",
    async () => {
      const { webhooks } = await cluster.change("GET", configuration);
      before = webhooks.find(({ name }) => name === entry).namespaceSelector.matchExpressions;
      await select([...before, edit]);
    },
    () => card(entry, "differs").waitFor(),
  );
  assert.match(await card(entry, "differs").locator("pre ins").last().innerText(), /- shop-staging/);
  await page.locator(".astray a", { hasText: entry }).waitFor();
  await timed(
    t,
    "edit taken back",
    () => select(before),
    () => card(entry, "as predicted").waitFor(),
  );
  assert.equal(await page.locator(".astray a", { hasText: entry }).count(), 0);
});

test("a policy that is added appears, and what the cluster lacks for it", { timeout: 60_000 }, async (t) => {
  const resourceRules = [
    { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] },
  ];
  const created = {
    apiVersion: "policies.kyverno.io/v1",
    kind: "ValidatingPolicy",
    metadata: { name: "created-later" },
    spec: {
      matchConstraints: { objectSelector: { matchLabels: { created: "later" } }, resourceRules },
      validations: [{ expression: "true" }],
    },
  };
  const named = page.locator(`.webhook-card[data-state="not in the cluster"]`, { hasText: "created-later" });
  assert.equal(await named.count(), 0);
  await timed(
    t,
    "policy",
    () => cluster.change("POST", policies, created),
    () => named.waitFor(),
  );
  await page.locator(".unserved a", { hasText: "created-later" }).waitFor();
  await timed(
    t,
    "policy deleted",
    () => cluster.change("DELETE", `${policies}/created-later`),
    () => named.waitFor({ state: "detached" }),
  );
});

test("all of that happened on one page, without a reload", async () => {
  assert.ok(await page.evaluate(() => globalThis.neverReloaded));
  assert.deepEqual(wrong, []);
});
