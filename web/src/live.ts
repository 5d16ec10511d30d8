// Lets a page that was rendered on load follow the cluster: the server says that there is a
// newer snapshot, or that a search has found something, and the page fetches itself and
// patches what has changed into place.
import { Connection, socketAddress } from "./connection";
import { asked, patched } from "./livemarks";
import { patch } from "./patch";

/** Several changes in a row become one. */
const debounce = 250;

/** While a person types, the page stays as it is until they have paused for this long. */
const pause = 1500;

/** What a page was rendered from. Only pages that show findings have a number for these. */
interface Edition {
  snapshot: string;
  findings: string;
}

interface News extends Edition {
  fresh: string;
}

/** follow keeps the page current. The explore page has a conversation of its own. */
export function follow(): void {
  if (document.querySelector("#main") && !document.querySelector("#explore")) new Follower();
}

class Follower {
  private shown = editionOf(document);
  private newest = this.shown;
  private typed = -Infinity;
  private timer: number | undefined;
  private fetching = false;

  constructor() {
    document.addEventListener("input", () => (this.typed = performance.now()));
    document.addEventListener("visibilitychange", () => this.soon());
    document.addEventListener(asked, () => {
      this.shown = nothing;
      this.soon();
    });
    new Connection(socketAddress("/live"), {
      message: (data) => this.hear(data as News),
      state: () => {},
    });
  }

  private hear(news: News): void {
    patch("fresh", news.fresh);
    this.newest = news;
    this.soon();
  }

  private isCurrent(): boolean {
    const { snapshot, findings } = this.shown;
    return snapshot === this.newest.snapshot && (findings === "" || findings === this.newest.findings);
  }

  private soon(): void {
    clearTimeout(this.timer);
    if (this.isCurrent() || document.visibilityState === "hidden") return;
    this.timer = setTimeout(() => void this.catchUp(), Math.max(debounce, this.typing()));
  }

  /** typing is for how long a person is still taken to be typing. */
  private typing(): number {
    return this.typed + pause - performance.now();
  }

  private async catchUp(): Promise<void> {
    if (this.fetching) return;
    if (this.typing() <= 0) {
      this.fetching = true;
      const page = await load(document.documentElement.dataset.live ?? location.href);
      this.fetching = false;
      // A server that is away says what is newest once it is back.
      if (!page) return;
      // Somebody may have begun to type while the page was on its way.
      if (this.typing() <= 0) this.show(page);
    }
    this.soon();
  }

  private show(page: Document): void {
    document.title = page.title;
    patch("main", page.querySelector("#main")?.outerHTML, isTheirs);
    this.shown = editionOf(page);
    document.dispatchEvent(new CustomEvent(patched));
  }
}

/** load fetches a page; an answer that says that it is gone is a page, too. */
async function load(address: string): Promise<Document | null> {
  try {
    const response = await fetch(address, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    return page.querySelector("#main") ? page : null;
  } catch {
    return null;
  }
}

/** nothing is what a page shows whose address asks for something else by now. */
const nothing: Edition = { snapshot: "", findings: "" };

function editionOf(page: Document): Edition {
  const number = (name: string) => page.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? "";
  return { snapshot: number("snapshot"), findings: number("findings") };
}

/** isTheirs tells what a patch must not touch: what a script renders, and what a person has filled in. */
function isTheirs(element: Element): boolean {
  if (element instanceof HTMLSelectElement) {
    const given = [...element.options].find((option) => option.defaultSelected) ?? element.options[0];
    return element.selectedOptions[0] !== given;
  }
  if (element instanceof HTMLInputElement)
    return element.value !== element.defaultValue || element.checked !== element.defaultChecked;
  return element instanceof HTMLElement && element.dataset.own !== undefined;
}
