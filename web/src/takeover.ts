// What the page has for a browser without scripts, the live page does by itself.
import { need } from "./dom";

/** takeOver lets a form that is asked about with every keystroke not be sent as well. */
export function takeOver(page: HTMLElement): void {
  const form = need<HTMLFormElement>("form", page);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.querySelector(".explain")?.remove();
  closeMenus();
}

/** closeMenus folds the list of examples once a person has chosen, or looked elsewhere. */
function closeMenus(): void {
  const close = (keep: EventTarget | null) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]")) {
      const inside = keep instanceof Node && menu.contains(keep);
      const chosen = keep instanceof Element && keep.closest("[data-text]");
      if (!inside || chosen) menu.open = false;
    }
  };
  document.addEventListener("click", (event) => close(event.target));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close(null);
  });
}
