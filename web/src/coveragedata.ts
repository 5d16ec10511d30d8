// The matrix as server/coverage.go sends it, and its marks in words.

export interface Column {
  id: string;
  name: string;
  kind: string;
  href: string;
  mark: string;
  total: string;
}

export interface Row {
  key: string;
  title: string;
  href?: string;
  objects: number;
  missed: number;
  /** No objects are known in the namespace, so there are no cells. */
  empty?: boolean;
  /** One letter for each column: f, a digit, n, u or -. */
  cells?: string;
}

export interface MatrixData {
  by: string;
  shown: string;
  columns: Column[];
  rows: Row[];
}

interface Mark {
  className: string;
  word: string;
}

const marks = new Map<string, Mark>([
  ["f", { className: "extent full", word: "all" }],
  ["n", { className: "extent none", word: "none" }],
  ["u", { className: "extent unknown", word: "cannot tell" }],
  ["-", { className: "extent na", word: "nothing there that it could see" }],
  ...Array.from({ length: 9 }, (_, index): [string, Mark] => [
    String(index + 1),
    { className: `extent some p${index + 1}`, word: `part, about ${index + 1}0 %` },
  ]),
]);

const nothing: Mark = { className: "extent na", word: "" };
const empty: Mark = { className: "extent vacant", word: "no objects known there" };

/** markOf is the mark for a letter. */
export function markOf(letter: string | undefined): Mark {
  return marks.get(letter ?? "") ?? nothing;
}

/** cellMark is the mark of a cell. */
export function cellMark(row: Row, column: number): Mark {
  return row.empty ? empty : markOf(row.cells?.[column]);
}

/** questions are the fields that say what is asked about every object. */
export const questions = ["operation", "as", "as-group"];

/** cellAddress is the address of the objects behind a cell, as views/coverage_query.go writes it. */
export function cellAddress(data: MatrixData, asked: URLSearchParams, row: Row, column: Column): string {
  const query = new URLSearchParams(asked);
  query.set("policy", column.id);
  query.set(data.by === "" ? "namespace" : data.by, row.key);
  return `/coverage/cell?${query}`;
}
