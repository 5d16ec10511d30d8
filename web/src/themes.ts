// Light, dark, or as the system says. The choice is kept in this browser.

export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const key = "ambit:theme";

export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(key);
    return themes.find((theme) => theme === kept) ?? "auto";
  } catch {
    return "auto";
  }
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Storage is forbidden; the choice holds for this page.
  }
}

/** applyTheme sets what web/css/tokens.css looks at. */
export function applyTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
