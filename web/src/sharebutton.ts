// The button that copies a link to what is on the screen. It works without a server and
// says what it did where it stands.
import { copy } from "./copy";
import { toFragment, type Shared } from "./share";

export function addShareButton(page: HTMLElement, current: () => Shared): void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "share";
  button.textContent = "Copy link";
  button.title = "Everything is in the link itself; nothing is sent to the server.";
  button.setAttribute("aria-live", "polite");
  let timer: number | undefined;
  button.addEventListener("click", async () => {
    const address = location.pathname + location.search + (await toFragment(current()));
    history.replaceState(null, "", address);
    const copied = await copy(location.href);
    button.textContent = copied ? "Link copied" : "Copy it from the address bar";
    clearTimeout(timer);
    timer = setTimeout(() => (button.textContent = "Copy link"), 2500);
  });
  (page.querySelector(".examples") ?? page).append(button);
}
