// Patches rendered fragments into the page so that what a person holds stays: the focus,
// the scroll position, a half-typed value, and every <details> they opened or closed.
import { Idiomorph } from "idiomorph";

const toggled = new WeakSet<HTMLDetailsElement>();

// The toggle event also fires when a patch opens a row, the click only when a person does.
document.addEventListener("click", (event) => {
  const summary = event.target instanceof Element ? event.target.closest("summary") : null;
  if (summary?.parentElement instanceof HTMLDetailsElement) toggled.add(summary.parentElement);
});

/**
 * patch replaces the element with this id by a fragment that has the same id. What keep
 * says yes to stays as it is.
 */
export function patch(id: string, html: string | undefined, keep?: (element: Element) => boolean): void {
  const element = document.getElementById(id);
  if (!element || html === undefined) return;
  const template = document.createElement("template");
  template.innerHTML = html;
  const fresh = template.content.firstElementChild;
  if (!fresh) return;
  thinOut(id, fresh);
  Idiomorph.morph(element, fresh, {
    morphStyle: "outerHTML",
    ignoreActiveValue: true,
    callbacks: {
      beforeNodeMorphed: (old, next) =>
        !(next instanceof Element && next.hasAttribute(unchanged)) &&
        !(old instanceof Element && keep?.(old)),
      beforeAttributeUpdated: (name, node) =>
        !(name === "open" && node instanceof HTMLDetailsElement && toggled.has(node)),
    },
  });
}

/** The mark of a row that is as it was. It never gets into the page. */
const unchanged = "data-unchanged";

/** What the rows of a fragment were when they were patched in, by the fragment's id and their own. */
const known = new Map<string, Map<string, string>>();

/**
 * thinOut empties the rows that are as they were. A keystroke changes few rows of many, and
 * comparing their text is far cheaper than comparing their trees node by node.
 */
function thinOut(id: string, fresh: Element): void {
  const before = known.get(id);
  const now = new Map<string, string>();
  for (const row of fresh.querySelectorAll("details.row[id]")) {
    const html = row.outerHTML;
    now.set(row.id, html);
    if (before?.get(row.id) !== html || !document.getElementById(row.id)) continue;
    row.replaceChildren();
    row.setAttribute(unchanged, "");
  }
  known.set(id, now);
}
