// Keeps what is being written, per tab and per address, so that a reload loses nothing.
import type { Shared } from "./share";

const key = "ambit:draft:" + location.pathname + location.search;

export function keepDraft(draft: Shared): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Storage is full or forbidden; the page works without a draft.
  }
}

export function readDraft(): Shared | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") as Shared | null;
  } catch {
    return null;
  }
}
