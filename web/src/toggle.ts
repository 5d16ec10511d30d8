// The button that steps through the themes. A script makes it, because without one it
// could do nothing.
import { chooseTheme, chosenTheme, themes, type Theme } from "./themes";

const says: Record<Theme, string> = {
  auto: "Theme: as the system",
  light: "Theme: light",
  dark: "Theme: dark",
};

export function themeToggle(): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "theme";
  show(button, chosenTheme());
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(chosenTheme()) + 1) % themes.length] ?? "auto";
    chooseTheme(next);
    show(button, next);
  });
  return button;
}

function show(button: HTMLButtonElement, theme: Theme): void {
  button.dataset.shows = theme;
  button.setAttribute("aria-label", says[theme]);
  button.title = says[theme];
}
