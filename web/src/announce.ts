// Says the answer's first sentence to a screen reader once typing pauses. The whole
// answer is too long to be a live region.
import { status } from "./dom";

const pause = 700;

export class Announcer {
  private readonly line = status("unseen");
  private timer: number | undefined;

  constructor() {
    document.body.append(this.line);
  }

  announce(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.line.textContent = document.querySelector("#result .lede")?.textContent ?? "";
    }, pause);
  }
}
