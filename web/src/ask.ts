// The request builder. The server guesses every value from what is pasted; only what a
// person changed is sent, and clearing a field gives it back to the guess.
import { words } from "./dom";
import { emptyAsk, type Ask } from "./protocol";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Name = keyof Ask;

const names = Object.keys(emptyAsk()) as Name[];

export interface AskEvents {
  /** changed says whether more keystrokes are to be expected. */
  changed(typing: boolean): void;
}

export class AskForm {
  private changed: Partial<Ask> = {};

  constructor(events: AskEvents) {
    // The form is patched with every answer, so the page listens and not its fields.
    document.addEventListener("input", (event) => {
      const field = fieldOf(event.target);
      if (!field) return;
      this.take(field.name as Name, read(field));
      this.show(field);
      this.offerReset();
      events.changed(isTyped(field));
    });
    // While a person is in a field its value is theirs. A field that was cleared shows the
    // guess again once they leave it.
    document.addEventListener("change", (event) => {
      const field = fieldOf(event.target);
      if (field && isTyped(field) && !(field.name in this.changed)) events.changed(false);
    });
    document.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("[data-reset]") : null;
      if (!button) return;
      this.load(emptyAsk());
      events.changed(false);
    });
  }

  values(): Ask {
    return { ...emptyAsk(), ...this.changed };
  }

  /** load takes over what a link or a draft says; empty values give the field back to the guess. */
  load(ask: Ask): void {
    this.changed = {};
    for (const name of names) this.take(name, ask[name]);
    this.restore();
  }

  /** adopt takes over what the address of the page said, which the server has put into the fields. */
  adopt(): void {
    for (const field of document.querySelectorAll<Field>("#ask [name]")) {
      const said = field.name === "oldObject" ? field.value !== "" : field.dataset.guessed === "false";
      if (said && fieldOf(field)) this.take(field.name as Name, read(field));
    }
    this.restore();
  }

  /** restore writes what a person said over a patch, which may have answered an older question. */
  restore(): void {
    for (const field of document.querySelectorAll<Field>("#ask [name]")) {
      if (fieldOf(field)) this.show(field);
    }
    this.offerReset();
  }

  /** offerReset keeps the way back open also while there is no answer that would bring it. */
  private offerReset(): void {
    const form = document.getElementById("ask");
    // What was said in a field that this sort of request does not have waits unseen.
    const said = Object.keys(this.changed).some(
      (name) => name !== "document" && form?.querySelector(`[name="${name}"]`),
    );
    const button = form?.querySelector("[data-reset]");
    if (!said) button?.remove();
    else if (!button) form?.append(resetButton());
  }

  private take(name: Name, value: Ask[Name]): void {
    const guessed = JSON.stringify(value) === JSON.stringify(emptyAsk()[name]);
    if (guessed) delete this.changed[name];
    else Object.assign(this.changed, { [name]: value });
  }

  private show(field: Field): void {
    const value = this.changed[field.name as Name];
    field.toggleAttribute("data-said", value !== undefined && field.name !== "document");
    if (value !== undefined && field !== document.activeElement) write(field, value);
  }
}

function fieldOf(target: EventTarget | null): Field | null {
  const isField =
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement;
  if (!isField || !target.closest("#ask") || !names.includes(target.name as Name)) return null;
  return target;
}

/** resetButton is the button of views/ask.templ. */
function resetButton(): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "link";
  button.dataset.reset = "";
  button.textContent = "guess everything again";
  return button;
}

function isTyped(field: Field): boolean {
  if (field instanceof HTMLInputElement) return field.type !== "checkbox" && field.type !== "radio";
  return field instanceof HTMLTextAreaElement;
}

function read(field: Field): Ask[Name] {
  if (field instanceof HTMLInputElement && field.type === "checkbox") return field.checked;
  if (field.name === "document") return Number(field.value) || 0;
  if (field.name === "groups") return words(field.value);
  return field.name === "oldObject" ? field.value : field.value.trim();
}

function write(field: Field, value: Ask[Name]): void {
  if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = value === true;
  else if (field instanceof HTMLInputElement && field.type === "radio")
    field.checked = field.value === String(value);
  else if (Array.isArray(value)) field.value = value.join(", ");
  else field.value = String(value);
}
