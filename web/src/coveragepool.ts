// Elements for a window on a long list. One that leaves the window is drawn again as one
// that enters it, so that scrolling costs what has changed and makes no elements.

/** A half-open window of numbers. */
export interface Span {
  from: number;
  to: number;
}

export class Pool<E extends HTMLElement> {
  private readonly used = new Map<number, E>();
  private readonly spare: E[] = [];

  constructor(
    private readonly parent: HTMLElement,
    private readonly make: () => E,
    private readonly draw: (element: E, at: number) => void,
  ) {}

  /** show draws the elements of a window that are not there yet. */
  show(window: Span): void {
    for (const [at, element] of this.used) {
      if (at >= window.from && at < window.to) continue;
      this.used.delete(at);
      this.spare.push(element);
    }
    for (let at = window.from; at < window.to; at++) {
      if (!this.used.has(at)) this.use(at);
    }
    // Not by the attribute hidden, on which styles of siblings depend.
    for (const element of this.spare) element.style.display = "none";
  }

  private use(at: number): void {
    let element = this.spare.pop();
    if (!element) {
      element = this.make();
      this.parent.append(element);
    }
    if (element.style.display !== "") element.style.display = "";
    this.used.set(at, element);
    this.draw(element, at);
  }

  /** forget lets everything be drawn anew the next time. */
  forget(): void {
    this.spare.push(...this.used.values());
    this.used.clear();
  }

  at(number: number): E | undefined {
    return this.used.get(number);
  }

  shown(): Iterable<E> {
    return this.used.values();
  }
}
