// A real Chromium, and pages that remember everything that went wrong in them.
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

/** launch finds Chromium on the PATH, or where CHROMIUM says. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? find("chromium", "chromium-browser", "google-chrome"),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}

function find(...names) {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  for (const file of names.flatMap((name) => folders.map((folder) => path.join(folder, name)))) {
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      continue;
    }
  }
  throw new Error(`none of ${names.join(", ")} is on the PATH: on Debian, apt-get install chromium`);
}

/** newPage opens a page in a context of its own; nothing in these tests takes ten seconds. */
export async function newPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  return page;
}

/** watch collects console errors, exceptions and violations of the content security policy. */
export function watch(page) {
  const wrong = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  return wrong;
}
