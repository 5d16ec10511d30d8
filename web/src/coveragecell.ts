// The objects behind a cell, below the matrix. Its own links stay there, too.
import { questions } from "./coveragedata";
import { need } from "./dom";
import { own } from "./livemarks";

export class CellPart {
  private address = "";
  private asked = 0;

  constructor() {
    document.addEventListener("click", (event) => {
      const link =
        event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("#cell a") : null;
      if (!link || event.metaKey || event.ctrlKey || link.pathname !== "/coverage/cell") return;
      if (link.download !== "" || link.hasAttribute("download")) return;
      event.preventDefault();
      void this.show(link.pathname + link.search);
    });
  }

  /** open shows the objects of a cell and brings them into sight. */
  async open(address: string): Promise<void> {
    if (!(await this.show(address))) return;
    const section = need<HTMLElement>("#cell");
    section.tabIndex = -1;
    section.focus({ preventScroll: true });
    section.scrollIntoView({ block: "nearest" });
  }

  /** ask shows the objects of the cell under another question. */
  ask(question: URLSearchParams): void {
    if (this.address === "") return;
    const address = new URL(this.address, location.href);
    for (const name of questions) address.searchParams.delete(name);
    for (const [name, value] of question) address.searchParams.append(name, value);
    void this.show(address.pathname + address.search);
  }

  /** again shows the same after the cluster has changed. */
  async again(): Promise<void> {
    if (this.address !== "") await this.show(this.address);
  }

  private async show(address: string): Promise<boolean> {
    const number = ++this.asked;
    const response = await fetch(`${address}&part=true`, { headers: { Accept: "text/html" } }).catch(
      () => null,
    );
    if (number !== this.asked || !response) return false;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.querySelector<HTMLElement>("#cell") ?? gone(page);
    if (number !== this.asked) return false;
    this.address = address;
    own(fresh);
    need("#cell").replaceWith(fresh);
    return true;
  }
}

/** gone says in the place of the objects why there are none. */
function gone(page: Document): HTMLElement {
  const section = document.createElement("section");
  section.id = "cell";
  section.className = "cell-objects";
  section.textContent = page.querySelector(".lede")?.textContent ?? "";
  return section;
}
