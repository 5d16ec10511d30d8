// What every page does: the theme, ages that grow, and following the cluster.
import { tickAges } from "./ages";
import { follow } from "./live";
import { themeToggle } from "./toggle";

document.querySelector(".top")?.append(themeToggle());
tickAges();
follow();
