// Lines that decided something carry a wash and a remark at their end; the line that a
// reason under the pointer speaks about is outlined.
import { RangeSetBuilder, StateEffect, StateField, type Extension, type Text } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";
import type { Mark } from "./protocol";

const setMarks = StateEffect.define<Mark[]>();
const setPointed = StateEffect.define<number>();

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    let next = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) next = decorate(transaction.newDoc, effect.value);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const pointed = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    let next = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setPointed)) continue;
      const from = lineStart(transaction.newDoc, effect.value);
      next = from < 0 ? Decoration.none : Decoration.set(pointedLine.range(from));
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const pointedLine = Decoration.line({ class: "cm-pointed" });

export const marking: Extension = [marks, pointed];

export function showMarks(view: EditorView, all: Mark[]): void {
  view.dispatch({ effects: setMarks.of(all) });
}

export function pointAt(view: EditorView, line: number): void {
  const from = lineStart(view.state.doc, line);
  const scroll = from < 0 ? [] : [EditorView.scrollIntoView(from, { y: "nearest", yMargin: 40 })];
  view.dispatch({ effects: [setPointed.of(line), ...scroll] });
}

class Remark extends WidgetType {
  constructor(private readonly text: string) {
    super();
  }
  override eq(other: Remark): boolean {
    return other.text === this.text;
  }
  toDOM(): HTMLElement {
    const remark = document.createElement("span");
    remark.className = "cm-remark";
    remark.textContent = this.text;
    return remark;
  }
}

/** decorate puts one wash on each line, the strongest of its marks, and one remark behind it. */
function decorate(doc: Text, all: Mark[]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const byLine = Map.groupBy(all, (mark) => mark.line);
  for (const [line, here] of [...byLine].sort(([a], [b]) => a - b)) {
    const from = lineStart(doc, line);
    if (from < 0) continue;
    const kind = here.some((mark) => mark.kind === "deciding") ? "deciding" : (here[0]?.kind ?? "note");
    builder.add(from, from, Decoration.line({ class: `cm-marked cm-marked-${kind}` }));
    const text = [...new Set(here.map((mark) => mark.text).filter(Boolean))].join(" · ");
    if (text === "") continue;
    const to = doc.line(line).to;
    builder.add(to, to, Decoration.widget({ widget: new Remark(text), side: 1 }));
  }
  return builder.finish();
}

function lineStart(doc: Text, line: number): number {
  return line >= 1 && line <= doc.lines ? doc.line(line).from : -1;
}
