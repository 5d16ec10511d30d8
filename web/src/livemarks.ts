// What the scripts of a page and the one that keeps it current say to each other. They are
// built apart, so they speak through the document.

/** The event by which the scripts of a page hear that it has been patched. */
export const patched = "ambit:patched";

/** The event by which the script that keeps a page current hears that its address asks for something else. */
export const asked = "ambit:asked";

/** rendersFrom tells which address renders the whole page, where that is not the page's own. */
export function rendersFrom(address: string): void {
  document.documentElement.dataset.live = address;
}

/** own marks an element that a script renders: patches leave it alone. */
export function own(element: HTMLElement): void {
  element.dataset.own = "";
}
