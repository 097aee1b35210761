import { expect, test } from "vitest";
import { openOutput } from "./output.js";

/** What a terminal of 10 columns shows after some writes: enough of one for `progress`. */
function screenAfter(writes: readonly string[]): string[] {
  const rows = [""];
  let [row, column] = [0, 0];
  for (const [, up, rest, code, text] of writes
    .join("")
    .matchAll(/\u001b\[(?:(\d+)A|([JK]))|([\r\n])|([^\u001b\r\n]+)/g)) {
    if (up !== undefined) row -= Number(up);
    else if (rest !== undefined) {
      rows[row] = rows[row]!.slice(0, column);
      if (rest === "J") rows.splice(row + 1);
    } else if (code === "\r") column = 0;
    else if (code === "\n") {
      row++;
      column = 0;
      rows[row] ??= "";
    } else {
      rows[row] = rows[row]!.slice(0, column) + text + rows[row]!.slice(column + text!.length);
      column += text!.length;
    }
  }
  return rows;
}

test.each<[string, (string | string[] | null)[], string[]]>([
  ["one line", ["reading 1", "reading"], ["reading"]],
  ["more lines", ["bar", ["a", "b", "bar"]], ["a", "b", "bar"]],
  [
    "fewer lines",
    [
      ["a", "b", "bar"],
      ["a", "bar"],
    ],
    ["a", "bar"],
  ],
  ["one line after many", [["a", "b", "bar"], "bar"], ["bar"]],
  ["nothing after many", [["a", "b", "bar"], null, null], [""]],
  [
    "long lines, cut at the width",
    [
      ["a".repeat(30), "bar"],
      ["c", "bar"],
    ],
    ["c", "bar"],
  ],
])("progress shows %s", (_, steps, expected) => {
  const writes: string[] = [];
  const stream = { isTTY: true, columns: 10, write: (text: string) => writes.push(text) };
  const out = openOutput({}, stream, stream);
  for (const step of steps) out.progress(step);
  expect(screenAfter(writes)).toEqual(expected);
});
