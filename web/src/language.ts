// Highlights YAML, and JSON once the text begins like JSON. The classes that the
// highlighter gives to words are coloured in web/css/editor.css.
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, type Extension, type Text } from "@codemirror/state";
import { classHighlighter } from "@lezer/highlight";

const compartment = new Compartment();
const yamlLanguage = yaml();
const jsonLanguage = json();

const detect = EditorState.transactionExtender.of((transaction) => {
  if (!transaction.docChanged) return null;
  const wanted = languageOf(transaction.newDoc);
  if (compartment.get(transaction.startState) === wanted) return null;
  return { effects: compartment.reconfigure(wanted) };
});

/** language begins as YAML; an initial JSON text is detected with the first change or load. */
export const language: Extension = [
  compartment.of(yamlLanguage),
  detect,
  syntaxHighlighting(classHighlighter),
];

function languageOf(text: Text): Extension {
  const start = text.sliceString(0, 2000).trimStart();
  return start.startsWith("{") || start.startsWith("[") ? jsonLanguage : yamlLanguage;
}
