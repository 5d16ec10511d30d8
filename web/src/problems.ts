// What could not be read, underlined at its place and marked in the gutter.
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import type { Extension, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { Problem } from "./protocol";

export const problemGutter: Extension = lintGutter();

/** A problem that kept the text from being read is an error, another one a warning. */
export type Severity = "error" | "warning";

export function showProblems(view: EditorView, problems: Problem[], severity: Severity): void {
  const diagnostics = problems.map((problem) => diagnostic(view.state.doc, problem, severity));
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

/** A problem without a line is about the whole text, and stands at its beginning. */
function diagnostic(doc: Text, { line, column, message }: Problem, severity: Severity): Diagnostic {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const indent = at.text.length - at.text.trimStart().length;
  const from = Math.min(at.from + (column > 0 ? column - 1 : indent), at.to);
  return { from, to: at.to, severity, message };
}
