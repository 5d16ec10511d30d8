// Takes over the filter form of the list. Without a script the form is an ordinary GET;
// with one, rows are hidden here and the address keeps up.
import { need } from "./dom";
import { factsOf, matches, type Facts, type Filter } from "./filter";
import { own, patched, rendersFrom } from "./livemarks";

interface Row {
  element: HTMLElement;
  facts: Facts;
}

/** A part of the list that disappears with its last row. */
interface Part {
  element: HTMLElement;
  rows: Row[];
  count: HTMLElement | null;
}

const counted = new Intl.NumberFormat("en");

export class PolicyList {
  /** takeOver filters in the page; where the server filtered the list, the whole list comes first. */
  static async takeOver(form: HTMLFormElement): Promise<void> {
    if (location.search !== "") await fetchAll();
    new PolicyList(form).filter();
  }

  private readonly shown = need<HTMLOutputElement>("#shown");
  private readonly text: HTMLInputElement;
  private rows: Row[] = [];
  private parts: Part[] = [];
  private readonly nothing = emptyLine();
  private readonly clear = clearLink("Clear");

  private constructor(private readonly form: HTMLFormElement) {
    this.text = need("[name=text]", form);
    own(form);
    rendersFrom(location.pathname);
    this.collect();
    form.querySelector(".clear")?.remove();
    need("[type=submit]", form).replaceWith(this.clear);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => this.filter());
    document.addEventListener("click", (event) => this.clearOn(event));
    document.addEventListener("keydown", (event) => this.searchOn(event));
    document.addEventListener(patched, () => {
      this.collect();
      this.filter();
    });
  }

  /** collect takes the rows as they are on the page, which follows the cluster. */
  private collect(): void {
    this.rows = [...document.querySelectorAll<HTMLElement>("#main .policy")].map((element) => ({
      element,
      facts: factsOf(element),
    }));
    this.parts = [...this.partsOf(".group", null), ...this.partsOf(".phase", ":scope > header span")];
    if (!this.nothing.isConnected) need("#main").append(this.nothing);
  }

  private partsOf(selector: string, count: string | null): Part[] {
    return [...document.querySelectorAll<HTMLElement>(`#main ${selector}`)].map((element) => ({
      element,
      rows: this.rows.filter((row) => element.contains(row.element)),
      count: count === null ? null : element.querySelector<HTMLElement>(count),
    }));
  }

  private filter(): void {
    const filter = Object.fromEntries(new FormData(this.form)) as Record<keyof Filter, string>;
    const visible = new Set<Row>();
    for (const row of this.rows) {
      const matching = matches(row.facts, filter);
      if (matching) visible.add(row);
      row.element.hidden = !matching;
    }
    for (const part of this.parts) {
      const count = part.rows.filter((row) => visible.has(row)).length;
      part.element.hidden = count === 0;
      if (part.count) part.count.textContent = counted.format(count);
    }
    this.shown.textContent = `${counted.format(visible.size)} of ${counted.format(this.rows.length)}`;
    this.nothing.hidden = visible.size > 0;
    this.clear.hidden = Object.values(filter).every((value) => value === "");
    showAddress(filter);
  }

  private clearOn(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest("a.clear") : null;
    if (!link || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    for (const field of this.form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[name]")) {
      field.value = "";
    }
    this.filter();
    this.text.focus();
  }

  /** searchOn lets the slash key start a search, as elsewhere on the web. */
  private searchOn(event: KeyboardEvent): void {
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select");
    if (event.key !== "/" || typing || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    this.text.select();
  }
}

async function fetchAll(): Promise<void> {
  const response = await fetch(location.pathname);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const phase of document.querySelectorAll("#main > .phase")) phase.remove();
  need("#main").append(...page.querySelectorAll("#main > .phase"));
}

/** emptyLine stands where the list was when no row is left. */
function emptyLine(): HTMLElement {
  document.querySelector("#main > .empty")?.remove();
  const line = document.createElement("p");
  line.className = "empty";
  line.append("No policy matches this filter. ", clearLink("Show all"));
  need("#main").append(line);
  return line;
}

function clearLink(text: string): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = location.pathname;
  link.className = "clear";
  link.textContent = text;
  return link;
}

function showAddress(filter: Filter): void {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ""));
  const address = location.pathname + (query.size > 0 ? `?${query}` : "") + location.hash;
  if (address !== location.pathname + location.search + location.hash)
    history.replaceState(null, "", address);
}
