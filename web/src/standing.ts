// How the shown answer stands to what is in the editor: current, about an older text
// because the newest cannot be read, or waiting for a server that is away.
import type { ConnectionState } from "./connection";
import { need, status } from "./dom";
import type { Problem } from "./protocol";

/** An answer that comes sooner than this needs no sign that it is being waited for. */
const patience = 300;

/** A reconnect that takes less is not worth a sentence. */
const hiccup = 400;

/** Of more problems than this, the rest are only counted; the editor marks them all. */
const listed = 3;

export class Standing {
  private readonly page = need<HTMLElement>("main");
  private readonly lostLine = status("note lost");
  private readonly problemList = document.createElement("div");
  private patienceTimer: number | undefined;
  private lostTimer: number | undefined;

  constructor(private readonly goTo: (line: number) => void) {
    this.lostLine.textContent = "The server is away. Reconnecting…";
    this.lostLine.hidden = true;
    this.problemList.className = "problems";
    this.problemList.setAttribute("role", "status");
    document.querySelector(".problems")?.remove();
    need("#result").before(this.lostLine, this.problemList);
  }

  /** answered shows what an answer could not read although it could answer. */
  answered(problems: Problem[]): void {
    delete this.page.dataset.stale;
    this.list(problems, "note");
  }

  /** broken dims the last answer, if there is one, below the sentence that says why there is no newer one. */
  broken(problems: Problem[]): void {
    const answered = !need("#result").hasAttribute("data-none");
    if (answered) this.page.dataset.stale = "";
    this.list(problems, "note err", answered ? " Below is the last answer." : "");
  }

  waiting(waiting: boolean): void {
    clearTimeout(this.patienceTimer);
    delete this.page.dataset.waiting;
    if (waiting) this.patienceTimer = setTimeout(() => (this.page.dataset.waiting = ""), patience);
  }

  connection(state: ConnectionState): void {
    clearTimeout(this.lostTimer);
    if (state === "open") this.showLost(false);
    if (state === "lost")
      this.lostTimer = setTimeout(() => this.showLost(true), this.lostLine.hidden ? hiccup : 0);
  }

  private showLost(lost: boolean): void {
    this.lostLine.hidden = !lost;
    this.page.toggleAttribute("data-lost", lost);
  }

  private list(problems: Problem[], className: string, after = ""): void {
    const lines = problems.slice(0, listed).map(({ line, message }) => {
      const note = document.createElement("p");
      note.className = className;
      if (line > 0) note.append(this.lineButton(line), ": ");
      note.append(sentence(message));
      return note;
    });
    const more = problems.length - lines.length;
    if (more > 0) lines.at(-1)?.append(` ${more} more in the editor.`);
    if (after) lines.at(-1)?.append(after);
    this.problemList.replaceChildren(...lines);
  }

  private lineButton(line: number): HTMLButtonElement {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link";
    button.textContent = `Line ${line}`;
    button.addEventListener("click", () => this.goTo(line));
    return button;
  }
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : message + ".";
}
