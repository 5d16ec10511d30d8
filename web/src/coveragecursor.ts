// The cell that the keyboard is at, and the words for the one under the pointer. The grid
// is one stop for the Tab key; the arrow keys move in it.

export interface CursorHost {
  find(row: number, column: number): HTMLAnchorElement | undefined;
  reveal(row: number, column: number): void;
  size(): { rows: number; columns: number };
  says(row: number, column: number): string;
  status: HTMLElement;
  open(address: string): void;
}

const steps: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

export class Cursor {
  private row = 0;
  private column = 0;

  constructor(
    grid: HTMLElement,
    private readonly host: CursorHost,
  ) {
    host.status.textContent = hint;
    grid.addEventListener("keydown", (event) => this.step(event));
    grid.addEventListener("focusin", (event) => this.enter(event));
    grid.addEventListener("pointerover", (event) => this.hover(event));
    grid.addEventListener("click", (event) => this.click(event));
  }

  /** mark makes the cell of the cursor the one that the Tab key goes to. */
  mark(cell: HTMLElement, row: number, column: number): void {
    cell.tabIndex = row === this.row && column === this.column ? 0 : -1;
  }

  /** place keeps the cursor on the grid after it got other rows or columns. */
  place(): void {
    const { rows, columns } = this.host.size();
    this.move(Math.min(this.row, rows - 1), Math.min(this.column, columns - 1));
  }

  private step(event: KeyboardEvent): void {
    const step = steps[event.key];
    if (!step || !cellOf(event) || event.altKey || event.metaKey) return;
    event.preventDefault();
    const { rows, columns } = this.host.size();
    const row = clamp(this.row + step[0], rows);
    const column = clamp(this.column + step[1], columns);
    this.host.reveal(row, column);
    this.move(row, column);
    this.host.find(row, column)?.focus({ preventScroll: true });
  }

  private enter(event: FocusEvent): void {
    const at = cellOf(event);
    if (at) this.move(at.row, at.column);
    if (at) this.host.status.textContent = this.host.says(at.row, at.column);
  }

  private move(row: number, column: number): void {
    const before = this.host.find(this.row, this.column);
    if (before) before.tabIndex = -1;
    this.row = row;
    this.column = column;
    const now = this.host.find(row, column);
    if (now) now.tabIndex = 0;
  }

  private hover(event: PointerEvent): void {
    const at = cellOf(event);
    this.host.status.textContent = at ? this.host.says(at.row, at.column) : hint;
  }

  private click(event: MouseEvent): void {
    const at = cellOf(event);
    if (!at || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    this.host.open(at.cell.pathname + at.cell.search);
  }
}

const hint = "Choose a cell for the objects behind it.";

/** cellOf is the cell in which something happens. */
function cellOf(event: Event): { cell: HTMLAnchorElement; row: number; column: number } | null {
  const cell =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("[role=gridcell]") : null;
  const row = cell?.closest<HTMLElement>("[role=row]");
  if (!cell || !row) return null;
  return { cell, row: Number(row.dataset.at), column: Number(cell.dataset.column) };
}

function clamp(at: number, count: number): number {
  return Math.max(0, Math.min(at, count - 1));
}
