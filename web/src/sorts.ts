// The switch between the two sorts of text: an object, and a line that stands for a request
// without one. Each keeps what was written last, so that going there and back loses nothing.
import { need } from "./dom";
import { emptyAsk } from "./protocol";
import type { Shared } from "./share";

export class Sorts {
  private readonly kept = new Map<string, Shared>();
  private readonly links: HTMLAnchorElement[];

  constructor(
    page: HTMLElement,
    private readonly current: () => Shared,
    begin: (shared: Shared) => void,
  ) {
    this.links = [...page.querySelectorAll<HTMLAnchorElement>("a[data-to]")];
    for (const link of this.links) {
      link.addEventListener("click", (event) => {
        if (event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        const { to = "", begin: text = "" } = link.dataset;
        if (to === shown()) return;
        this.kept.set(shown(), this.current());
        begin(this.kept.get(to) ?? { text, ask: emptyAsk() });
      });
    }
  }

  /** answered keeps what could be read, and marks which sort of text it is. */
  answered(): void {
    this.kept.set(shown(), this.current());
    for (const link of this.links) {
      if (link.dataset.to === shown()) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }
}

/** shown is the sort of the text that was answered last. */
function shown(): string {
  return need<HTMLElement>("#ask").dataset.sort ?? "";
}
