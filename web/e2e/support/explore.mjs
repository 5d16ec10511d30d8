// What a person does on the explore page, in the words of the tests.
import assert from "node:assert/strict";

export const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: team-a
  labels:
    app: web
spec:
  containers:
    - name: web
      image: registry.example.com/web:1.4.2
`;

/** podAnywhere says no namespace, so that the request builder may. */
export const podAnywhere = pod.replace("  namespace: team-a\n", "");

export const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: team-a
spec:
  replicas: 1
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1.4.2
`;

/** open goes to the explore page and waits for its editor. */
export async function open(page, url, query = "") {
  await page.goto(`${url}/explore${query}`);
  await page.locator(".cm-content").waitFor();
}

/** paste replaces the text of the editor in one go. */
export async function paste(page, text) {
  const editor = page.locator(".cm-content");
  await editor.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await editor.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** typeAfter puts the cursor behind a text of the editor and types, key by key. */
export async function typeAfter(page, before, typed) {
  const lines = (await text(page)).split("\n");
  const line = lines.findIndex((content) => content.includes(before));
  assert.notEqual(line, -1, `${before} is not in the editor`);
  await page.locator(".cm-content").focus();
  await page.keyboard.press("ControlOrMeta+Home");
  for (let down = 0; down < line; down++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  const rest = lines[line].length - lines[line].indexOf(before) - before.length;
  for (let left = 0; left < rest; left++) await page.keyboard.press("ArrowLeft");
  await page.keyboard.type(typed);
}

/** text is the whole text of the editor, also the lines that are not drawn. */
export function text(page) {
  return page.locator("textarea[name=text]").inputValue();
}

/** row is the row of one policy in the answer. */
export function row(page, name) {
  return page.locator("#result .row", { hasText: name }).first();
}

/** says waits until a row's verdict is a word. */
export async function says(page, name, word) {
  await row(page, name).locator(".verdict", { hasText: word }).waitFor();
}

/** falls waits until the first sentence names a FlowSchema as the one that takes the request. */
export async function falls(page, schema) {
  await page.locator("#result .lede", { hasText: `This request falls in ${schema} (` }).waitFor();
}
