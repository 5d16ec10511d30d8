// The coverage page: the whole matrix in the place of its first part, a filter that takes
// effect while it is typed, and the objects behind a cell below the matrix.
import { CellPart } from "./coveragecell";
import { Grid } from "./coveragegrid";
import { questions, type MatrixData } from "./coveragedata";
import { need, words } from "./dom";
import { asked, own, patched } from "./livemarks";

const debounce = 150;

class CoveragePage {
  private readonly host = need<HTMLElement>("#matrix");
  private readonly shown = need<HTMLOutputElement>("#matrix-shown");
  private readonly grid: Grid;
  private readonly cell = new CellPart();
  private timer: number | undefined;
  private fetches = 0;
  private question: string;

  constructor(private readonly form: HTMLFormElement) {
    own(form);
    own(this.host);
    this.question = asking(this.query()).toString();
    this.grid = new Grid(this.host, (address) => void this.cell.open(address));
    need("[type=submit]", form).remove();
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => this.soon());
    document.addEventListener(patched, () => {
      void this.fetch();
      void this.cell.again();
    });
    void this.fetch();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const address = location.pathname + searchOf(this.query());
      history.replaceState(null, "", address);
      this.exports();
      this.otherwise();
      void this.fetch();
    }, debounce);
  }

  /** otherwise lets the rest of the page follow if something else is asked about the objects. */
  private otherwise(): void {
    const question = asking(this.query());
    if (question.toString() === this.question) return;
    this.question = question.toString();
    this.cell.ask(question);
    document.dispatchEvent(new CustomEvent(asked));
  }

  /** query is what the form says; what is empty or the default is left out. */
  private query(): URLSearchParams {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(this.form)) {
      const text = String(value);
      if (name === "as-group") for (const group of words(text)) query.append(name, group);
      else if (text !== "" && !(name === "operation" && text === "CREATE")) query.append(name, text);
    }
    return query;
  }

  private async fetch(): Promise<void> {
    const number = ++this.fetches;
    const query = this.query();
    query.set("format", "matrix");
    const response = await fetch(`/coverage?${query}`).catch(() => null);
    if (!response?.ok || number !== this.fetches) return;
    const data = (await response.json()) as MatrixData;
    if (number !== this.fetches) return;
    this.shown.textContent = data.shown;
    this.grid.show(data, asking(query));
  }

  /** exports lets the files hold what the matrix shows. */
  private exports(): void {
    for (const link of document.querySelectorAll<HTMLAnchorElement>("#main > .exports a")) {
      const query = this.query();
      query.set("format", new URL(link.href).searchParams.get("format") ?? "csv");
      link.search = searchOf(query);
    }
  }
}

function searchOf(query: URLSearchParams): string {
  return query.size > 0 ? `?${query}` : "";
}

/** asking keeps of a query what every page about objects takes. */
function asking(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => questions.includes(name)));
}

const form = document.querySelector<HTMLFormElement>("#coverage-filter");
if (form) new CoveragePage(form);
