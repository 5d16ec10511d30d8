// Decides which policies a filter lets through, on what views/policies.templ writes on
// each row, and by the rules of views/policies.go and views/rule.go: a filtered address
// shows the same rows whoever renders it.

export interface Filter {
  text: string;
  kind: string;
  resource: string;
  namespace: string;
}

/** A row as the filter sees it; taken apart once, because typing asks about all of them. */
export interface Facts {
  words: string;
  kind: string;
  resources: string[];
  namespaces: (namespace: string) => boolean;
}

export function factsOf(row: HTMLElement): Facts {
  return {
    words: row.dataset.text ?? "",
    kind: row.dataset.kind ?? "",
    resources: split(row.dataset.resources),
    namespaces: namespaceSet(row.dataset.namespaces ?? "*"),
  };
}

export function matches(facts: Facts, filter: Filter): boolean {
  const words = split(filter.text.toLowerCase());
  const resource = filter.resource.trim().toLowerCase();
  const namespace = filter.namespace.trim();
  return (
    (filter.kind === "" || filter.kind === facts.kind) &&
    (resource === "" || facts.resources.some((written) => reaches(written, resource))) &&
    (namespace === "" || facts.namespaces(namespace)) &&
    words.every((word) => facts.words.includes(word))
  );
}

/** reaches says whether a rule's resource can be what a person types: pods, pods/exec, or the beginning of it. */
function reaches(written: string, resource: string): boolean {
  if (written.startsWith(resource) || written === "*/*") return true;
  const [name, of = ""] = written.split("/", 2);
  const [wanted, wantedOf = ""] = resource.split("/", 2);
  if (name === "*" && of === "") return wantedOf === "" && !resource.includes("/");
  return (name === "*" || name === wanted) && (of === "*" || (of !== "" && of === wantedOf));
}

/** namespaceSet reads "*" for all, "! a b" for all but these, "a b" for these. */
function namespaceSet(written: string): (namespace: string) => boolean {
  if (written === "*") return () => true;
  const names = new Set(split(written));
  return names.delete("!") ? (namespace) => !names.has(namespace) : (namespace) => names.has(namespace);
}

function split(text: string | undefined): string[] {
  return (text ?? "").split(/\s+/).filter(Boolean);
}
