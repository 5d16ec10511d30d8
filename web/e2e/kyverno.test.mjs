// The policies of Kyverno: the page of its webhooks, the two rooms that a request passes on its way to a policy, and every
// link that leads to a policy with a namespace in its name. The expected values are what the sample's README tells.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Ambit } from "./support/ambit.mjs";
import { newPage } from "./support/browser.mjs";
import { accessible, fits, schemes } from "./support/everybody.mjs";
import { open, row } from "./support/explore.mjs";
import { share } from "./support/share.mjs";

const edited = "vpol.validate.kyverno.svc-fail-58664531";
const silent = "/policies/NamespacedValidatingPolicy/kube-system%2Fagent-priority";
const silentObjects = `${silent}/-/objects?layer=webhook.namespaceSelector`;
const rooms = ["In the API server: the webhook", "In Kyverno: the engine"];
const paths = [
  "/kyverno",
  silent,
  silentObjects,
  "/policies/ValidatingPolicy/memory-limits",
  "/policies/ValidatingPolicy/image-digests",
  "/policies/ClusterPolicy/service-owner",
  "/policies?kind=NamespacedValidatingPolicy",
  "/explore?policy=NamespacedValidatingPolicy/kube-system/agent-priority&example=daemon-set-of-an-agent",
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

const card = (name) => page.locator(`.webhook-card[data-entry="${name}"]`);

test("there is a card for each webhook, with the suffix that its selectors give it", async () => {
  await page.goto(`${ambit.url}/kyverno`);
  assert.equal(await page.locator(".webhook-card").count(), 7);
  const suffixes = await page.locator(".webhook-card .suffix:not(:empty)").allInnerTexts();
  assert.deepEqual(suffixes, ["-35440792", "-fde2257e", "-58664531", "-415e1888"]);
  assert.equal(await page.locator(`.webhook-card[data-state="as predicted"]`).count(), 6);
  const moved = card("nvpol.validate.kyverno.svc-fail-fde2257e").locator(".moved");
  assert.match(
    await moved.innerText(),
    /because of kube-system\/agent-priority\. .* called nvpol\.validate\.kyverno\.svc-fail\./,
  );
});

test("the edit on launch night is shown by field, and the page leads to it", async () => {
  await page.goto(`${ambit.url}/kyverno`);
  assert.match(await page.locator(".lede").innerText(), /1 webhook differs/);
  await page.locator(".astray a", { hasText: edited }).click();
  const differs = card(edited).locator(".differs");
  assert.equal(await differs.locator("figcaption").innerText(), "namespaceSelector");
  assert.equal(await differs.locator("pre del").count(), 0);
  const added = await differs.locator("pre ins").allTextContents();
  assert.equal(
    added
      .map((line) => line.replace(/^\+ /, ""))
      .join("")
      .replaceAll(/\s+/g, " ")
      .trim(),
    "- key: kubernetes.io/metadata.name operator: NotIn values: - shop-prod",
  );
  assert.ok(await card(edited).evaluate((element) => element.matches(":target")));
});

test("findings open, and lead to policies and webhooks", async () => {
  await page.goto(`${ambit.url}/kyverno`);
  const finding = page.locator(`.finding[data-rule="kyverno-never-called"]`);
  assert.ok(await finding.locator(".more").isHidden());
  await finding.locator("summary").click();
  await finding.locator(".more", { hasText: "What to do:" }).waitFor();
  await finding.locator(".links a", { hasText: "The webhook" }).click();
  assert.ok(
    await card("nvpol.validate.kyverno.svc-fail-35440792").evaluate((element) => element.matches(":target")),
  );
  await finding.locator(".links a", { hasText: "kube-system/agent-priority" }).click();
  await page.locator("h1", { hasText: "kube-system/agent-priority" }).waitFor();
  assert.equal(new URL(page.url()).pathname, silent);
});

// The ways to the page of a policy in a namespace.
const ways = {
  "the list of policies": ["/policies", ".policy .name", "kube-system/agent-priority"],
  "a card": ["/kyverno", ".webhook-card .members a", "kube-system/agent-priority"],
  "the groups of selectors": ["/groups", ".selector-group .fold a", "kube-system/agent-priority"],
  "the objects of a cell": [
    "/coverage/cell?policy=NamespacedValidatingPolicy%2Fkube-system%2Fagent-priority&namespace=kube-system",
    "#cell h2 a",
    "kube-system/agent-priority",
  ],
  "what applies in a namespace": ["/coverage/namespaces/kube-system", "main a", "kube-system/agent-priority"],
  "the list of what falls out": [silentObjects, ".meta a", "kube-system/agent-priority"],
  "the answer of Explore": [
    "/explore?policy=NamespacedValidatingPolicy/kube-system/agent-priority&example=daemon-set-of-an-agent",
    "#result .row.focused .more a",
    "The policy",
  ],
};

for (const [way, [from, link, text]] of Object.entries(ways)) {
  test(`${way} leads to a policy in a namespace`, async () => {
    await page.goto(ambit.url + from);
    const found = page.locator(link, { hasText: text }).first();
    await found.evaluate((element) => {
      for (let fold = element.closest("details"); fold; fold = fold.parentElement.closest("details"))
        fold.open = true;
    });
    await found.click();
    await page.locator("h1", { hasText: "kube-system/agent-priority" }).waitFor();
    assert.equal(new URL(page.url()).pathname, silent);
  });
}

test("a column of the matrix leads to a policy in a namespace", async () => {
  await page.goto(`${ambit.url}/coverage?kind=NamespacedValidatingPolicy`);
  await page.locator(".grid a[role=columnheader]", { hasText: "kube-system/agent-priority" }).first().click();
  await page.locator("h1", { hasText: "kube-system/agent-priority" }).waitFor();
});

test("the page of a policy leads to Explore with the policy in the light", async () => {
  await page.goto(ambit.url + silent);
  await page.locator("a.button", { hasText: "Try an object" }).click();
  await page.locator(".row.focused", { hasText: "kube-system/agent-priority" }).waitFor();
});

test("the page of a policy shows two rooms, what they let through, and how the webhook stands", async () => {
  await page.goto(`${ambit.url}/policies/ValidatingPolicy/memory-limits`);
  assert.deepEqual(await page.locator("h2.room").allInnerTexts(), rooms);
  assert.match(
    await page.locator(".lede").innerText(),
    /its webhook leaves out kube-system, policy-system and shop-prod/,
  );
  assert.match(
    await page.locator(".served").innerText(),
    /differs[^]*namespaceSelector is not what Kyverno would write/,
  );
  assert.match(await page.locator(".drops").innerText(), /Webhook: namespace selector[^]*Resource filters/);
  const numbers = await page.locator(".layer .no").allTextContents();
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => String(index + 1)),
  );
});

test("a legacy policy shows its rules as they are written", async () => {
  await page.goto(`${ambit.url}/policies/ClusterPolicy/service-owner`);
  assert.deepEqual(await page.locator("h2.room").allInnerTexts(), rooms);
  assert.match(await page.locator(".excerpt", { hasText: "exclude:" }).innerText(), /fennel:platform-oncall/);
});

test("Explore says in words why the silent policy is not asked, and shows both rooms in order", async () => {
  await open(page, ambit.url, "?example=daemon-set-of-an-agent");
  const answer = row(page, "kube-system/agent-priority");
  assert.equal(await answer.locator("summary .verdict").innerText(), "excluded");
  assert.equal(
    await answer.locator("summary .why").innerText(),
    "Its webhook leaves out namespace kube-system (kubernetes.io/metadata.name NotIn [kube-system]), so Kyverno is not asked. No request reaches it.",
  );
  await answer.locator("summary").click();
  assert.deepEqual(await answer.locator(".steps .room").allInnerTexts(), rooms);
  assert.equal(await answer.locator(".steps .decides dt").first().innerText(), "Namespace selector");
});

test("the list of policies filters by a kind of Kyverno's, and by namespace", async () => {
  const shown = () => page.locator(".policy:visible .name").allInnerTexts();
  await page.goto(`${ambit.url}/policies`);
  await page.locator("#filter [type=submit]").waitFor({ state: "detached" });
  await page.locator("[name=kind]").selectOption("NamespacedValidatingPolicy");
  assert.deepEqual(
    (await shown()).map((name) => name.split("\n")[0]),
    ["checkout-prod/payments-config", "kube-system/agent-priority"],
  );
  await page.locator("[name=namespace]").fill("checkout-prod");
  assert.deepEqual(await shown(), ["checkout-prod/payments-config\nNamespacedValidatingPolicy"]);
  const marks = await page.locator(".policy:visible .mark").allInnerTexts();
  assert.deepEqual(marks, ["R", "N", "O", "C", "F", "o", "r", "C"]);
});

test("no script is needed", async () => {
  const bare = await newPage(browser, { javaScriptEnabled: false });
  await bare.goto(`${ambit.url}/kyverno`);
  const finding = bare.locator(`.finding[data-rule="kyverno-never-called"]`);
  await finding.locator("summary").click();
  await finding.locator(".links a", { hasText: "kube-system/agent-priority" }).click();
  await bare.locator("h2.room").first().waitFor();
  await bare.locator("a.button", { hasText: "Try an object" }).click();
  await bare.locator(".row.focused .steps .room").first().waitFor();
  await bare.context().close();
});

/** on serves manifests of its own for as long as a function looks at them. */
async function on(objects, flags, look) {
  const folder = await mkdtemp(path.join(tmpdir(), "ambit-kyverno-"));
  let other;
  try {
    await writeFile(path.join(folder, "all.yaml"), objects.map((o) => JSON.stringify(o)).join("\n---\n"));
    other = await Ambit.under("-f", folder, ...flags);
    await look(other.url);
  } finally {
    await other?.stop();
    await rm(folder, { recursive: true });
  }
}

function policy(name, namespaceSelector) {
  const resourceRules = [
    { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] },
  ];
  return {
    apiVersion: "policies.kyverno.io/v1",
    kind: "ValidatingPolicy",
    metadata: { name },
    spec: { matchConstraints: { namespaceSelector, resourceRules }, validations: [{ expression: "true" }] },
  };
}

const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "team-a" } };
const team = (name) => ({ matchLabels: { team: name } });

test("without policies the page says so", () =>
  on([namespace], [], async (url) => {
    await page.goto(`${url}/kyverno`);
    assert.equal(
      await page.locator(".lede").innerText(),
      "There are no policies of Kyverno in what was read.",
    );
  }));

test("before release 1.19 each possible outcome is a row", () =>
  on(
    [namespace, policy("p-a", team("a")), policy("p-b", team("b"))],
    ["--kyverno-version", "1.18.2"],
    async (url) => {
      await page.goto(`${url}/kyverno`);
      const rows = page.locator(".orders tbody tr");
      assert.deepEqual(
        await rows.evaluateAll((all) => all.map((tr) => [tr.cells[1].innerText, tr.cells[4].innerText])),
        [
          ["p-a", "p-b"],
          ["p-b", "p-a"],
        ],
      );
      await fits(browser, `${url}/kyverno`);
    },
  ));

test("a policy that no webhook of the cluster serves is named first", () => {
  const webhooks = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "kyverno-resource-validating-webhook-cfg" },
    webhooks: [],
  };
  return on([namespace, policy("p-a", team("a")), webhooks], [], async (url) => {
    await page.goto(`${url}/kyverno`);
    assert.match(await page.locator(".unserved").innerText(), /^1 policy is served by no webhook .* p-a$/);
    await page.locator(`.webhook-card[data-state="not in the cluster"]`).waitFor();
    await page.locator(".unserved a").click();
    assert.match(
      await page.locator(".lede").innerText(),
      /^No request reaches it\. No webhook of the cluster serves/,
    );
  });
});

test("three hundred policies fit on the page", () => {
  const own = Array.from({ length: 150 }, (_, number) => policy(`own-${number}`, team(`t${number}`)));
  const shared = Array.from({ length: 150 }, (_, number) => policy(`shared-${number}`));
  return on([namespace, ...own, ...shared], [], async (url) => {
    await page.goto(`${url}/kyverno`);
    assert.equal(await page.locator(".webhook-card").count(), 151);
    const group = page.locator(".webhook-card", { hasText: "142 more" });
    await group.locator(".rest > summary").click();
    assert.equal(await group.locator(".members a").count(), 150);
    await fits(browser, `${url}/kyverno`);
  });
});
