// Buttons and links that bring a text into the editor: the examples, and what an answer
// offers, such as the Pod that a Deployment would create and who would ask for it.
import { emptyAsk } from "./protocol";
import type { Shared } from "./share";

export function onTextOffered(load: (offered: Shared) => void): void {
  document.addEventListener("click", (event) => {
    const offer = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-text]") : null;
    if (!offer || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    const { text = "", user = "", groups = "" } = offer.dataset;
    load({ text, ask: { ...emptyAsk(), user, groups: groups.split(/[\s,]+/).filter(Boolean) } });
  });
}
