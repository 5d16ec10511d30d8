// Measures from the moment a question leaves until its answer is on the screen. The
// entries are what web/e2e/bench.mjs reads.

/** measurePaint records the time until the frame that shows the current page is done. */
export function measurePaint(start: number, micros: number): void {
  // The first callback runs before that frame is painted, the second one after it.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => performance.measure("ambit:answer", { start, detail: { micros } })),
  );
}
