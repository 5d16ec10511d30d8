// The list of policies, filtered while a person types. Without policies there is no form.
import { PolicyList } from "./list";

const form = document.querySelector<HTMLFormElement>("#filter");
if (form) void PolicyList.takeOver(form);
