// Lines that decided something carry a wash and a remark at their end; the line that a
// reason under the pointer speaks about is outlined.
import {
  RangeSet,
  RangeSetBuilder,
  StateEffect,
  StateField,
  type Extension,
  type Range,
  type Text,
} from "@codemirror/state";
import {
  Decoration,
  EditorView,
  GutterMarker,
  WidgetType,
  gutterLineClass,
  type DecorationSet,
} from "@codemirror/view";
import type { Mark } from "./protocol";

const setMarks = StateEffect.define<Mark[]>();
const setPointed = StateEffect.define<number>();

/** Marked is the same lines twice, because the editor draws text and gutter apart. */
interface Marked {
  lines: DecorationSet;
  gutter: RangeSet<GutterMarker>;
}

const marks = StateField.define<Marked>({
  create: () => ({ lines: Decoration.none, gutter: RangeSet.empty }),
  update({ lines, gutter }, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) return mark(transaction.newDoc, effect.value);
    }
    return { lines: lines.map(transaction.changes), gutter: gutter.map(transaction.changes) };
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ lines }) => lines),
    gutterLineClass.from(field, ({ gutter }) => gutter),
  ],
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
    remark.title = this.text;
    return remark;
  }
}

class MarkedGutter extends GutterMarker {
  constructor(override readonly elementClass: string) {
    super();
  }
  override eq(other: MarkedGutter): boolean {
    return other.elementClass === this.elementClass;
  }
}

/** mark puts one wash on each line, for the strongest of its marks, and one remark behind it. */
function mark(doc: Text, all: Mark[]): Marked {
  const lines = new RangeSetBuilder<Decoration>();
  const gutter: Range<GutterMarker>[] = [];
  const byLine = Map.groupBy(all, ({ line }) => line);
  for (const [line, here] of [...byLine].sort(([a], [b]) => a - b)) {
    const from = lineStart(doc, line);
    if (from < 0) continue;
    const kind = here.some((one) => one.kind === "deciding") ? "deciding" : (here[0]?.kind ?? "note");
    lines.add(from, from, Decoration.line({ class: `cm-marked-${kind}` }));
    gutter.push(new MarkedGutter(`cm-marked-${kind}`).range(from));
    const text = [...new Set(here.map((one) => one.text).filter(Boolean))].join(" · ");
    if (text === "") continue;
    const to = doc.line(line).to;
    lines.add(to, to, Decoration.widget({ widget: new Remark(text), side: 1 }));
  }
  return { lines: lines.finish(), gutter: RangeSet.of(gutter) };
}

function lineStart(doc: Text, line: number): number {
  return line >= 1 && line <= doc.lines ? doc.line(line).from : -1;
}
