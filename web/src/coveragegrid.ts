// Draws a matrix of any size. Only the cells in sight, and some around them, are elements;
// scrolling moves those that went out of sight to where new ones came in.
import { cellAddress, cellMark, markOf, type MatrixData } from "./coveragedata";
import { Cursor } from "./coveragecursor";
import { Pool, type Span } from "./coveragepool";

/** How many rows and columns are drawn beyond what is in sight. */
const around = 8;

const counted = new Intl.NumberFormat("en");

interface Sizes {
  cell: number;
  rowHead: number;
  columnHead: number;
}

/** A row of the grid: its head, and the cells of its columns in sight. */
interface GridRow {
  element: HTMLElement;
  head: HTMLElement;
  cells: Pool<HTMLAnchorElement>;
}

export class Grid {
  private data: MatrixData = { by: "", shown: "", columns: [], rows: [] };
  private asked = new URLSearchParams();
  private sizes: Sizes = { cell: 28, rowHead: 0, columnHead: 0 };
  private columns: Span = { from: 0, to: 0 };
  private frame = 0;

  private readonly scroller = element("div", "grid");
  private readonly canvas = element("div", "grid-canvas");
  private readonly head = element("div", "grid-head");
  private readonly corner = element("div", "grid-corner");
  private readonly status = element("p", "grid-status");
  private readonly names: Pool<HTMLAnchorElement>;
  private readonly totals: Pool<HTMLElement>;
  private readonly rows: Pool<HTMLElement>;
  private readonly rowOf = new WeakMap<HTMLElement, GridRow>();
  private readonly cursor: Cursor;

  constructor(
    private readonly host: HTMLElement,
    open: (address: string) => void,
  ) {
    this.scroller.setAttribute("role", "grid");
    this.scroller.setAttribute("aria-label", "How much of the objects of each row each policy reaches");
    this.head.setAttribute("role", "row");
    this.head.append(this.corner);
    this.canvas.append(this.head);
    this.scroller.append(this.canvas);
    this.names = new Pool(
      this.head,
      () => makeName(),
      (name, at) => this.drawName(name, at),
    );
    this.totals = new Pool(
      this.head,
      () => element("span", "extent"),
      (cell, at) => this.drawTotal(cell, at),
    );
    this.rows = new Pool(
      this.canvas,
      () => this.makeRow(),
      (row, at) => this.drawRow(row, at),
    );
    this.cursor = new Cursor(this.scroller, {
      find: (row, column) => this.cellAt(row, column),
      reveal: (row, column) => this.reveal(row, column),
      size: () => ({ rows: this.data.rows.length, columns: this.data.columns.length }),
      says: (row, column) => this.says(row, column),
      status: this.status,
      open,
    });
    this.scroller.addEventListener("scroll", () => this.soon(), { passive: true });
    new ResizeObserver(() => this.soon()).observe(this.scroller);
  }

  /** show draws other data and stays where it is scrolled to. */
  show(data: MatrixData, asked: URLSearchParams): void {
    this.data = data;
    this.asked = asked;
    const empty = data.rows.length === 0 || data.columns.length === 0;
    if (empty) {
      this.host.replaceChildren(emptyLine());
      return;
    }
    if (!this.scroller.isConnected) this.host.replaceChildren(this.scroller, this.status);
    this.measure();
    for (const pool of [this.names, this.totals, this.rows]) pool.forget();
    this.draw();
    this.cursor.place();
  }

  private measure(): void {
    const style = getComputedStyle(this.scroller);
    const size = (name: string) => Number.parseFloat(style.getPropertyValue(name));
    this.sizes = { cell: size("--cell"), rowHead: size("--row-head"), columnHead: size("--column-head") };
    const { cell, rowHead, columnHead } = this.sizes;
    this.canvas.style.width = `${rowHead + this.data.columns.length * cell + cell}px`;
    this.canvas.style.height = `${columnHead + cell + this.data.rows.length * cell}px`;
    this.scroller.setAttribute("aria-rowcount", String(this.data.rows.length + 1));
    this.scroller.setAttribute("aria-colcount", String(this.data.columns.length + 1));
    const row = this.data.by === "" ? "Namespace" : "Resource";
    const sum = (of: "objects" | "missed") => this.data.rows.reduce((total, at) => total + at[of], 0);
    this.corner.replaceChildren(
      ...[
        row,
        "objects",
        "by none",
        "All",
        counted.format(sum("objects")),
        counted.format(sum("missed")),
      ].map(word),
    );
  }

  private soon(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private draw(): void {
    const { cell, rowHead, columnHead } = this.sizes;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.scroller;
    this.columns = span(scrollLeft, clientWidth - rowHead, cell, this.data.columns.length);
    const rows = span(scrollTop, clientHeight - columnHead - cell, cell, this.data.rows.length);
    this.names.show(this.columns);
    this.totals.show(this.columns);
    this.rows.show(rows);
    for (const row of this.rows.shown()) this.rowOf.get(row)?.cells.show(this.columns);
  }

  private drawName(name: HTMLAnchorElement, at: number): void {
    const column = this.data.columns[at];
    if (!column) return;
    this.put(name, at);
    name.href = column.href;
    name.title = `${column.kind} ${column.name}`;
    name.setAttribute("aria-colindex", String(at + 2));
    name.firstElementChild!.textContent = column.name;
  }

  private drawTotal(cell: HTMLElement, at: number): void {
    const column = this.data.columns[at];
    if (!column) return;
    this.put(cell, at);
    cell.className = `${markOf(column.mark).className} total`;
    cell.title = `${column.name}: ${column.total}`;
  }

  private makeRow(): HTMLElement {
    const row = element("div", "grid-row");
    row.setAttribute("role", "row");
    const head = element("div", "grid-row-head");
    head.setAttribute("role", "rowheader");
    row.append(head);
    const cells = new Pool(
      row,
      () => makeCell(),
      (cell, at) => this.drawCell(cell, Number(row.dataset.at), at),
    );
    this.rowOf.set(row, { element: row, head, cells });
    return row;
  }

  private drawRow(element: HTMLElement, at: number): void {
    const row = this.data.rows[at];
    const grid = this.rowOf.get(element);
    if (!row || !grid) return;
    const { cell, columnHead } = this.sizes;
    element.classList.toggle("vacant", row.empty === true);
    element.dataset.at = String(at);
    element.style.top = `${columnHead + cell + at * cell}px`;
    element.setAttribute("aria-rowindex", String(at + 2));
    const title = document.createElement(row.href === undefined ? "span" : "a");
    if (title instanceof HTMLAnchorElement) title.href = row.href ?? "";
    title.textContent = title.title = row.title;
    grid.head.replaceChildren(title, word(counted.format(row.objects)), word(counted.format(row.missed)));
    grid.cells.forget();
  }

  private drawCell(cell: HTMLAnchorElement, at: number, columnAt: number): void {
    const row = this.data.rows[at];
    const column = this.data.columns[columnAt];
    if (!row || !column) return;
    this.put(cell, columnAt);
    cell.className = cellMark(row, columnAt).className;
    cell.href = cellAddress(this.data, this.asked, row, column);
    cell.setAttribute("aria-colindex", String(columnAt + 2));
    cell.setAttribute("aria-label", this.says(at, columnAt));
    cell.dataset.column = String(columnAt);
    this.cursor.mark(cell, at, columnAt);
  }

  private put(cell: HTMLElement, column: number): void {
    cell.style.left = `${this.sizes.rowHead + column * this.sizes.cell}px`;
  }

  private says(row: number, column: number): string {
    const at = this.data.rows[row];
    const policy = this.data.columns[column];
    if (!at || !policy) return "";
    return `${policy.name}, ${at.title}: ${cellMark(at, column).word}`;
  }

  private cellAt(row: number, column: number): HTMLAnchorElement | undefined {
    const element = this.rows.at(row);
    return element && this.rowOf.get(element)?.cells.at(column);
  }

  /** reveal scrolls a cell out from under the heads. */
  private reveal(row: number, column: number): void {
    const { cell, rowHead, columnHead } = this.sizes;
    const height = this.scroller.clientHeight - columnHead - cell;
    const width = this.scroller.clientWidth - rowHead;
    this.scroller.scrollTop = within(this.scroller.scrollTop, row * cell, height, cell);
    this.scroller.scrollLeft = within(this.scroller.scrollLeft, column * cell, width, cell);
    this.draw();
  }
}

/**
 * span is which of some equally large things are in sight, and some around them. It has the
 * same length wherever one is, so that no elements come and go.
 */
function span(scrolled: number, length: number, size: number, count: number): Span {
  const drawn = Math.min(count, Math.ceil(Math.max(0, length) / size) + 1 + 2 * around);
  const from = Math.max(0, Math.min(count - drawn, Math.floor(scrolled / size) - around));
  return { from, to: from + drawn };
}

/** within is how far to scroll so that something is in sight. */
function within(scrolled: number, start: number, length: number, size: number): number {
  if (start < scrolled) return start;
  return start + size > scrolled + length ? start + size - length : scrolled;
}

function element(name: string, className: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

function word(text: string): HTMLElement {
  const made = document.createElement("span");
  made.textContent = text;
  return made;
}

function makeName(): HTMLAnchorElement {
  const name = document.createElement("a");
  name.className = "grid-name";
  name.setAttribute("role", "columnheader");
  name.tabIndex = -1;
  name.append(document.createElement("span"));
  return name;
}

function makeCell(): HTMLAnchorElement {
  const cell = document.createElement("a");
  cell.setAttribute("role", "gridcell");
  cell.tabIndex = -1;
  return cell;
}

function emptyLine(): HTMLElement {
  const line = element("p", "empty");
  const link = document.createElement("a");
  link.href = location.pathname;
  link.textContent = "Show everything";
  line.append("Nothing passes this filter. ", link);
  return line;
}
