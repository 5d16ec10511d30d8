// Ties the reasons of an answer to the lines of the editor: pointing at a reason shows
// its line, and following its link puts the cursor there.
import type { Editor } from "./editor";

export function followLines(editor: Editor): void {
  let shown = 0;
  const point = (target: EventTarget | null) => {
    const line = lineOf(target);
    if (line === shown) return;
    shown = line;
    editor.point(line);
  };
  document.addEventListener("pointerover", (event) => point(event.target));
  document.addEventListener("focusin", (event) => point(event.target));
  document.addEventListener("click", (event) => {
    const target =
      event.target instanceof Element ? event.target.closest("a[data-line], button[data-line]") : null;
    if (!target) return;
    event.preventDefault();
    editor.goTo(lineOf(target));
  });
}

function lineOf(target: EventTarget | null): number {
  const holder = target instanceof Element ? target.closest("#result [data-line]") : null;
  return Number(holder?.getAttribute("data-line")) || 0;
}
