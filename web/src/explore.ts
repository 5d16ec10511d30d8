// The live explorer: an editor, the request builder, and the answer that follows both.
import { AskForm } from "./ask";
import { followAskLinks } from "./asklinks";
import { Announcer } from "./announce";
import { need } from "./dom";
import { keepDraft, readDraft } from "./draft";
import { createEditor } from "./editor";
import { followLines } from "./lines";
import { measurePaint } from "./measure";
import { patch } from "./patch";
import { emptyAsk, textLimit, type Problem, type Question, type Reply } from "./protocol";
import { Session } from "./session";
import { fromFragment, type Shared } from "./share";
import { addShareButton } from "./sharebutton";
import { Sorts } from "./sorts";
import { takeOver } from "./takeover";
import { Standing } from "./standing";
import { onTextOffered } from "./texts";

const page = need<HTMLElement>("#explore");
const area = need<HTMLTextAreaElement>("textarea[name=text]", page);
const policy = page.querySelector<HTMLInputElement>("[name=policy]")?.value ?? "";
const nonce = document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content ?? "";

const standing = new Standing((line) => editor.goTo(line));
const announcer = new Announcer();
const editor = createEditor(area, nonce, {
  changed() {
    forgetLink();
    session.askSoon();
  },
  submitted: () => session.askNow(),
});
const ask = new AskForm({
  changed(typing) {
    forgetLink();
    if (typing) session.askSoon();
    else session.askNow();
  },
});
const session = new Session("/explore/socket", question, {
  reply: show,
  connection: (state) => standing.connection(state),
  waiting: (waiting) => standing.waiting(waiting),
});

const sorts = new Sorts(page, current, begin);

onTextOffered(begin);
followLines(editor);
followAskLinks();
takeOver(page);
addShareButton(page, current);
void start();

/** start asks about what a link says, else about what this tab was writing, else about what the page came with. */
async function start(): Promise<void> {
  const before = (await fromFragment(location.hash)) ?? readDraft();
  if (before) {
    ask.load({ ...emptyAsk(), ...before.ask });
    if (before.text !== editor.text()) editor.load(before.text);
  } else {
    ask.adopt();
  }
  session.askNow();
}

/** begin asks about another text. The one before stays in the history of the editor. */
function begin(shared: Shared): void {
  ask.load(shared.ask);
  editor.load(shared.text);
  forgetLink();
  session.askNow();
}

function current(): Shared {
  return { text: editor.text(), ask: ask.values() };
}

/** question returns what to ask, or null where the server would hang up on it. */
function question(): Omit<Question, "seq"> | null {
  const shared = current();
  keepDraft(shared);
  const large = tooLarge("This", shared.text) ?? tooLarge("The old object", shared.ask.oldObject);
  if (large === null) return { ...shared, policy };
  showBroken([{ line: 0, column: 0, message: large }]);
  return null;
}

function tooLarge(what: string, content: string): string | null {
  const size = new TextEncoder().encode(content).length;
  if (size <= textLimit) return null;
  return `${what} is ${(size / textLimit).toFixed(1)} MiB, and Ambit reads up to 1 MiB. Paste one object.`;
}

function show(reply: Reply, asked: number): void {
  switch (reply.state) {
    case "broken":
      showBroken(reply.problems ?? []);
      return;
    case "facts":
      patchAll(reply.html);
      if (reply.marks) editor.showMarks(reply.marks);
      return;
    case "answer":
      patchAll(reply.html);
      sorts.answered();
      editor.showProblems(reply.problems ?? [], "warning");
      editor.showMarks(reply.marks ?? []);
      standing.answered(reply.problems ?? []);
      announcer.announce();
      measurePaint(asked, reply.micros);
  }
}

function patchAll(html: Record<string, string | undefined>): void {
  for (const [id, fragment] of Object.entries(html)) patch(id, fragment);
  ask.restore();
}

function showBroken(problems: Problem[]): void {
  editor.showProblems(problems, "error");
  standing.broken(problems);
}

/** forgetLink drops a shared link from the address once it no longer says what is shown. */
function forgetLink(): void {
  if (location.hash.startsWith("#t=")) history.replaceState(null, "", location.pathname + location.search);
}
