// Patches rendered fragments into the page so that what a person holds stays: the focus,
// the scroll position, a half-typed value, and every <details> they opened or closed.
import { Idiomorph } from "idiomorph";

const toggled = new WeakSet<HTMLDetailsElement>();

// The toggle event also fires when a patch opens a row, the click only when a person does.
document.addEventListener("click", (event) => {
  const summary = event.target instanceof Element ? event.target.closest("summary") : null;
  if (summary?.parentElement instanceof HTMLDetailsElement) toggled.add(summary.parentElement);
});

/** patch replaces the element with this id by a fragment that has the same id. */
export function patch(id: string, html: string | undefined): void {
  const element = document.getElementById(id);
  if (!element || html === undefined) return;
  Idiomorph.morph(element, html, {
    morphStyle: "outerHTML",
    ignoreActiveValue: true,
    callbacks: {
      beforeAttributeUpdated: (name, node) =>
        !(name === "open" && node instanceof HTMLDetailsElement && toggled.has(node)),
    },
  });
}
