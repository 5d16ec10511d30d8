// An open page follows a real API server. Each test goes on where the one before it ended, as a person would.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, newPage, watch } from "../support/browser.mjs";
import { open, paste, pod, row, says } from "../support/explore.mjs";
import { Cluster } from "./support/cluster.mjs";
import { follow } from "./support/follow.mjs";
import { binding, bindings, policies, policy } from "./support/policy.mjs";
import { Proxy } from "./support/proxy.mjs";
import { timed } from "./support/timed.mjs";

const name = "frozen-team";
const namespace = "shop-dev"; // The one namespace of the sample where no webhook refuses a pod.
const team = "storefront"; // Whose namespace it is, by its label.
const pasted = pod.replace("namespace: team-a", `namespace: ${namespace}`);

let cluster, proxy, ambit, browser, page, wrong;

before(async () => {
  cluster = await Cluster.start();
  proxy = await Proxy.start(cluster.address);
  ambit = await follow(await cluster.through(proxy.host));
  browser = await launch();
  page = await newPage(browser);
  wrong = watch(page);
  await open(page, ambit.url);
  await paste(page, pasted);
  await fresh("live").waitFor();
});
after(async () => {
  await browser?.close();
  await ambit?.stop();
  await proxy?.cut();
  await cluster?.stop();
});

/** fresh is the word for the state of the facts, in the header of a page. */
function fresh(word, on = page) {
  return on.locator("#fresh b", { hasText: word });
}

/** serverRefuses waits until the API server itself does or does not refuse the pod because of the policy. */
async function serverRefuses(refused) {
  const object = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", labels: { app: "web" } },
    spec: { containers: [{ name: "web", image: "registry.example.com/web:1.4.2" }] },
  };
  const until = Date.now() + 10_000;
  for (;;) {
    const answer = await cluster.ask("POST", `/api/v1/namespaces/${namespace}/pods?dryRun=All`, object);
    const found = answer.status >= 300;
    if (found) assert.match(answer.object.message, new RegExp(`ValidatingAdmissionPolicy '${name}'`));
    if (found === refused) return;
    assert.ok(Date.now() < until, `the API server ${refused ? "takes" : "refuses"} the pod`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test("a new policy appears on the open page, among those that do nothing", { timeout: 60_000 }, async (t) => {
  const idle = page.locator("#result .fold li", { hasText: name });
  assert.equal(await idle.count(), 0);
  await timed(
    t,
    "policy",
    () => cluster.change("POST", policies, policy(name, team)),
    () => idle.waitFor({ state: "attached" }),
  );
  assert.match(await idle.locator(".why").textContent(), /binding/);
  await serverRefuses(false);
});

test("its binding changes the verdict of the pasted pod", { timeout: 60_000 }, async (t) => {
  await timed(
    t,
    "binding",
    () => cluster.change("POST", bindings, binding(name)),
    () => says(page, name, "evaluated"),
  );
  await serverRefuses(true);
});

test("without the label of the namespace it is excluded, and the reason names the label", async (t) => {
  await timed(
    t,
    "label removed",
    () => cluster.label(namespace, "team", null),
    () => says(page, name, "excluded"),
  );
  const why = await row(page, name).locator(".why").first().innerText();
  assert.match(why, /^Namespace shop-dev has no label team, .* asks for team In \[storefront\]/);
  await serverRefuses(false);
  await timed(
    t,
    "label back",
    () => cluster.label(namespace, "team", team),
    () => says(page, name, "evaluated"),
  );
  await serverRefuses(true);
});

test("the policies page shows it", async () => {
  const list = await newPage(browser);
  await list.goto(`${ambit.url}/policies`);
  await list.locator(".policy .name", { hasText: name }).waitFor();
  await cluster.change("POST", policies, policy("created-later", team));
  await cluster.change("POST", bindings, binding("created-later"));
  await says(page, "created-later", "evaluated");
  await list.reload();
  await list.locator(".policy .name", { hasText: "created-later" }).click();
  await list.locator("h1", { hasText: "created-later" }).waitFor();
  await list.context().close();
});

test("while the API server is away the page says so and keeps its answer", { timeout: 90_000 }, async (t) => {
  await timed(
    t,
    "server away",
    () => proxy.cut(),
    () => fresh("stale").waitFor(),
  );
  assert.match(await page.locator("#fresh").getAttribute("title"), /Changes have not been seen since/);
  await cluster.label(namespace, "team", null);
  await page.waitForTimeout(3_000); // Long enough for the waits between attempts to grow.
  await says(page, name, "evaluated");
  await timed(
    t,
    "server back",
    () => proxy.restore(),
    () => fresh("live").waitFor({ timeout: 60_000 }),
    60_000,
  );
  await says(page, name, "excluded");
});

test(
  "when the API server has ended the page says so and keeps its answer",
  { timeout: 150_000 },
  async (t) => {
    const direct = await follow(await cluster.through(cluster.address.host));
    t.after(() => direct.stop());
    const near = await newPage(browser);
    await open(near, direct.url);
    await paste(near, pasted);
    await says(near, name, "excluded");
    await timed(
      t,
      "server ended",
      () => cluster.stop(),
      () => fresh("stale", near).waitFor(),
    );
    await says(near, name, "excluded");
    await timed(
      t,
      "server ended behind a proxy that takes connections and hangs up",
      () => {},
      () => fresh("stale").waitFor({ timeout: 30_000 }),
      30_000,
    );
    await says(page, name, "excluded");
    assert.deepEqual(wrong, []);
  },
);
