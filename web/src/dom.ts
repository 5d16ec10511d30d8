// Small helpers around the page.

/** need finds an element that the script cannot work without. */
export function need<T extends Element>(selector: string, within: ParentNode = document): T {
  const element = within.querySelector<T>(selector);
  if (!element) throw new Error(`the page has no ${selector}`);
  return element;
}

/** status makes a line that a screen reader announces when it changes. */
export function status(className: string): HTMLElement {
  const line = document.createElement("p");
  line.className = className;
  line.setAttribute("role", "status");
  return line;
}

/** words are the parts of a text that stand between spaces or commas. */
export function words(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}
