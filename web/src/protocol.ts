// The messages of the websocket at /explore/socket, as server/ sends and reads them.

/** What a person says about the request beyond the pasted text; empty values are guessed. */
export interface Ask {
  operation: string;
  subresource: string;
  namespace: string;
  name: string;
  user: string;
  groups: string[];
  oldObject: string;
  dryRun: boolean;
  collection: boolean;
  document: number;
  /** These are asked of a request that flow control sees and admission does not. */
  verb: string;
  resource: string;
  allNamespaces: boolean;
  path: string;
}

export interface Question {
  seq: number;
  text: string;
  ask: Ask;
  policy: string;
}

export interface Mark {
  line: number;
  kind: "deciding" | "problem" | "note";
  text: string;
}

export interface Problem {
  line: number;
  column: number;
  message: string;
}

/** The rendered fragments of an answer, by the id of the element each one replaces. */
export type Fragments = Partial<Record<"result" | "ask" | "fresh", string>>;

/** What is known about the text besides the fragments. */
export interface Findings {
  marks?: Mark[];
  problems?: Problem[];
}

export type Reply = { seq: number } & (
  | ({ state: "answer"; html: Fragments; micros: number } & Findings)
  | { state: "broken"; problems?: Problem[] }
  /** The cluster has changed, and with it the last answer. */
  | ({ state: "facts"; html: Fragments } & Findings)
);

/** What the server reads at most, in bytes of UTF-8. */
export const textLimit = 1 << 20;

export function emptyAsk(): Ask {
  return {
    operation: "",
    subresource: "",
    namespace: "",
    name: "",
    user: "",
    groups: [],
    oldObject: "",
    dryRun: false,
    collection: false,
    document: 0,
    verb: "",
    resource: "",
    allNamespaces: false,
    path: "",
  };
}
