// Lets a page that was rendered on load follow the cluster: the server says that there is a
// newer snapshot, the page fetches itself and patches what has changed into place.
import { Connection, socketAddress } from "./connection";
import { patched } from "./livemarks";
import { patch } from "./patch";

/** Several changes in a row become one. */
const debounce = 250;

/** While a person types, the page stays as it is until they have paused for this long. */
const pause = 1500;

interface News {
  snapshot: string;
  fresh: string;
}

/** follow keeps the page current. The explore page has a conversation of its own. */
export function follow(): void {
  if (document.querySelector("#main") && !document.querySelector("#explore")) new Follower();
}

class Follower {
  private shown = snapshotOf(document);
  private newest = this.shown;
  private typed = -Infinity;
  private timer: number | undefined;
  private fetching = false;

  constructor() {
    document.addEventListener("input", () => (this.typed = performance.now()));
    document.addEventListener("visibilitychange", () => this.soon());
    new Connection(socketAddress("/live"), {
      message: (data) => this.hear(data as News),
      state: () => {},
    });
  }

  private hear(news: News): void {
    patch("fresh", news.fresh);
    this.newest = news.snapshot;
    this.soon();
  }

  private soon(): void {
    clearTimeout(this.timer);
    if (this.newest === this.shown || document.visibilityState === "hidden") return;
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
    this.shown = snapshotOf(page);
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

function snapshotOf(page: Document): string {
  return page.querySelector<HTMLMetaElement>("meta[name=snapshot]")?.content ?? "";
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
