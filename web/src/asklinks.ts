// "It depends on who asks" leads to the field in which that can be said. Following the
// link as a browser does would only scroll, and would change the address.

export function followAskLinks(): void {
  document.addEventListener("click", (event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href^='#ask-']") : null;
    const field = link && document.getElementById(link.hash.slice(1));
    if (!field) return;
    event.preventDefault();
    const folded = field.closest("details");
    if (folded) folded.open = true;
    field.focus();
  });
}
