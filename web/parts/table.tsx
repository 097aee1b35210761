// A table of rows. On a phone each row becomes a block whose cells name their column.

import type { ComponentChildren } from "preact";

export interface Column<Row> {
  title: string;
  cell(row: Row): ComponentChildren;
  /** Numbers stand to the right. */
  isNumber?: boolean;
  /** This column takes the rest of the width, and its text is cut. */
  isWide?: boolean;
}

export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  /** For screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
}) {
  return (
    <table class="table">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={cellClass(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td key={column.title} class={cellClass(column)} data-title={column.title}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function cellClass<Row>({ isNumber, isWide }: Column<Row>): string | undefined {
  if (isNumber) return "cell-number";
  return isWide ? "cell-wide" : undefined;
}
