// The matrix of what policies reach, in the cluster that support/population.mjs writes:
// policy p looks at the namespaces whose shard is below p modulo 10, and every third leaves
// out the Pods with the label skip.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { Ambit } from "./support/ambit.mjs";
import { newPage } from "./support/browser.mjs";
import { accessible, fits, schemes } from "./support/everybody.mjs";
import { policyName, population, spaceName, vacantName } from "./support/population.mjs";
import { share } from "./support/share.mjs";

let folder, file, ambit, browser, page;

share(
  async () => {
    folder = await mkdtemp(path.join(tmpdir(), "coverage-"));
    file = path.join(folder, "cluster.yaml");
    await writeFile(file, population(12, 12, 8));
    return Ambit.start(file);
  },
  (now) => ({ ambit, browser, page } = now),
);
after(() => rm(folder, { recursive: true, force: true }));

/** open waits until the script has drawn the matrix. */
async function open(url, query = "") {
  await page.goto(`${url}/coverage${query}`);
  await page.locator(".grid [role=gridcell]").first().waitFor();
}

/** cell is the cell of a policy and a namespace. */
function cell(policy, space) {
  return page.locator(`[role=gridcell][aria-label^="${policyName(policy)}, ${spaceName(space)}:"]:visible`);
}

test("every cell says in a mark and a word what its policy reaches", async () => {
  await open(ambit.url);
  const expected = { 0: "part, about 70 %", 1: "all", 2: "all", 3: "part, about 70 %" };
  for (const [policy, word] of Object.entries(expected)) {
    const label = await cell(Number(policy), 0).getAttribute("aria-label");
    assert.equal(label, `${policyName(Number(policy))}, ${spaceName(0)}: ${word}`);
  }
  assert.match(await cell(1, 5).getAttribute("class"), /\bnone\b/);
  assert.match(await cell(1, 0).getAttribute("class"), /\bfull\b/);
  assert.match(await cell(3, 0).getAttribute("class"), /\bsome p7\b/);
});

test("a cell shows the objects behind it, and an object what applies to it", async () => {
  await open(ambit.url);
  await cell(3, 0).click();
  await page.locator("#cell", { hasText: "Reaches 6 of 8 objects" }).waitFor();
  await page.locator("#cell .parts a", { hasText: "excluded" }).click();
  await page.locator("#cell [aria-current]").waitFor();
  assert.deepEqual(await page.locator("#cell tbody th").allInnerTexts(), ["config-3", "config-7"]);
  assert.equal(new URL(page.url()).pathname, "/coverage");
  await page.locator("#cell tbody a", { hasText: "config-7" }).click();
  await page.locator("h1", { hasText: "config-7" }).waitFor();
  const excluded = page.locator("#result .row", { hasText: policyName(3) });
  assert.match(await excluded.innerText(), /excluded/);
  assert.match(
    await page
      .locator("#result .row", { hasText: policyName(1) })
      .first()
      .innerText(),
    /called/,
  );
});

test("the filter works while it is typed, the address and the files keep up", async () => {
  await open(ambit.url);
  await page.locator("[name=policy]").fill(policyName(7));
  await page.locator("[name=gaps]").check();
  await page.locator("#matrix-shown", { hasText: "1 of 12 policies by 3 of 13 namespaces" }).waitFor();
  assert.equal(new URL(page.url()).search, `?policy=${policyName(7)}&gaps=true`);
  const file = await page.locator("#main > .exports a", { hasText: "CSV" }).getAttribute("href");
  const csv = await page.evaluate(async (address) => (await fetch(address)).text(), file);
  const lines = csv.trim().split("\n");
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(",").slice(3, 5).join(" ")),
    [7, 8, 9].map((space) => `${spaceName(space)} none`),
  );
  await page.reload();
  await page.locator("#matrix-shown", { hasText: "1 of 12 policies by 3 of 13 namespaces" }).waitFor();
  await page.locator("[name=row]").fill("nothing-is-called-so");
  await page.locator("#matrix .empty a").click();
  await page.locator("#matrix-shown", { hasText: "12 policies by 13 namespaces" }).waitFor();
});

test("who asks is a field, and the sentence, the cells, the files and the tabs keep up", async () => {
  await open(ambit.url);
  await page.locator("[name=as]").fill("mira");
  await page.locator("[name=as-group]").fill("devs, oncall");
  await page.locator("[name=operation]").selectOption("DELETE");
  await page.locator(".lede", { hasText: "as a DELETE by mira of each would be seen" }).waitFor();
  const asked = "operation=DELETE&as=mira&as-group=devs&as-group=oncall";
  assert.equal(new URL(page.url()).search, `?${asked}`);
  for (const link of [
    cell(1, 0),
    page.locator("#main > .exports a").first(),
    page.locator(".tabs a").last(),
  ]) {
    const query = new URL(await link.getAttribute("href"), ambit.url).searchParams;
    const who = [query.get("operation"), query.get("as"), ...query.getAll("as-group")];
    assert.deepEqual(who, ["DELETE", "mira", "devs", "oncall"]);
  }
  await cell(1, 0).click();
  await page.locator("#cell", { hasText: "Reaches none of the 8 objects" }).waitFor();
  await page.locator("[name=operation]").selectOption("CREATE");
  await page.locator("#cell", { hasText: "Reaches all 8 objects" }).waitFor();
  await page.locator(".lede", { hasText: "as a CREATE by mira" }).waitFor();
  await page.reload();
  assert.equal(await page.locator("[name=as-group]").inputValue(), "devs, oncall");
});

test("an object of a list opens on the explore page, asked about by the same person", async () => {
  await page.goto(`${ambit.url}/coverage/unreached?operation=UPDATE&as=mira&resource=namespaces`);
  await page.getByRole("link", { name: `Explore ${spaceName(3)}` }).click();
  await page.locator(".cm-content", { hasText: `name: ${spaceName(3)}` }).waitFor();
  await page.locator("#result .lede").waitFor();
  const field = (name) => page.locator(`#ask [name=${name}]`);
  assert.equal(await field("operation").inputValue(), "UPDATE");
  assert.equal(await field("user").inputValue(), "mira");
  assert.match(await field("oldObject").inputValue(), new RegExp(`name: ${spaceName(3)}`));
  await page.locator("#ask [data-reset]").click();
  await page.waitForFunction(() => document.querySelector("#ask [name=operation]").value === "CREATE");
});

test("namespaces without objects stand last, with a mark of their own", async () => {
  const other = path.join(folder, "vacant.yaml");
  await writeFile(other, population(3, 2, 4, 2));
  const served = await Ambit.start(other);
  try {
    await open(served.url);
    // The rows are drawn with elements that were there before, so they stand in the document in any order.
    const heads = page.locator(".grid-row-head a:visible");
    await page.waitForFunction(() => document.querySelectorAll(".grid-row-head a").length >= 5);
    const rows = await heads.evaluateAll((all) =>
      all
        .map((a) => ({ text: a.innerText, top: a.getBoundingClientRect().top }))
        .sort((a, b) => a.top - b.top),
    );
    assert.deepEqual(
      rows.map((row) => row.text),
      ["no namespace", ...[0, 1].map(spaceName), ...[0, 1].map(vacantName)],
    );
    const vacant = page.locator(`[role=gridcell][aria-label^="${policyName(0)}, ${vacantName(1)}:"]`);
    assert.match(await vacant.getAttribute("aria-label"), /: no objects known there$/);
    assert.match(await vacant.getAttribute("class"), /\bvacant\b/);
    await vacant.click();
    await page.locator("#cell", { hasText: `There is nothing in ${vacantName(1)}` }).waitFor();
    await page.locator("[name=gaps]").check();
    await page.locator("#matrix-shown", { hasText: "of 5 namespaces" }).waitFor();
    assert.equal(await page.locator(".grid-row.vacant:visible").count(), 0);
  } finally {
    await served.stop();
  }
});

test("the arrow keys move through the matrix, Enter shows the objects", async () => {
  await open(ambit.url);
  await cell(1, 0).focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  const label = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  assert.equal(label, `${policyName(2)}, ${spaceName(2)}: none`);
  assert.equal(await page.locator(".grid-status").innerText(), label);
  assert.equal(await page.locator("[role=gridcell][tabindex='0']").count(), 1);
  await page.keyboard.press("Enter");
  await page.locator("#cell", { hasText: "Reaches none of the 8 objects" }).waitFor();
});

test("without a script there is a table, page by page", async () => {
  const bare = await newPage(browser, { javaScriptEnabled: false });
  await bare.goto(`${ambit.url}/coverage`);
  assert.equal(await bare.locator(".coverage-matrix thead .policy-name").count(), 12);
  await bare
    .locator(`.coverage-matrix a.extent[title="${policyName(3)}, ${spaceName(0)}: part: 6 of 8"]`)
    .click();
  await bare.locator("#cell", { hasText: "Reaches 6 of 8 objects" }).waitFor();
  await bare.context().close();
});

for (const address of [
  "/coverage",
  "/coverage?by=resource",
  "/coverage/unreached",
  `/coverage/namespaces/${spaceName(0)}`,
  `/coverage/objects/configmaps/${spaceName(0)}/config-3`,
  "/groups",
]) {
  test(`${address} fits on a phone`, () => fits(browser, ambit.url + address));

  for (const colorScheme of schemes) {
    test(`${address} has no serious accessibility violation, ${colorScheme}`, () =>
      accessible(browser, ambit.url + address, colorScheme));
  }
}

test("groups show what is equal and what lies within another", async () => {
  await page.goto(`${ambit.url}/groups`);
  const group = page.locator(".selector-group:has(h2 code:text-is('shard In [s0, s1]'))");
  assert.match(await group.innerText(), /Within shard In \[s0, s1, s2, s3\]\n/);
  assert.match(await group.innerText(), /Around shard In \[s0\]\n/);
});

test("an open page follows the cluster and keeps what a person does on it", async () => {
  await page.setViewportSize({ width: 1440, height: 480 });
  await open(ambit.url);
  await cell(1, 0).click();
  await page.locator("#cell", { hasText: "all 8" }).waitFor();
  await page.locator(".grid").evaluate((grid) => grid.scrollTo(0, 90));
  await page.locator("[name=row]").fill("space-");
  await page.locator("#matrix-shown", { hasText: "12 of 13" }).waitFor();
  await writeFile(file, population(12, 13, 9));
  await page.locator(".lede", { hasText: "13 namespaces" }).waitFor();
  await page.locator("#matrix-shown", { hasText: "13 of 14" }).waitFor();
  await page.locator("#cell", { hasText: "all 9" }).waitFor();
  assert.equal(await page.locator("[name=row]").inputValue(), "space-");
  assert.equal(await page.locator(".grid").evaluate((grid) => grid.scrollTop), 90);
});

test("the list of policies follows the cluster under its filter", async () => {
  await writeFile(file, population(12, 12, 8));
  await page.goto(`${ambit.url}/policies`);
  await page.locator("#filter [type=submit]").waitFor({ state: "detached" });
  await page.locator("[name=text]").fill("policy-01");
  await page.locator("#shown", { hasText: "2 of 12" }).waitFor();
  await writeFile(file, population(15, 12, 8));
  await page.locator("#shown", { hasText: "5 of 15" }).waitFor();
  assert.equal(await page.locator(".policy:visible").count(), 5);
  assert.equal(await page.locator("[name=text]").inputValue(), "policy-01");
  assert.equal(await page.evaluate(() => document.activeElement.name), "text");
});

test("a patch keeps what is open and what is half written", async () => {
  await writeFile(file, population(12, 12, 8));
  await page.goto(`${ambit.url}/coverage/namespaces/${spaceName(1)}`);
  await page.locator("[name=as]").pressSequentially("ali");
  await page.locator("[name=as-group]").pressSequentially("dev");
  await writeFile(file, population(12, 12, 5));
  await page.locator(".lede", { hasText: "Of 5 objects" }).waitFor();
  assert.equal(await page.locator("[name=as]").inputValue(), "ali");
  assert.equal(await page.locator("[name=as-group]").inputValue(), "dev");
  assert.equal(await page.evaluate(() => document.activeElement.name), "as-group");
  await page.goto(`${ambit.url}/groups`);
  await page.locator(".selector-group summary").first().click();
  await writeFile(file, population(13, 12, 5));
  await page.locator(".lede", { hasText: "13 policies" }).waitFor();
  assert.equal(await page.locator(".selector-group details").first().getAttribute("open"), "");
});

test("nothing changes under somebody who is typing", async () => {
  await writeFile(file, population(12, 12, 8));
  await page.goto(`${ambit.url}/coverage/namespaces/${spaceName(1)}`);
  await page.locator(".lede", { hasText: "Of 8 objects" }).waitFor();
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.locator("[name=as]").focus();
  await writeFile(file, population(12, 12, 5));
  await page.locator("[name=as]").pressSequentially("system:serviceaccount:team", { delay: 120 });
  assert.deepEqual(asked, []);
  await page.locator(".lede", { hasText: "Of 5 objects" }).waitFor();
});

test("what the search for hazards finds appears by itself", async (t) => {
  const other = path.join(folder, "search.yaml");
  await writeFile(other, population(150, 60, 4));
  const served = await Ambit.start(other);
  try {
    await page.goto(`${served.url}/coverage`);
    const looking = await page.locator("#findings-looking").count();
    t.diagnostic(`the search was ${looking ? "going on" : "done"} when the page came`);
    await page.locator(".findings .finding").first().waitFor({ timeout: 60_000 });
    assert.equal(await page.locator("#findings-looking").count(), 0);
  } finally {
    await served.stop();
  }
});

test("300 policies by 500 namespaces: what is out of sight is not there, and scrolling brings it", async (t) => {
  const large = path.join(folder, "large.yaml");
  await writeFile(large, population(300, 500, 4));
  const other = await Ambit.start(large);
  try {
    await open(other.url);
    const frames = await page.evaluate(scrollThrough, 240);
    frames.sort((a, b) => a - b);
    const at = (part) => frames[Math.floor(part * (frames.length - 1))].toFixed(1);
    t.diagnostic(
      `ms a frame while scrolling: median ${at(0.5)}, 95 of 100 below ${at(0.95)}, longest ${at(1)}`,
    );
    // 299 modulo 10 is 9, so that of the ten shards only the last is left out; and 299 is not
    // a multiple of three.
    assert.match(await cell(299, 498).getAttribute("class"), /\bfull\b/);
    assert.match(await cell(299, 499).getAttribute("class"), /\bnone\b/);
    const drawn = await page.locator(".grid *").count();
    t.diagnostic(`${drawn} elements for 150,300 cells`);
    assert.ok(drawn < 5000, `${drawn} elements`);
    await page.locator("[name=policy]").fill(policyName(299));
    await page.locator("#matrix-shown", { hasText: "1 of 300 policies" }).waitFor();
    assert.equal(await cell(299, 499).count(), 1);
  } finally {
    await other.stop();
  }
});

/** scrollThrough scrolls from one corner of the matrix to the other and says how long each frame took. */
async function scrollThrough(steps) {
  const grid = document.querySelector(".grid");
  const [right, down] = [grid.scrollWidth - grid.clientWidth, grid.scrollHeight - grid.clientHeight];
  const frames = [];
  let before = await new Promise(requestAnimationFrame);
  for (let step = 1; step <= steps; step++) {
    grid.scrollTo((right * step) / steps, (down * step) / steps);
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - before);
    before = now;
  }
  await new Promise(requestAnimationFrame);
  return frames;
}
