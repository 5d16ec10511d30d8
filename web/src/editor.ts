// Upgrades the text area of the page to an editor. The text area stays in the form and
// keeps the same text, so that the form works as it does without a script.
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentLess,
  indentMore,
  isolateHistory,
} from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorSelection, EditorState, type StateCommand } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { language } from "./language";
import { marking, pointAt, showMarks } from "./marks";
import { problemGutter, showProblems, type Severity } from "./problems";
import type { Mark, Problem } from "./protocol";

export interface Editor {
  text(): string;
  load(text: string): void;
  focus(): void;
  showMarks(marks: Mark[]): void;
  showProblems(problems: Problem[], severity: Severity): void;
  /** point highlights a line while a person looks at what is said about it; 0 ends it. */
  point(line: number): void;
  goTo(line: number): void;
}

export interface EditorEvents {
  changed(): void;
  /** submitted is Ctrl+Enter: ask now. */
  submitted(): void;
}

export function createEditor(area: HTMLTextAreaElement, nonce: string, events: EditorEvents): Editor {
  const view = new EditorView({
    state: EditorState.create({
      doc: area.value,
      extensions: [
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of({
          "aria-label": labelOf(area),
          "aria-description": "Press Escape, then Tab to leave the editor.",
          // It takes focus without this too, but checkers cannot tell.
          tabindex: "0",
        }),
        placeholder(area.placeholder),
        keymap.of([
          { key: "Mod-Enter", run: () => (events.submitted(), true) },
          { key: "Tab", run: insertIndent, shift: indentLess },
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          area.value = update.state.doc.toString();
          events.changed();
        }),
        lineNumbers(),
        problemGutter,
        marking,
        language,
        history(),
        drawSelection(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        bracketMatching(),
        search({ top: true }),
        indentUnit.of("  "),
        EditorState.tabSize.of(2),
      ],
    }),
  });
  area.hidden = true;
  area.before(view.dom);
  return {
    text: () => view.state.doc.toString(),
    load(text) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: 0 },
        effects: EditorView.scrollIntoView(0),
        // Undoing brings back the text that was there, whatever was typed just before.
        annotations: isolateHistory.of("full"),
      });
    },
    focus: () => view.focus(),
    showMarks: (marks) => showMarks(view, marks),
    showProblems: (problems, severity) => showProblems(view, problems, severity),
    point: (line) => pointAt(view, line),
    goTo(line) {
      const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      view.dispatch({ selection: EditorSelection.cursor(at.to), scrollIntoView: true });
      view.focus();
    },
  };
}

/** insertIndent writes spaces up to the next stop, because YAML forbids tabs; it indents a selection. */
const insertIndent: StateCommand = ({ state, dispatch }) => {
  if (state.selection.ranges.some((range) => !range.empty)) return indentMore({ state, dispatch });
  const insert = state.changeByRange((range) => {
    const column = range.head - state.doc.lineAt(range.head).from;
    const spaces = " ".repeat(state.tabSize - (column % state.tabSize));
    return {
      changes: { from: range.head, insert: spaces },
      range: EditorSelection.cursor(range.head + spaces.length),
    };
  });
  dispatch(state.update(insert, { scrollIntoView: true, userEvent: "input" }));
  return true;
};

function labelOf(area: HTMLTextAreaElement): string {
  const label = area.getAttribute("aria-label") ?? area.labels[0]?.textContent?.trim();
  return label || "Manifest, YAML or JSON";
}
