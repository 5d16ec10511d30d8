// Takes pictures of every page, light and dark, wide and narrow, into web/shots, for
// judging with one's own eyes. With an address as argument it looks at that server.
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Ambit, cluster } from "./support/ambit.mjs";
import { launch } from "./support/browser.mjs";
import * as explore from "./support/explore.mjs";

const { open, paste } = explore;
// The texts of the tests, in a namespace that the sample has.
const pod = explore.pod.replace("team-a", "shop-prod");
const deployment = explore.deployment.replace("team-a", "shop-prod");
const folder = fileURLToPath(new URL("../shots/", import.meta.url));
const verifier = "pods.image-verifier.fennel.example.com";
const only = process.argv.slice(2).filter((argument) => !argument.startsWith("http"));
const given = process.argv.find((argument) => argument.startsWith("http"));

const scenes = {
  policies: (page, url) => page.goto(`${url}/policies`),
  filtered: (page, url) => page.goto(`${url}/policies?resource=pods&text=image`),
  nothing: (page, url) => page.goto(`${url}/policies?text=nothing-is-called-so`),
  policy: async (page, url) => {
    await page.goto(`${url}/policies`);
    await page.locator(".policy .name:visible").last().click();
    await page.locator(".layer").first().waitFor();
  },
  webhooks: async (page, url) => {
    await page.goto(`${url}/policies?kind=MutatingWebhookConfiguration`);
    await page.locator(".policy .name:visible").first().click();
    await page.locator(".layer").first().waitFor();
  },
  flow: (page, url) => page.goto(`${url}/flow`),
  proofs: async (page, url) => {
    await page.goto(`${url}/flow`);
    for (const summary of await page.locator("main summary").all()) {
      if (await summary.isVisible()) await summary.click();
    }
  },
  schema: (page, url) => page.goto(`${url}/policies/FlowSchema/prometheus-discovery`),
  line: async (page, url) => {
    await page.goto(`${url}/explore?line=get pods -A --as system:serviceaccount:monitoring:prometheus`);
    await settle(page);
  },
  somebody: async (page, url) => {
    await page.goto(`${url}/explore?line=list pods`);
    await settle(page);
  },
  explore: async (page, url) => {
    await open(page, url);
    await settle(page);
  },
  opened: async (page, url) => {
    await open(page, url);
    await settle(page);
    for (const summary of await page.locator("#result details > summary").all()) {
      if (await summary.isVisible()) await summary.click();
    }
  },
  deployment: async (page, url) => {
    await open(page, url);
    await paste(page, deployment);
    await settle(page);
  },
  documents: async (page, url) => {
    await open(page, url);
    await paste(page, `${pod}---\n${deployment}`);
    await settle(page);
  },
  broken: async (page, url) => {
    await open(page, url);
    await settle(page);
    await paste(page, pod.replace("  labels:", "  labels: ["));
    await page.locator(".problems .err").waitFor();
  },
  reach: (page, url) => page.goto(`${url}/policies/ValidatingWebhookConfiguration/image-verifier`),
  fallen: (page, url) =>
    page.goto(
      `${url}/policies/ValidatingWebhookConfiguration/image-verifier/${verifier}/objects?layer=namespaceSelector`,
    ),
  coverage: async (page, url) => {
    await page.goto(`${url}/coverage`);
    await settle(page);
    await page.locator("#findings-looking").waitFor({ state: "detached" });
    await settle(page);
  },
  findings: async (page, url) => {
    await scenes.coverage(page, url);
    for (const summary of await page.locator(".finding > summary:visible").all()) await summary.click();
  },
  resources: async (page, url) => {
    await page.goto(`${url}/coverage?by=resource&as=mira&as-group=devs&gaps=true`);
    await settle(page);
  },
  cell: async (page, url) => {
    await page.goto(`${url}/coverage?row=shop`);
    await page.locator(".grid [role=gridcell].some:visible").first().click();
    await page.locator("#cell tbody tr").first().waitFor();
  },
  unreached: (page, url) => page.goto(`${url}/coverage/unreached`),
  namespace: (page, url) => page.goto(`${url}/coverage/namespaces/shop-prod`),
  object: async (page, url) => {
    await page.goto(
      `${url}/coverage/cell?policy=ValidatingWebhookConfiguration/image-verifier/${verifier}&namespace=shop-prod`,
    );
    await page.locator("#cell tbody th a").first().click();
    await page.locator("#result").waitFor();
  },
  groups: (page, url) => page.goto(`${url}/groups`),
  kyverno: (page, url) => page.goto(`${url}/kyverno`),
  "kyverno-opened": async (page, url) => {
    await page.goto(`${url}/kyverno`);
    for (const summary of await page.locator("main summary").all()) {
      if (await summary.isVisible()) await summary.click();
    }
  },
  "kyverno-differs": async (page, url) => {
    await page.goto(`${url}/kyverno`);
    await page.locator(".astray a").first().click();
  },
  "kyverno-none": (page) => page.goto(`${bare.url}/kyverno`),
  "kyverno-orders": (page) => page.goto(`${before.url}/kyverno`),
  "kyverno-explore": async (page, url) => {
    await open(page, url);
    await paste(page, pod);
    await settle(page);
    for (const name of ["image-digests", "memory-limits"]) {
      await explore.row(page, name).locator("summary").click();
    }
    await explore.row(page, "image-digests").evaluate((element) => element.scrollIntoView());
  },
  "kyverno-silent": (page, url) =>
    page.goto(`${url}/policies/NamespacedValidatingPolicy/kube-system%2Fagent-priority`),
  "kyverno-legacy": (page, url) => page.goto(`${url}/policies/ClusterPolicy/service-owner`),
  menu: async (page, url) => {
    await page.goto(`${url}/coverage/unreached`);
    const button = page.getByRole("button", { name: "Menu" });
    if (await button.isVisible()) await button.click();
  },
  about: (page, url) => page.goto(`${url}/about`),
  missing: (page, url) => page.goto(`${url}/policies/ValidatingAdmissionPolicy/none`),
};

const ambit = given ? null : await Ambit.start();
// The pages for which the sample has too much, or a release too new.
const bare = await Ambit.start(cluster);
const before = await Ambit.under("--sample", "--kyverno-version", "1.18.2");
const browser = await launch();
await mkdir(folder, { recursive: true });
for (const [name, scene] of Object.entries(scenes)) {
  if (only.length > 0 && !only.includes(name)) continue;
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1440, 420]) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
      const page = await context.newPage();
      try {
        await scene(page, given ?? ambit.url);
        await wholePage(page, width);
        await page.screenshot({
          path: `${folder}${name}-${width}-${colorScheme}.png`,
          fullPage: width === 420,
        });
      } catch (error) {
        console.error(`${name} ${width} ${colorScheme}: ${error.message}`);
      }
      await context.close();
    }
  }
}
await browser.close();
for (const one of [ambit, bare, before]) await one?.stop();

/** settle waits until the page has answered what is in its editor. */
async function settle(page) {
  await page.waitForTimeout(500);
}

/** wholePage makes the window of a phone as high as the page, because what is out of sight is not drawn. */
async function wholePage(page, width) {
  if (width > 420) return;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.min(height, 8000) });
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}
