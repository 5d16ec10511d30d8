// Applies the chosen theme before the first paint. It is a script of its own, loaded in
// the head without waiting, so that a dark page never flashes white.
import { applyTheme, chosenTheme } from "./themes";

applyTheme(chosenTheme());
