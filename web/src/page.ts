// What every page does: the theme, and ages that grow.
import { tickAges } from "./ages";
import { themeToggle } from "./toggle";

document.querySelector(".top")?.append(themeToggle());
tickAges();
